// Civil days, and the clock a moment was read from.

import LarderKernel

enum CivilVectors {
  static func all() throws -> [Vector] {
    [try days(), texts(), try moments()]
  }

  private static func days() throws -> Vector {
    let numbers: [Int64] = [
      -719_162, -719_161, -141_428, -141_427, -62_091, -25_509, -1, 0, 10_956, 11_016, 11_017,
      20_575, 47_540, 47_541, 2_932_895, 2_932_896,
    ]
    return Vector(
      "civil", "days", "days since 1970-01-01, the date, and the weekday from 0 for Monday",
      [
        "days": .array(
          try numbers.map { number in
            let day = try constant(CivilDay(daysSince1970: number), "day")
            return .object([
              "number": .number(number), "date": .string(day.description),
              "weekday": .number(Int64(day.weekday)),
            ])
          })
      ])
  }

  private static func texts() -> Vector {
    let texts = [
      "2026-05-02", "2024-02-29", "2000-02-29", "1900-02-29", "2026-02-29", "0001-01-01",
      "0000-12-31", "9999-12-31", "10000-01-01", "2026-5-2", "26-05-02", "2026-13-01", "2026-04-31",
      "2026-05-02T00:00", " 2026-05-02", "2026/05/02", "", "\u{662}\u{660}\u{662}\u{666}-05-02",
    ]
    return Vector(
      "civil", "texts", "which texts are a date",
      [
        "texts": .array(
          texts.map {
            .object([
              "text": .string($0),
              "number": CivilDay($0).map { .number(Int64($0.daysSince1970)) } ?? .null,
            ])
          })
      ])
  }

  private static func moments() throws -> Vector {
    let cases: [(Int64, Int64)] = [
      (1_777_732_800_000, 32_400), (1_777_760_400_000, 7200), (1_777_717_200_000, 50_400),
      (1_777_807_200_000, -39_600), (1_792_888_200_000, 7200), (1_792_891_800_000, 3600),
      (0, 0), (-1, 0), (1005, -12_600), (0, 1172), (0, -1172), (0, 30), (0, -59), (0, 93_599),
      (Limits.instantMaximum, 3600), (Limits.instantMaximum, -3600),
      (Limits.instantMinimum, -3600), (Limits.instantMinimum, 3600),
    ]
    return Vector(
      "civil", "moments", "the day, the minute and the text of a moment on a clock",
      [
        "moments": .array(
          try cases.map { milliseconds, seconds in
            let instant = try constant(Instant(milliseconds: milliseconds), "instant")
            let offset = try constant(UTCOffset(seconds: seconds), "offset")
            let (day, minute) = instant.civil(utcOffset: offset)
            return .object([
              "milliseconds": .number(milliseconds), "utcOffset": .number(seconds),
              "day": .string(day.description), "minuteOfDay": .number(Int64(minute)),
              "text": .string(instant.rfc3339(utcOffset: offset)),
            ])
          })
      ])
  }
}
