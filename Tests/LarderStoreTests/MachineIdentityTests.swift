import Foundation
import LarderFiles
import LarderHash
import LarderStore
import Testing

@Suite("MachineIdentity")
final class MachineIdentityTests {
  private let folder = NSTemporaryDirectory() + "larder-machine-" + UUID().uuidString
  private let id = Bytes16(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try Files.createFolder(folder)
    try Files.write(Array(text.utf8), to: "\(folder)/\(name)", mode: 0o644)
    return "\(folder)/\(name)"
  }

  // [HEAD-4]
  @Test("the first file with an id counts, whatever the case of its digits or its last line feed")
  func ids() throws {
    let named = MachineIdentity.hash(hostName: "larder")
    let missing = folder + "/missing"
    for text in ["\(id.hex)\n", id.hex, id.hex.uppercased()] {
      let first = try file("first", text)
      let second = try file("second", String(repeating: "7", count: 32))
      #expect(
        MachineIdentity.read(files: [missing, first, second], hostName: "larder")
          == MachineIdentity.hash(id: id))
    }
    #expect(MachineIdentity.read(files: [missing], hostName: "larder") == named)
    #expect(MachineIdentity.read(files: [], hostName: "larder") == named)
    #expect(named != MachineIdentity.hash(hostName: "pantry"))
    #expect(MachineIdentity.hash(hostName: id.hex) != MachineIdentity.hash(id: id))
  }

  // [HEAD-4]
  @Test("what is no id is passed over")
  func noID() throws {
    let second = try file("second", id.hex + "\n")
    for text in [
      "", "\n", "uninitialized\n", String(repeating: "0", count: 32) + "\n",
      String(id.hex.dropLast()), id.hex + "0", id.hex + "\n\n", "\n" + id.hex,
      String(repeating: "x", count: 5000),
    ] {
      let first = try file("first", text)
      #expect(
        MachineIdentity.read(files: [first, second], hostName: "larder")
          == MachineIdentity.hash(id: id), "\(text.prefix(40))")
    }
  }

  @Test("this machine has the same identity twice")
  func thisMachine() {
    #expect(MachineIdentity.read(hostName: "larder") == MachineIdentity.read(hostName: "larder"))
  }

  @Test("a container is known by its marks or by its variable")
  func containers() throws {
    let mark = try file("mark", "")
    let none = folder + "/none"
    #expect(try StateFolder.isInContainer(environment: nil, marks: [none, mark]))
    #expect(try StateFolder.isInContainer(environment: "podman", marks: [none]))
    #expect(try !StateFolder.isInContainer(environment: nil, marks: [none]))
    #expect(try !StateFolder.isInContainer(environment: "", marks: []))
  }

  @Test("a state folder that is not there yet lasts as the one above it does")
  func lasting() throws {
    try Files.createFolder(folder)
    #expect(
      try StateFolder.isLasting(folder + "/a/b") == StateFolder.isLasting(folder))
  }
}
