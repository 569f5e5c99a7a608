// Which meal or item is meant, as people type it. Reading only: whether it exists, and whether it
// is the only one, is a question to the store.

package import LarderKernel

/// A reference to a meal or an item.
package enum TypedReference: Hashable, Sendable {
  /// A whole id: 32 hexadecimal digits of a stream, or 48 of an item in its stream, lower case.
  case identifier(String)
  /// The beginning or the end of an id: 4 or more hexadecimal digits, lower case.
  case fragment(String)
  /// What was recorded last.
  case last
  /// The meals of a slot on a day: all, or the one with that number, counted from 1.
  case slot(day: CivilDay, slot: MealType, number: Int?)

  /// The fewest digits of a fragment.
  package static let fragmentCountMinimum = 4
  /// The longest reference that is read, in bytes.
  package static let byteCountMaximum = 256
  /// The highest number of a meal in its slot.
  package static let numberMaximum = 999

  /// The reference `text` is, seen from `today`: an id, its beginning or end, `last`, `today/lunch`
  /// or `2026-05-02/breakfast/2`.
  /// - Throws: `empty`, `tooLong`, `tooShort`, `controlCharacter`, `unreadable`, and as
  ///   `TypedDay.read` and `TypedSlot.read`.
  package init(reading text: String, today: @autoclosure TypedDay.Today) throws(CaptureError) {
    let line = try TypedText.line(
      text, byteCountMaximum: Self.byteCountMaximum, operation: .reference)
    let word = TypedText.withASCIIDigits(line).lowercased()
    if word == "last" {
      self = .last
    } else if word.contains("/") {
      self = try Self.slotReference(line, today: try today())
    } else {
      self = try Self.idReference(word)
    }
  }

  private static func idReference(_ word: String) throws(CaptureError) -> TypedReference {
    let isHexadecimal = word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    guard isHexadecimal else {
      // A day alone is the likeliest mistake: its meals are told apart by their slots.
      let isDay = TypedDay.words.contains(word) || CivilDay(word) != nil
      throw CaptureError(
        .unreadable, operation: .reference, subject: isDay ? "slot" : "reference",
        suggestion: isDay ? "\(word)/lunch" : Spelling.nearest(to: word, among: ["last"]))
    }
    guard word.utf8.count >= fragmentCountMinimum else {
      throw CaptureError(.tooShort, operation: .reference, subject: "id")
    }
    guard word.utf8.count <= 48 else {
      throw CaptureError(.tooLong, operation: .reference, subject: "id")
    }
    return [32, 48].contains(word.utf8.count) ? .identifier(word) : .fragment(word)
  }

  private static func slotReference(
    _ text: String, today: @autoclosure TypedDay.Today
  ) throws(CaptureError) -> TypedReference {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
      throw CaptureError(.unreadable, operation: .reference, subject: "reference")
    }
    let word = TypedDay.normalised(String(TypedText.trimmed(parts[0][...])))
    let day = try TypedDay.read(word: word, today: try today(), operation: .reference)
    let slot = try TypedSlot.read(parts[1])
    guard parts.count == 3 else { return .slot(day: day, slot: slot, number: nil) }
    let digits = TypedText.withASCIIDigits(String(TypedText.trimmed(parts[2][...])))
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      (1...numberMaximum).contains(number)
    else { throw CaptureError(.unreadable, operation: .reference, subject: "number") }
    return .slot(day: day, slot: slot, number: number)
  }
}
