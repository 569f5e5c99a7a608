// How events lie in a packed block and in a batch: a CBOR sequence (RFC 8742) of two items an
// event. SPEC.md, "Event sequences".
//
// Invariant: the bytes of headers and payloads are those that were hashed, never encoded anew.
// Headers are not decoded here.

package import LarderHash

extension CBORWriter {
  /// Appends an event of an event sequence: its header and its payload, two byte strings.
  package mutating func append(eventHeader header: Span<UInt8>, payload: Span<UInt8>) {
    append(bytes: header)
    append(bytes: payload)
  }

  /// Appends an erased event: its header, and the array of its leaf's commitment.
  package mutating func append(eventHeader header: Span<UInt8>, commitment: Bytes32) {
    append(bytes: header)
    beginArray(count: 1)
    append(commitment)
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

      /// The payload out of the sequence's bytes; nil once it is erased.
      package func payload(in bytes: [UInt8]) -> [UInt8]? {
        if case .payload(let place) = self { Array(bytes[place]) } else { nil }
      }

      /// What is left of an erased payload.
      package var commitment: Bytes32? {
        if case .erased(let commitment) = self { commitment } else { nil }
      }
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
