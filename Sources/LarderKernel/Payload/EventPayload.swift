// What every kind's payload is: a value with one canonical encoding. Apps define their own by the
// same protocol, and register them by the same call, as Larder does its own.

/// The payload of one kind of event.
public protocol EventPayload: Hashable, Sendable {
  /// The kind.
  static var kind: EventKind { get }
  /// The version this type reads and writes, from 1.
  static var version: UInt16 { get }
  /// Reads the payload that is exactly `bytes`.
  init(_ bytes: Span<UInt8>) throws(KernelError)
  /// Writes the fields in ascending order.
  func write(to writer: inout PayloadWriter)
}

extension EventPayload {
  /// Version 1, where a type does not say otherwise.
  public static var version: UInt16 { 1 }

  /// The canonical encoding.
  public var bytes: [UInt8] {
    var writer = PayloadWriter()
    write(to: &writer)
    return writer.finish()
  }

  /// The canonical encoding, checked to be one that every reader accepts.
  /// - Throws: what reading it would throw: a value out of range, text or payload too long.
  public func checkedBytes() throws(KernelError) -> [UInt8] {
    let encoded = bytes
    try Self.check(encoded)
    return encoded
  }

  /// Reads a payload for the sake of its errors.
  static func check(_ payload: [UInt8]) throws(KernelError) {
    _ = try Self(payload.span)
  }

  /// What errors call the reading of this kind.
  static var reading: String { "decode \(kind.name)" }
}

/// What a change does to a field that can be cleared: absent is not null.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The field stays as it is.
  case keep
  /// The field becomes unknown.
  case clear
  /// The field becomes the value.
  case set(Value)

  /// The field after the change.
  func applied(to old: Value?) -> Value? {
    switch self {
    case .keep: old
    case .clear: nil
    case .set(let value): value
    }
  }

  /// Whether the field stays.
  var isKeep: Bool { self == .keep }
}
