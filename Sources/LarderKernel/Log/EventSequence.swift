// How events lie in a packed block and in a batch: a CBOR sequence (RFC 8742) of two items an
// event. SPEC.md, "Event sequences".
//
// Invariant: the bytes of headers and payloads are those that were hashed, never encoded anew.
// Headers are not decoded here.

package import LarderHash

/// Writes event sequences.
package enum EventSequence {
  /// Appends an event: its header and its payload, two byte strings.
  package static func append(
    header: Span<UInt8>, payload: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    append(header, to: &bytes)
    append(payload, to: &bytes)
  }

  /// Appends an erased event: its header, and the array of its leaf's commitment.
  package static func appendErased(
    header: Span<UInt8>, commitment: Bytes32, to bytes: inout [UInt8]
  ) {
    append(header, to: &bytes)
    bytes += [0x81, 0x58, 0x20]
    commitment.append(to: &bytes)
  }

  private static func append(_ string: Span<UInt8>, to bytes: inout [UInt8]) {
    let count = string.count
    precondition(count < 1 << 16, "no header or payload is as long")
    bytes.append(addingCapacity: count + 3) { output in
      switch count {
      case 0..<24: output.append(0x40 | UInt8(count))
      case 24..<256:
        output.append(0x58)
        output.append(UInt8(count))
      default:
        output.append(0x59)
        output.append(UInt8(count >> 8))
        output.append(UInt8(truncatingIfNeeded: count))
      }
      output.append(contentsOf: string)
    }
  }
}

/// Reads an event sequence.
package struct EventSequenceReader: Sendable {
  /// Where an event lies in the bytes.
  package struct Entry: Hashable, Sendable {
    /// The payload, or what is left of it.
    package enum Body: Hashable, Sendable {
      /// The payload's bytes.
      case payload(Range<Int>)
      /// The commitment of an erased payload.
      case erased(Bytes32)
    }

    /// The header's bytes.
    package let header: Range<Int>
    /// The payload.
    package let body: Body
  }

  private var reader = CBORReader()
  private var left: Int

  /// Reads exactly `count` events, 1…512.
  /// - Throws: `outOfRange` for another count.
  package init(count: Int) throws(KernelError) {
    guard (1...Int(Limits.blockEventCount)).contains(count) else {
      throw KernelError(.outOfRange, operation: "read events", subject: "count")
    }
    left = count
  }

  /// The next event of `bytes`; nil after the last.
  /// - Throws: `malformed` for anything but the canonical encoding and for bytes after the last
  ///   event, `limitExceeded` for a header or payload that is too long.
  package mutating func next(in bytes: Span<UInt8>) throws(KernelError) -> Entry? {
    do throws(CBORError) {
      if left == 0 {
        try reader.finish(in: bytes)
        return nil
      }
      left -= 1
      let header = try reader.byteString(in: bytes)
      guard header.count <= Limits.headerByteCountMaximum else {
        throw CBORError(code: .limitExceeded, offset: header.lowerBound)
      }
      if try reader.peek(in: bytes) == .array {
        guard try reader.arrayCount(in: bytes) == 1 else {
          throw CBORError(code: .unexpectedType, offset: reader.offset)
        }
        return Entry(header: header, body: .erased(try reader.bytes32(in: bytes)))
      }
      let payload = try reader.byteString(in: bytes)
      guard payload.count <= Limits.payloadByteCountMaximum else {
        throw CBORError(code: .limitExceeded, offset: payload.lowerBound)
      }
      return Entry(header: header, body: .payload(payload))
    } catch {
      throw KernelError(
        KernelError.Code(error), operation: "read events", subject: "event sequence",
        underlying: error)
    }
  }
}
