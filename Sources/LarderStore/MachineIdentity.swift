// Which machine this is, as a hash that says nothing else about it. SPEC.md, "The head record".

internal import LarderFiles
package import LarderHash

/// The identity of a machine.
package enum MachineIdentity {
  /// The files that hold a machine's id, the best first.
  package static let standardFiles = ["/etc/machine-id", "/var/lib/dbus/machine-id"]

  /// The machine's identity: of the first of `files` that holds an id, else of the host's name.
  /// A file that is missing, cannot be read or holds none is passed over: the machine has a name.
  package static func read(
    files: [String] = standardFiles, hostName: String
  ) -> Bytes16 {
    for path in files {
      guard let bytes = try? Files.read(path, upTo: 256), let id = id(in: bytes) else { continue }
      return hash(id: id)
    }
    return hash(hostName: hostName)
  }

  /// BLAKE2b-128 of the label and the id as 32 lower-case digits.
  package static func hash(id: Bytes16) -> Bytes16 {
    BLAKE2b.hash128(Array("larder machine id".utf8) + id.hex.utf8)
  }

  /// BLAKE2b-128 of the label and the name.
  package static func hash(hostName: String) -> Bytes16 {
    BLAKE2b.hash128(Array("larder machine name".utf8) + hostName.utf8)
  }

  /// The id in a file: 32 hexadecimal digits, not all zero, on a line of their own.
  private static func id(in bytes: [UInt8]) -> Bytes16? {
    let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    guard line.count < bytes.count ? line.count + 1 == bytes.count : true,
      let id = Bytes16(hexDigits: line.span), id != .zero
    else { return nil }
    return id
  }
}
