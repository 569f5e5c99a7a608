// The rows of the grammar that are about food data, the engine and the command line itself; and the
// list of all rows.

extension Verb {
  /// Global options of verbs that read the store.
  static let reading: [OptionName] = [.store, .state, .json, .noInput]
  /// Global options of verbs that write to the store.
  static let writing: [OptionName] = [.store, .state, .wait, .json, .quiet, .noInput]

  /// How verbs that read the store can end.
  static let readingExits: [ExitCode] = [
    .done, .failed, .usage, .integrity, .notFound, .notEntitled,
  ]
  /// How verbs that write to the store can end.
  static let writingExits: [ExitCode] = readingExits + [.busy]

  /// Every verb of this version.
  static let all: [Verb] = [
    today, log, diary,
    mealList, mealShow, mealDelete, history,
    catalogInstall, catalogSearch, catalogShow, catalogStatus,
    deviceList, events,
    initialise, projectionList, projectionUse, projectionDrop, query, schema, rebuild, verify,
    doctor,
    version, help,
  ]

  static let catalogInstall = Verb(
    name: .catalogInstall, group: .food, summary: "install a food catalog from a file",
    arguments: [
      Argument(
        name: "FILE", count: .one, help: "an Open Food Facts export: JSONL, plain or compressed")
    ],
    options: [], globals: [.store, .wait, .json, .quiet, .verbose, .noInput],
    examples: [
      Example(
        line: "larder catalog install products.jsonl.gz", meaning: "install or renew the catalog"),
      Example(
        line: "larder catalog install products.jsonl.gz --verbose",
        meaning: "and name every record that was set aside"),
    ],
    details: [
      "Meals keep the numbers they were recorded with; a newer catalog changes no meal.",
      "Installing the same file again changes nothing and says so.",
    ],
    exits: [.done, .failed, .usage, .notFound, .busy, .partial],
    alsoCalled: ["catalog import", "catalog add", "catalog update", "install", "import"])

  static let catalogSearch = Verb(
    name: .catalogSearch, group: .food, summary: "find foods in the catalog by words",
    arguments: [Argument(name: "WORDS", count: .atLeastOne, help: "words of its name")],
    options: [OptionRule(.limit, .whole("N", 1...1000), "at most so many foods, 20 if not given")],
    globals: [.store, .json, .jsonl, .noInput],
    examples: [
      Example(line: "larder catalog search porridge oats", meaning: "foods of that name"),
      Example(line: "larder catalog search thé --limit 5", meaning: "accents may be left out"),
    ],
    details: [], exits: readingExits,
    alsoCalled: ["search", "food", "lookup", "product search"])

  static let catalogShow = Verb(
    name: .catalogShow, group: .food, summary: "show a food of the catalog by its code",
    arguments: [Argument(name: "CODE", count: .one, help: "the digits below its barcode")],
    options: [], globals: [.store, .json, .noInput],
    examples: [
      Example(line: "larder catalog show 0000101209159", meaning: "its names and numbers"),
      Example(line: "larder catalog show 0000101209159 --json", meaning: "the same as a document"),
    ],
    details: [], exits: readingExits,
    alsoCalled: ["catalog get", "barcode", "code", "product show"])

  static let catalogStatus = Verb(
    name: .catalogStatus, group: .food, summary: "show which catalog is installed",
    arguments: [], options: [], globals: [.store, .json, .noInput],
    examples: [
      Example(line: "larder catalog status", meaning: "its file, age and number of foods"),
      Example(line: "larder catalog status --json", meaning: "the same as a document"),
    ],
    details: [], exits: readingExits,
    alsoCalled: ["catalog info", "catalog list"])

  static let deviceList = Verb(
    name: .deviceList, group: .devices, summary: "show who writes in this diary",
    arguments: [], options: [], globals: reading,
    examples: [
      Example(line: "larder device list", meaning: "this device, its lives, and the others"),
      Example(line: "larder device list --json", meaning: "the same as a document"),
    ],
    details: [
      "A device begins a new life, with a new key, where its diary was restored or copied."
    ],
    exits: readingExits, alsoCalled: ["devices", "device show"])

  static let events = Verb(
    name: .events, group: .proof, summary: "show the log as it is, event by event",
    arguments: [],
    options: [
      OptionRule(.follow, .flag, "go on with the events that come, until interrupted"),
      OptionRule(.since, .text("TIME"), "only events from that time on"),
      OptionRule(.kind, .text("KIND"), "only events of this kind", isRepeatable: true),
    ],
    globals: [.store, .state, .json, .jsonl, .quiet, .verbose, .noInput],
    examples: [
      Example(line: "larder events --since -2h", meaning: "what was recorded in two hours"),
      Example(
        line: "larder events --kind MealDeleted --jsonl", meaning: "deleted meals, a line each"),
    ],
    details: [
      "Each event is shown by its time, kind, author and number, and the meal it is about.",
      "With --verbose also what it says.",
    ],
    exits: readingExits, alsoCalled: ["log list", "journal", "tail"])

  static let initialise = Verb(
    name: .initialise, group: .engine, summary: "make a new, empty store",
    arguments: [], options: [], globals: [.store, .state, .json, .quiet, .noInput],
    examples: [
      Example(line: "larder init", meaning: "in the default place"),
      Example(line: "larder init --store ./diary", meaning: "in a folder of your choice"),
    ],
    details: ["An existing store is never changed or replaced."],
    exits: [.done, .failed, .usage, .busy], alsoCalled: ["create", "setup", "start", "initialise"])

  static let projectionList = Verb(
    name: .projectionList, group: .engine, summary: "show the tables made from the events",
    arguments: [], options: [], globals: reading,
    examples: [
      Example(line: "larder projection list", meaning: "versions in use, kept, being made"),
      Example(line: "larder projection list --json", meaning: "the same as a document"),
    ],
    details: ["A projection is a rule that makes tables out of events."],
    exits: readingExits, alsoCalled: ["projections", "projection show"])

  static let projectionUse = Verb(
    name: .projectionUse, group: .engine, summary: "take kept tables back into use",
    arguments: [Argument(name: "NAME", count: .one, help: "NAME, NAME@old or NAME@VERSION")],
    options: [], globals: writing + [.verbose],
    examples: [
      Example(line: "larder projection use meals@old", meaning: "those kept last"),
      Example(line: "larder projection use meals@2", meaning: "those of a version"),
    ],
    details: [
      "`larder rebuild --keep` keeps the old tables. What changed since is folded again, so it "
        + "takes the version of Larder that made them."
    ], exits: writingExits + [.interrupted], alsoCalled: ["projection restore"])

  static let projectionDrop = Verb(
    name: .projectionDrop, group: .engine, summary: "remove tables that were kept",
    arguments: [Argument(name: "NAME", count: .one, help: "NAME, NAME@old or NAME@VERSION")],
    options: [], globals: writing + [.dryRun],
    examples: [
      Example(line: "larder projection drop meals@old", meaning: "those kept last"),
      Example(line: "larder projection drop water/log", meaning: "all those of an app's"),
    ],
    details: ["Only tables go: the events stay, and what made the tables can make them again."],
    exits: writingExits, alsoCalled: ["projection delete"])

  static let query = Verb(
    name: .query, group: .engine, summary: "ask the tables a question in SQL",
    arguments: [Argument(name: "SQL", count: .one, help: "one SELECT statement")],
    options: [OptionRule(.csv, .flag, "comma-separated values, the names of the columns first")],
    globals: [.store, .state, .wait, .json, .jsonl, .noInput],
    examples: [
      Example(
        line: "larder query 'SELECT day, energyCal / 1000 AS kcal FROM DaySums'",
        meaning: "the energy of each day"),
      Example(
        line: "larder query 'SELECT name, uses FROM RecentFoods ORDER BY uses DESC' --csv",
        meaning: "what is eaten most often, for a spreadsheet"),
    ],
    details: [
      "It reads the tables and views that `larder schema` shows, and changes nothing.",
      "NULL is shown as nothing, bytes as hexadecimal digits. Names in double quotes are columns, "
        + "texts stand in single quotes.",
    ], exits: readingExits + [.busy, .interrupted], alsoCalled: ["sql", "select"])

  static let schema = Verb(
    name: .schema, group: .engine, summary: "show the tables a query can read",
    arguments: [Argument(name: "TABLE", count: .optional, help: "a table; all if not given")],
    options: [], globals: reading,
    examples: [
      Example(line: "larder schema", meaning: "the tables and what a row of each is"),
      Example(line: "larder schema NutritionLogs", meaning: "its columns with types and units"),
    ],
    details: ["These tables and columns are promised; all others begin with an underscore."],
    exits: readingExits, alsoCalled: ["tables", "columns"])

  static let rebuild = Verb(
    name: .rebuild, group: .engine, summary: "make the tables again from the events",
    arguments: [
      Argument(name: "NAME", count: .any, help: "a table or projection; all of them if not given")
    ],
    options: [
      OptionRule(.keep, .flag, "keep the old tables, for `larder projection use`"),
      OptionRule(.expect, .text("DIGEST"), "change nothing unless this is what comes out"),
    ], globals: writing + [.verbose, .dryRun],
    examples: [
      Example(line: "larder rebuild", meaning: "every table"),
      Example(
        line: "larder rebuild --dry-run", meaning: "say what would differ, change nothing"),
    ],
    details: [
      "The diary can be read and written while its tables are made again.",
      "Stopped, the same command goes on where it was.",
      "A dry run shows rows added, removed and changed, by column, and the days whose sums would "
        + "move, those that move most first.",
    ], exits: writingExits + [.interrupted],
    alsoCalled: ["reindex", "repair"])

  static let verify = Verb(
    name: .verify, group: .engine, summary: "check every event and table; change nothing",
    arguments: [], options: [OptionRule(.continue, .flag, "go on where the last one was stopped")],
    globals: [.store, .state, .json, .quiet, .verbose, .noInput],
    examples: [
      Example(line: "larder verify", meaning: "events, hashes, and tables against events"),
      Example(line: "larder verify --quiet", meaning: "for scripts: the exit status is the answer"),
    ],
    details: [
      "What a stopped run has checked is remembered, outside of the diary. --continue trusts it "
        + "if nothing was written since."
    ], exits: readingExits + [.interrupted],
    alsoCalled: ["check", "fsck", "test"])

  static let doctor = Verb(
    name: .doctor, group: .engine, summary: "explain what is the matter, and mend it",
    arguments: [], options: [OptionRule(.fix, .flag, "mend what can be mended")],
    globals: writing + [.verbose],
    examples: [
      Example(line: "larder doctor", meaning: "where the diary is and how it is; change nothing"),
      Example(line: "larder doctor --fix", meaning: "mend tables, indexes, leftovers and modes"),
    ],
    details: [
      "Everything `larder verify` finds is explained too.",
      "A diary that was restored or copied goes on under a new life of the device.",
    ],
    exits: writingExits,
    alsoCalled: ["diagnose", "health", "fix"])

  static let version = Verb(
    name: .version, group: .machine, summary: "show the version of Larder",
    arguments: [], options: [], globals: [.json, .noInput],
    examples: [
      Example(line: "larder version", meaning: "one line"),
      Example(line: "larder version --json", meaning: "the same as a document"),
    ],
    details: [], exits: [.done], alsoCalled: ["about"])

  static let help = Verb(
    name: .help, group: .machine, summary: "show how to use Larder or one of its verbs",
    arguments: [Argument(name: "VERB", count: .any, help: "a verb, such as log or meal show")],
    options: [], globals: [.json, .noInput],
    examples: [
      Example(line: "larder help log", meaning: "the page of a verb"),
      Example(line: "larder help --json", meaning: "the whole grammar as a document"),
    ],
    details: [], exits: [.done, .usage], alsoCalled: ["man", "usage"])
}
