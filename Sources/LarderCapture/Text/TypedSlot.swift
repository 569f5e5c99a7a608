// Meal slots as people type them, and the slot of an hour.

package import LarderKernel

/// Reads meal slots.
package enum TypedSlot {
  /// The longest word of a slot, in bytes.
  package static let byteCountMaximum = 64

  /// The four slots everybody has.
  package static let standard: [MealType] = [.breakfast, .lunch, .dinner, .snack]

  /// The slot `text` names: one of the four or a person's own word, in lower case. A slash is
  /// refused, because references such as `today/lunch` are made of slots.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`, `unreadable` for a slash.
  package static func read(_ text: String) throws(CaptureError) -> MealType {
    let word = try TypedText.line(
      text, byteCountMaximum: byteCountMaximum, operation: .slot
    ).lowercased()
    guard !word.contains("/") else {
      throw CaptureError(.unreadable, operation: .slot, subject: "slash")
    }
    // Lower case can be longer than upper case.
    guard let slot = MealType(rawValue: word) else {
      throw CaptureError(.tooLong, operation: .slot, subject: "text")
    }
    return slot
  }

  /// The standard slot that an own word is one slip away from: `brekfast`. For a warning; the word
  /// may well be meant.
  package static func nearMiss(of slot: MealType) -> MealType? {
    standard.first { Spelling.distance($0.rawValue, slot.rawValue, atMost: 1) == 1 }
  }

  /// The slot of a minute of the day (0…1439) where none is given: breakfast from 04:00, lunch from
  /// 11:00 to 15:59, dinner from 17:00 to 21:59, else snack.
  package static func usual(atMinute minute: Int) -> MealType {
    switch minute / 60 {
    case 4...10: .breakfast
    case 11...15: .lunch
    case 17...21: .dinner
    default: .snack
    }
  }

  /// The minute of the day assumed for a slot where a day has no time: breakfast 08:00, lunch
  /// 13:00, snack 16:00, dinner 19:00, any other and none 12:00.
  package static func usualMinute(of slot: MealType?) -> Int {
    switch slot {
    case MealType.breakfast: 8 * 60
    case MealType.lunch: 13 * 60
    case MealType.snack: 16 * 60
    case MealType.dinner: 19 * 60
    default: 12 * 60
    }
  }
}
