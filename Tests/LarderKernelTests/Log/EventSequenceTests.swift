import LarderHash
import LarderKernel
import Testing

@Suite("Event sequences")
struct EventSequenceTests {
  private func read(_ bytes: [UInt8], count: Int) throws -> [EventSequenceReader.Entry] {
    var reader = try EventSequenceReader(count: count)
    var entries: [EventSequenceReader.Entry] = []
    while let entry = try reader.next(in: bytes.span) { entries.append(entry) }
    return entries
  }

  // [SEQ-1]
  @Test("headers and payloads of any length are read where they were written")
  func reading() throws {
    let lengths = [0, 1, 23, 24, 255, 256, 16_384]
    var writer = CBORWriter()
    for length in lengths {
      let header = [UInt8](repeating: 1, count: min(length, 256))
      let payload = [UInt8](repeating: 2, count: length)
      writer.append(eventHeader: header.span, payload: payload.span)
    }
    let commitment = BLAKE2b.hash256([9])
    let header: [UInt8] = [1, 2, 3]
    writer.append(eventHeader: header.span, commitment: commitment)
    let bytes = writer.bytes
    let entries = try read(bytes, count: lengths.count + 1)
    for (entry, length) in zip(entries, lengths) {
      guard case .payload(let place) = entry.body else {
        Issue.record("a payload is read as erased")
        continue
      }
      #expect(place.count == length && entry.header.count == min(length, 256))
      #expect(bytes[place].allSatisfy { $0 == 2 } && bytes[entry.header].allSatisfy { $0 == 1 })
    }
    #expect(entries.last?.body == .erased(commitment))
    #expect(entries.last.map { Array(bytes[$0.header]) } == header)
  }

  // [SEQ-1]
  @Test("another count, a long string and bytes behind the last event are refused")
  func refusing() throws {
    var writer = CBORWriter()
    let header: [UInt8] = [1, 2, 3]
    for _ in 0..<2 { writer.append(eventHeader: header.span, payload: header.span) }
    let bytes = writer.bytes
    #expect(try read(bytes, count: 2).count == 2)
    for count in [1, 3] { #expect(throws: KernelError.self) { try read(bytes, count: count) } }
    for count in [0, 513, -1] {
      #expect(throws: KernelError.self) { try EventSequenceReader(count: count) }
    }
    var long = CBORWriter()
    let tooLong = [UInt8](repeating: 0, count: 257)
    long.append(eventHeader: tooLong.span, payload: header.span)
    #expect(throws: KernelError.self) { try read(long.bytes, count: 1) }
    let huge = [UInt8](repeating: 0, count: 16_385)
    long = CBORWriter()
    long.append(eventHeader: header.span, payload: huge.span)
    #expect(throws: KernelError.self) { try read(long.bytes, count: 1) }
    for end in 0..<bytes.count {
      #expect(throws: KernelError.self) { try read(Array(bytes[..<end]), count: 2) }
    }
  }
}
