import Foundation
import LarderCrypto
import LarderFiles
import LarderHash
import LarderKernel
import Testing

@testable import LarderStore

@Suite("DeviceKeyFile")
final class DeviceKeyTests {
  private let folder = NSTemporaryDirectory() + "larder-key-" + UUID().uuidString
  private var path: String { folder + "/device.key" }

  init() throws {
    try Files.createFolder(folder)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func key(_ number: Int) throws -> AuthorSecretKey {
    guard let key = AuthorSecretKey(seed: BLAKE2b.hash256([UInt8(number)]).bytes.span) else {
      throw CocoaError(.formatting)
    }
    return key
  }

  private func author(_ number: Int) throws -> AuthorID {
    AuthorID(try key(number).publicKey.authorID)
  }

  /// The public half of the key that the file has of an author.
  private func found(_ author: AuthorID) throws -> AuthorPublicKey? {
    guard let key = try DeviceKeyFile.key(of: author, in: path) else { return nil }
    return key.publicKey
  }

  // [STORE-3]
  @Test("one key is 56 bytes, readable by its owner alone")
  func oneKey() throws {
    try DeviceKeyFile.write(try key(1), to: path)
    #expect(try Files.identity(of: path)?.mode == 0o600)
    let bytes = try Files.read(path, upTo: 100)
    let head = Array("LRDRKEY".utf8) + [1] + BLAKE2b.hash256([1]).bytes
    #expect(bytes == head + BLAKE2b.hash128(head).bytes)
    #expect(bytes.count == 56)
    #expect(try DeviceKeyFile.read(path).publicKey == key(1).publicKey)
  }

  // [STORE-3]
  @Test("keys are appended, found by their author, and the oldest of 64 goes")
  func manyKeys() throws {
    try DeviceKeyFile.write(try key(0), to: path)
    for number in 1..<64 {
      try DeviceKeyFile.append(try key(number), to: path)
      #expect(try DeviceKeyFile.read(path).publicKey == key(number).publicKey)
    }
    #expect(try DeviceKeyFile.keys(in: path).authors == (0..<64).map(author))
    try DeviceKeyFile.append(try key(64), to: path)
    #expect(try DeviceKeyFile.keys(in: path).authors == (1...64).map(author))
    #expect(try Files.identity(of: path)?.mode == 0o600)
    #expect(try Files.names(in: folder) == ["device.key"])
    #expect(try found(author(0)) == nil)
    #expect(try found(author(30)) == key(30).publicKey)
    // One that is there stays where it is.
    try DeviceKeyFile.append(try key(30), to: path)
    #expect(try DeviceKeyFile.keys(in: path).authors == (1...64).map(author))
  }

  // [STORE-3]
  @Test("a damaged file is refused, a newer one as such, and appending changes neither")
  func damage() throws {
    try DeviceKeyFile.write(try key(0), to: path)
    try DeviceKeyFile.append(try key(1), to: path)
    let whole = try Files.read(path, upTo: 100)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1
      try Files.write(bytes, to: path, mode: 0o600)
      let error = #expect(throws: StoreError.self) {
        try DeviceKeyFile.append(try self.key(2), to: self.path)
      }
      #expect(error?.code == .corrupt)
      #expect(try Files.read(path, upTo: 100) == bytes)
    }
    var newer = Array(whole[..<72])
    newer[7] = 2
    try Files.write(newer + BLAKE2b.hash128(newer).bytes, to: path, mode: 0o600)
    let error = #expect(throws: StoreError.self) { _ = try DeviceKeyFile.read(self.path) }
    #expect(error?.code == .unsupportedVersion)
    try Files.write([UInt8](repeating: 0, count: 1 << 20), to: path, mode: 0o600)
    #expect(throws: StoreError.self) { _ = try DeviceKeyFile.read(self.path) }
    try Files.remove(path)
    let missing = #expect(throws: StoreError.self) { _ = try DeviceKeyFile.read(self.path) }
    #expect(missing?.code == .notFound)
  }
}
