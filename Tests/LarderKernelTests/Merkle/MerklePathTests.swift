import LarderHash
import LarderKernel
import Testing

@Suite("MerklePath")
struct MerklePathTests {
  @Test("has one encoding and comes back from it", arguments: [0, 1, 2, 23, 24, 63, 64])
  func roundTrip(count: Int) throws {
    let path = MerklePath(nodes: (0..<count).map { BLAKE2b.hash256([UInt8($0)]) })
    let bytes = path.bytes
    #expect(bytes.count == (count < 24 ? 1 : 2) + 34 * count)
    #expect(try MerklePath(bytes.span) == path)
    for length in 0..<bytes.count {
      let short = Array(bytes[..<length])
      #expect(throws: CBORError.self) { try MerklePath(short.span) }
    }
  }

  @Test("refuses too many hashes, other lengths, other types and what follows")
  func refusals() throws {
    func code(_ hex: String) throws -> CBORError.Code? {
      let bytes = try #require([UInt8](hex: hex))
      do throws(CBORError) {
        _ = try MerklePath(bytes.span)
        return nil
      } catch {
        return error.code
      }
    }
    let node = "5820" + String(repeating: "ab", count: 32)
    #expect(try code("81" + node) == nil)
    #expect(try code("9841" + String(repeating: node, count: 65)) == .limitExceeded)
    #expect(try code("9aff000000") == .truncated)
    #expect(try code("81581f" + String(repeating: "ab", count: 31)) == .outOfRange)
    #expect(try code("815821" + String(repeating: "ab", count: 33)) == .outOfRange)
    #expect(try code("817820" + String(repeating: "61", count: 32)) == .unexpectedType)
    #expect(try code("a0") == .unexpectedType)
    #expect(try code(node) == .unexpectedType)
    #expect(try code("80" + "00") == .trailingBytes)
    #expect(try code("9801" + node) == .nonMinimal)
    #expect(try code("9f" + node + "ff") == .indefiniteLength)
  }

  @Test("is read and written in the middle of other items")
  func embedded() throws {
    let path = MerklePath(nodes: [BLAKE2b.hash256([1]), BLAKE2b.hash256([2])])
    var writer = CBORWriter()
    writer.append(unsigned: 7)
    path.write(to: &writer)
    writer.append(bool: true)
    let bytes = writer.bytes
    var reader = CBORReader()
    #expect(try reader.unsigned(in: bytes.span) == 7)
    #expect(try MerklePath(from: &reader, in: bytes.span) == path)
    #expect(try reader.bool(in: bytes.span))
    try reader.finish(in: bytes.span)
  }
}
