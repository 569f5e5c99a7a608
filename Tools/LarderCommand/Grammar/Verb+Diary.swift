// The rows of the grammar that are about the diary.

extension Verb {
  static let today = Verb(
    name: .today, group: .everyDay,
    summary: "show today's diary, the state of the store and what to type next",
    arguments: [], options: [], globals: reading,
    examples: [
      Example(line: "larder", meaning: "today at a glance; without a store, how to begin"),
      Example(line: "larder --json", meaning: "the same as a document"),
    ],
    details: [], exits: readingExits, alsoCalled: [])

  static let log = Verb(
    name: .log, group: .everyDay, summary: "record a meal",
    arguments: [Argument(name: "WHAT[=AMOUNT]", count: .atLeastOne, help: whatHelp)],
    options: [
      OptionRule(.meal, .text("SLOT"), "breakfast, lunch, dinner, snack or a word of your own"),
      OptionRule(.at, .text("TIME"), "when it was eaten, now if not given"),
      OptionRule(.zone, .text("ZONE"), "the zone of that time, such as Europe/Berlin"),
      OptionRule(.title, .text("TEXT"), "what the meal is called"),
      OptionRule(.note, .text("TEXT"), "a note kept with the meal"),
      OptionRule(.tag, .text("TEXT"), "a tag", isRepeatable: true),
      OptionRule(.numbers, .text("LIST"), "what it contains: energy=420kcal,carbs=55g"),
      OptionRule(.unknown, .flag, "record it although nothing is known about what it contains"),
      OptionRule(.pick, .whole("N", 1...10), "take the N-th of several foods that match"),
    ],
    globals: writing + [.dryRun],
    examples: [
      Example(
        line: "larder log 'porridge oats=60g' code:5000112637922=330ml --meal breakfast",
        meaning: "two foods of one meal, one found by words and one by barcode"),
      Example(
        line: "larder log 'birthday cake=1serving' --numbers energy=420kcal,carbs=55g",
        meaning: "a food by hand, with the numbers of the amount eaten"),
    ],
    details: [
      "AMOUNT is a number with g, kg, mg, ml, cl, dl, l, oz, lb or serving: 40g, 1.5kg, 330ml, "
        + "2serving. The decimal mark is a point or a comma where it cannot mean thousands: 1.5kg "
        + "or 1,5kg, but 1500g for 1.500g and 1,500g.",
      "TIME is 08:30, yesterday 19:00, -2h, 2026-05-02 08:30, or a time with its offset as in "
        + "2026-05-02T08:30+02:00. A day alone takes the usual hour of the meal.",
      "Without --meal the hour decides: breakfast from 04:00, lunch from 11:00, dinner from 17:00 "
        + "to 21:59, else snack.",
      "The numbers of --numbers are those of the amount given, or with per=100g, per=100ml or "
        + "per=serving in the list those of that much.",
    ],
    exits: writingExits + [.partial],
    alsoCalled: ["add", "eat", "record", "new", "meal add", "meal log"])

  private static let whatHelp =
    "words of a food, code:DIGITS for a barcode, item:REF or meal:REF to repeat, template:NAME; "
    + "then = and how much"

  static let diary = Verb(
    name: .diary, group: .everyDay, summary: "show what was eaten on a day or in a range of days",
    arguments: [Argument(name: "DAY|FROM..TO", count: .optional, help: dayHelp)],
    options: [OptionRule(.sum, .choice(["day", "week"]), "only the sums of each day or week")],
    globals: reading,
    examples: [
      Example(line: "larder diary", meaning: "today"),
      Example(line: "larder diary 2026-05-01..2026-05-07 --sum day", meaning: "a week in sums"),
    ],
    details: [
      "A meal belongs to the day it had where it was eaten, whatever zone you are in now."
    ],
    exits: readingExits,
    alsoCalled: ["day", "show", "today", "week"])

  private static let dayHelp =
    "today, yesterday, 2026-05-02, -3d, a weekday, or two of them with .. between; today if not "
    + "given"

  static let mealList = Verb(
    name: .mealList, group: .diary, summary: "list the meals of a day or a range of days",
    arguments: [Argument(name: "DAY|FROM..TO", count: .optional, help: dayHelp)],
    options: [], globals: reading + [.jsonl],
    examples: [
      Example(line: "larder meal list", meaning: "today's meals with their references"),
      Example(line: "larder meal list -7d.. --jsonl", meaning: "a week, one document per line"),
    ],
    details: [], exits: readingExits,
    alsoCalled: ["meals", "list", "ls"])

  static let mealShow = Verb(
    name: .mealShow, group: .diary, summary: "show a meal with everything known about it",
    arguments: [Argument(name: "REF", count: .one, help: refHelp)],
    options: [], globals: reading,
    examples: [
      Example(line: "larder meal show last", meaning: "the meal recorded last"),
      Example(line: "larder meal show today/lunch", meaning: "today's lunch"),
    ],
    details: [refDetail], exits: readingExits,
    alsoCalled: ["meal info", "meal get"])

  private static let refHelp =
    "an id, 4 or more digits of its beginning or end, last, today/lunch, 2026-05-02/breakfast/2"

  private static let refDetail =
    "Ids begin with the time, so the end of an id tells meals apart best; it is what Larder prints."

  static let mealDelete = Verb(
    name: .mealDelete, group: .diary, summary: "delete a meal, with its items or without",
    arguments: [Argument(name: "REF", count: .one, help: refHelp)],
    options: [
      OptionRule(.keepItems, .flag, "keep what was eaten as single entries; the sums stay the same")
    ],
    globals: writing + [.dryRun],
    examples: [
      Example(line: "larder meal delete last", meaning: "the meal recorded last"),
      Example(
        line: "larder meal delete today/lunch --keep-items",
        meaning: "dissolve the meal, keep its foods"),
    ],
    details: [refDetail],
    exits: writingExits,
    alsoCalled: ["meal remove", "meal rm", "delete", "remove", "rm"])

  static let history = Verb(
    name: .history, group: .diary,
    summary: "show where every number of a meal came from and what changed it",
    arguments: [Argument(name: "REF", count: .one, help: refHelp)],
    options: [OptionRule(.field, .text("FIELD"), "only what concerns this field")],
    globals: reading + [.jsonl],
    examples: [
      Example(line: "larder history last", meaning: "the events of the meal recorded last"),
      Example(
        line: "larder history today/lunch --field energy", meaning: "where its energy came from"),
    ],
    details: [refDetail], exits: readingExits,
    alsoCalled: ["audit", "why", "meal history"])
}
