// Addresses of blobs and the path that follows from one. SPEC.md, "Blobs".

public import LarderHash

/// The address of a blob: BLAKE2b-256 of its stored bytes (`b2sum -l 256` checks a file).
public struct BlobAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The thirty-two bytes.
  public let bytes: Bytes32

  /// The address with these bytes.
  public init(_ bytes: Bytes32) {
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { bytes.hex }

  /// 64 lower-case hexadecimal digits.
  public var description: String { hex }

  /// The file's path below the store, such as `media/ab/abcdef….jpg`.
  public func path(mediaType: MediaType) -> String {
    let digits = hex
    return "media/\(digits.prefix(2))/\(digits).\(mediaType.fileExtension)"
  }

  /// Bytewise order.
  public static func < (left: BlobAddress, right: BlobAddress) -> Bool { left.bytes < right.bytes }
}

/// What kind of bytes a photo is.
public enum MediaType: UInt8, Sendable, CaseIterable {
  case jpeg = 0
  case png = 1
  case webp = 2
  case heic = 3

  /// The extension of the file's name.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    case .heic: "heic"
    }
  }

  /// The registered media type, such as `image/jpeg`.
  public var name: String { "image/\(String(describing: self))" }
}
