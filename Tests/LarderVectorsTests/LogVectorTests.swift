import LarderCompression
import LarderCrypto
import LarderHash
import LarderKernel
import Testing

@Suite("Vectors of sequences, blocks and batches")
struct LogVectorTests {
  struct Case: Decodable {
    struct Event: Decodable, Equatable {
      var header: String
      var payload: String?
      var commitment: String?
    }
    var input: String
    var count: Int?
    var events: [Event]?
    var byteCount: Int?
    var sequence: String?
    var author: String?
    var first: String?
    var signed: String?
    var leaves: [String]?
    var error: String?
  }

  // [SEQ-1]
  @Test("sequences are read and refused as their vectors say")
  func sequences() throws {
    for (path, vector) in try VectorFiles.read("sequence", as: Case.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      do throws(KernelError) {
        var reader = try EventSequenceReader(count: vector.count ?? 0)
        var events: [Case.Event] = []
        while let entry = try reader.next(in: bytes.span) {
          var event = Case.Event(header: Array(bytes[entry.header]).hex)
          switch entry.body {
          case .payload(let place): event.payload = Array(bytes[place]).hex
          case .erased(let commitment): event.commitment = commitment.hex
          }
          events.append(event)
        }
        #expect(vector.events == events, "\(path)")
      } catch {
        #expect(vector.error == error.code.rawValue, "\(path)")
      }
    }
  }

  // [BLOCK-2]
  @Test("blocks are unpacked and refused as their vectors say")
  func blocks() throws {
    for (path, vector) in try VectorFiles.read("block", as: Case.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      let plain = try? LZ4.decompress(bytes.span, byteCount: vector.byteCount ?? 0, limit: 1000)
      #expect(plain?.hex == vector.sequence, "\(path)")
      #expect((plain == nil) == (vector.error != nil), "\(path)")
    }
  }

  // [BATCH-1], [BATCH-2], [BATCH-3], [EDGE-2]
  @Test("batches hold and are refused as their vectors say")
  func batches() throws {
    for (path, vector) in try VectorFiles.read("batch", as: Case.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      do throws(KernelError) {
        let checked = try Batch(bytes.span).check()
        #expect(vector.author == checked.edge.author.hex, "\(path)")
        #expect(vector.first == "\(checked.edge.first)", "\(path)")
        #expect(vector.signed == checked.edge.signedBytes.hex, "\(path)")
        #expect(vector.leaves == checked.entries.map(\.leaf.hex), "\(path)")
      } catch {
        #expect(vector.error == error.code.rawValue, "\(path)")
      }
    }
  }
}
