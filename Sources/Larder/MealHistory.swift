// What an app holds: one actor for a store. It writes through one connection and reads through
// another, both its own; nothing suspends inside a transaction.

internal import LarderCrypto
package import LarderHash

/// Where a history is kept.
public struct StoreLocation: Hashable, Sendable {
  /// The store's folder.
  public let folder: String
  /// The folder for what must stay on this machine, outside the store.
  public let state: String

  /// A store in `folder`, its state in `state`.
  public init(folder: String, state: String) {
    self.folder = folder
    self.state = state
  }

  package var paths: StorePaths { StorePaths(folder: folder) }
}

/// A meal that was logged: what the events made of it.
public struct LoggedMeal: Hashable, Sendable {
  /// The meal's stream.
  public let stream: StreamID
  /// The items, in order.
  public let items: [ItemID]
  /// The events, in order; the first is the operation's identity.
  public let events: [EventID]
}

/// A person's meal history on this device.
public actor MealHistory {
  /// Where it is kept.
  public nonisolated let location: StoreLocation
  /// The kinds it reads.
  public nonisolated let schema: Schema
  let platform: Platform
  let reader: StoreReader
  nonisolated let waitMilliseconds: Int
  private let progress: @Sendable (WorkProgress) -> Bool
  private var openedStore: Store?
  private let executor = QueueExecutor()
  /// Who waits for the next write.
  private var writeWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var waiterCount = 0

  /// The actor runs on a queue of its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // The executor is a property, so it lives as long as the actor.
    unsafe executor.asUnownedSerialExecutor()
  }

  private init(
    _ location: StoreLocation, schema: Schema, waitMilliseconds: Int, platform: Platform,
    progress: @escaping @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) {
    self.progress = progress
    self.location = location
    self.schema = schema
    self.waitMilliseconds = waitMilliseconds
    self.platform = platform
    reader = try StoreReader(
      at: location.paths, schema: schema, waitMilliseconds: waitMilliseconds)
  }

  /// Opens the history at `location`.
  /// - Parameters:
  ///   - location: where it is.
  ///   - schema: the kinds this build reads.
  ///   - waitMilliseconds: how long a write waits for another writer.
  ///   - platform: the clock and the randomness; the machine's unless a test gives its own.
  ///   - progress: called while tables are made that another version of this build, or none, has
  ///     made: the first write waits for them. False stops; the next write goes on.
  /// - Throws: `notFound` if there is none, `unsupportedVersion`, `corrupt`, `denied`, `ioFailure`.
  public static func open(
    at location: StoreLocation, schema: Schema, waitMilliseconds: Int,
    platform: Platform = .system,
    progress: @escaping @Sendable (WorkProgress) -> Bool = { _ in true }
  ) async throws(StoreError) -> MealHistory {
    try MealHistory(
      location, schema: schema, waitMilliseconds: waitMilliseconds, platform: platform,
      progress: progress)
  }

  /// Makes a history at `location`, with a fresh key for this device, and opens it.
  /// - Throws: `exists` if there is one, `denied`, `full`, `busy`, `ioFailure`.
  public static func create(
    at location: StoreLocation, deviceName: String, schema: Schema, waitMilliseconds: Int,
    platform: Platform = .system
  ) async throws(StoreError) -> MealHistory {
    let key = AuthorSecretKey.generate()
    _ = try Store.create(
      at: location.paths, deviceName: deviceName, key: key, now: platform.now(),
      settings: settings(location, schema, waitMilliseconds, platform))
    return try MealHistory(
      location, schema: schema, waitMilliseconds: waitMilliseconds, platform: platform,
      progress: { _ in true })
  }

  /// The writer, opened at the first write.
  func store() throws(StoreError) -> Store {
    if let openedStore { return openedStore }
    var settings = Self.settings(location, schema, waitMilliseconds, platform)
    settings.progress = progress
    let store = try Store(at: location.paths, settings: settings)
    openedStore = store
    return store
  }

  private static func settings(
    _ location: StoreLocation, _ schema: Schema, _ waitMilliseconds: Int,
    _ platform: Platform
  ) -> Store.Settings {
    Store.Settings(
      schema: schema, waitMilliseconds: waitMilliseconds, holder: platform.holder,
      state: state(location, platform))
  }

  private static func state(_ location: StoreLocation, _ platform: Platform) -> Store.State {
    Store.State(
      folder: location.state, machine: platform.machine(), elapsed: platform.elapsed)
  }

  /// What was noticed while writing about where the store is: moved, restored, copied.
  package var identityNotices: [IdentityNotice] { openedStore?.notices ?? [] }

  // MARK: Writing

  /// Logs a meal: one operation, durable on return.
  ///
  /// With a `captureID` whose meal is in this store, nothing is written and that meal is returned.
  /// Logged on two devices that have not met, it becomes one meal when they do.
  /// - Throws: `invalidEvent` for a value no reader would accept, `limitExceeded`, `busy`, `full`,
  ///   `corrupt`, `ioFailure`; then nothing was written.
  public func log(_ capture: Capture) throws(StoreError) -> LoggedMeal {
    let stream =
      capture.captureID.map { StreamID(shared: .capture, key: $0) }
      ?? StreamID(milliseconds: platform.now(), random: platform.random16())
    if capture.captureID != nil, let known = try logged(stream) { return known }
    let items = capture.added { ItemID(platform.random16().high) }
    var events = [try NewEvent(capture.captured, in: stream)]
    for item in items { events.append(try NewEvent(item, in: stream)) }
    let written = try append(events)
    return LoggedMeal(stream: stream, items: items.map(\.item), events: written)
  }

  /// The meal of a stream that has a capture already.
  private func logged(_ stream: StreamID) throws(StoreError) -> LoggedMeal? {
    let events = try reader.events(of: stream)
    guard events.contains(where: { $0.header.kind == .mealCaptured }) else { return nil }
    let rows = MealFold.rows(of: stream, events: events, schema: schema.events)
    return LoggedMeal(stream: stream, items: rows.logs.map(\.item), events: events.map(\.id))
  }

  /// Deletes a meal; a `MealRestored` brings it back.
  /// - Parameters:
  ///   - stream: the meal.
  ///   - items: whether its items stay in the diary.
  /// - Returns: the event.
  /// - Throws: `notFound` if there is no such meal in the diary; as ``log(_:)``.
  public func delete(_ stream: StreamID, items: MealDeleted.Items) throws(StoreError) -> EventID {
    guard try reader.meal(stream)?.entry != nil else {
      throw StoreError(.notFound, operation: "delete meal", subject: stream.hex)
    }
    let written = try append([try NewEvent(MealDeleted(items: items), in: stream)])
    guard let event = written.first else {
      throw StoreError(.corrupt, operation: "delete meal", subject: "nothing was written")
    }
    return event
  }

  /// A stream for something new: a template, an own food, whatever an app keeps.
  public func newStream() -> StreamID {
    StreamID(milliseconds: platform.now(), random: platform.random16())
  }

  /// Records an event; durable on return.
  /// - Parameters:
  ///   - payload: of a kind of Larder's or of the app's own.
  ///   - stream: what it is about: one ``newStream()`` gave, or a shared one.
  /// - Returns: the event.
  /// - Throws: `invalidEvent` for a value no reader would accept, `closedStream` where a newer
  ///   build has said something this one must not touch; as ``log(_:)``.
  public func record<Payload: EventPayload>(
    _ payload: Payload, in stream: StreamID
  ) throws(StoreError) -> EventID {
    let written = try append([try NewEvent(payload, in: stream)])
    guard let event = written.last else {
      throw StoreError(.corrupt, operation: "record event", subject: "nothing was written")
    }
    return event
  }

  /// Sets when days begin, `minute` minutes after midnight, from the civil day `day` on; days
  /// before stay as they are.
  /// - Throws: `invalidEvent` for a minute that is none of a day; as ``log(_:)``.
  public func setDayStart(_ minute: UInt16, from day: CivilDay) throws(StoreError) -> EventID {
    try record(
      DayStartChanged(fromDay: day, startMinute: minute),
      in: StreamID(shared: .setting, key: "dayStart"))
  }

  private func append(_ events: [NewEvent]) throws(StoreError) -> [EventID] {
    let store = try store()
    let random = platform.random32
    let written = try store.append(events, now: platform.now()) { random() }.map(\.id)
    for waiter in writeWaiters.values { waiter.resume() }
    writeWaiters.removeAll()
    return written
  }

  /// Waits for the next write, or until the task is cancelled.
  func nextWrite() async {
    waiterCount += 1
    let number = waiterCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { writeWaiters[number] = continuation }
      }
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func stopWaiting(_ number: Int) {
    writeWaiters.removeValue(forKey: number)?.resume()
  }

  /// The write-ahead log's size from which a checkpoint is worth its time, in bytes.
  private static let checkpointByteCount = 4 << 20
  /// The size from which it is cut: where checkpoints do not keep it short, because processes end
  /// before the next write, or somebody was reading.
  private static let cutByteCount = 2 * checkpointByteCount

  /// Signs blocks that were filled, and moves the write-ahead log into the database if it has
  /// grown; a step after the answer. Another writer in between is no error: it will do it.
  /// - Parameter isLast: nothing more will be written soon, so that even a little is moved, and the
  ///   log's file cut to nothing unless somebody reads in it.
  public func tidy(isLast: Bool) throws(StoreError) {
    guard let openedStore else { return }
    do throws(StoreError) {
      if openedStore.hasUnsignedBlock { try openedStore.signFullBlocks() }
      if isLast { try openedStore.synchronizeHead() }
      if isLast || openedStore.walByteCount >= Self.cutByteCount {
        try openedStore.cutLog()
      } else if openedStore.walByteCount >= Self.checkpointByteCount {
        try openedStore.checkpoint()
      }
    } catch {
      if error.code != .busy { throw error }
    }
  }

  // MARK: Reading

  /// The device that writes here: its author and name.
  public func device() throws(StoreError) -> (author: AuthorID, name: String) {
    let device = try reader.device()
    return (device.author, device.name)
  }

  /// A day of the diary.
  public func day(_ day: CivilDay) throws(StoreError) -> DiaryDay {
    try reader.day(day)
  }

  /// When days begin.
  public func dayStarts() throws(StoreError) -> DayStartPolicy { try reader.dayStarts() }

  /// The day of the diary a moment is on.
  public func diaryDay(of moment: Moment) throws(StoreError) -> CivilDay {
    try dayStarts().diaryDay(of: moment.day, minute: moment.minuteOfDay)
  }

  /// A meal, or items that belong to none; nil if the stream has no rows.
  public func meal(_ stream: StreamID) throws(StoreError) -> DiaryMeal? {
    try reader.meal(stream)
  }

  /// The events behind a meal, in their total order.
  public func events(of stream: StreamID) throws(StoreError) -> [Event] {
    try reader.events(of: stream)
  }

  /// The days of a range that have anything, with what they have.
  public func days(from first: CivilDay, to last: CivilDay) throws(StoreError) -> [DiaryDay] {
    try reader.days(from: first, to: last)
  }

  /// What a meal's events fold to, full nutrient numbers included.
  public func rows(of stream: StreamID) throws(StoreError) -> MealRows {
    MealFold.rows(
      of: stream, events: try reader.events(of: stream), schema: schema.events)
  }

  /// Meals and items whose identifiers begin or end with some hexadecimal digits.
  package func matches(_ digits: String, limit: Int) throws(StoreError) -> [DigitMatch] {
    try reader.matches(digits, limit: limit)
  }

  /// The meal this device recorded last, deleted or not.
  public func lastCapture() throws(StoreError) -> StreamID? {
    try reader.lastCapture()
  }

  /// The authors this device has been, the first one first.
  package func incarnations() throws(StoreError) -> [StoreReader.Life] {
    try reader.incarnations()
  }

  /// The authors whose events are here and who are not this device.
  package func others() throws(StoreError) -> [StoreReader.Other] {
    try reader.others()
  }

  /// The events that are here and were not when `position` was read, in the total order among
  /// themselves.
  /// - Parameter body: called with each; false stops.
  /// - Returns: the position behind the last event that was given.
  package func events(
    after position: LogPosition, _ body: @Sendable (Event) -> Bool
  ) throws(StoreError) -> LogPosition {
    try reader.events(after: position) { (event) throws(StoreError) in body(event) }
  }

  /// The kinds of events that are here and that this build does not understand.
  package func unfoldedKinds() throws(StoreError) -> [String] {
    try reader.unfoldedKinds()
  }

  /// Whether anybody else has written since this was asked last; true the first time.
  package func hasChanged() throws(StoreError) -> Bool {
    try reader.hasChanged()
  }

  // MARK: Upkeep

  /// What ``rebuild(progress:)`` would change; changes nothing.
  package func compareWithFold(
    progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) -> (report: RebuildReport, differences: RowDifferences) {
    try reader.compareWithFold(progress: progress)
  }

  /// Folds everything again into fresh tables, through the same fold, and swaps them in. A log that
  /// is not what was written is not folded: the rows there may be the last good copy.
  /// - Parameters:
  ///   - names: the projections; nil for all of this build.
  ///   - isKept: whether the old tables stay, to be taken back.
  ///   - expected: the digest the only projection must have afterwards; nil for any.
  ///   - progress: called after each chunk with how much is done of how much; false stops.
  package func rebuild(
    _ names: [String]? = nil, isKept: Bool = false, expecting expected: Bytes16? = nil,
    progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) -> RebuildReport {
    if let problem = try reader.verifyLog().first {
      throw StoreError(
        .corrupt, operation: "rebuild", subject: "\(problem.code), \(problem.subject)")
    }
    return try store().rebuild(
      names, isKept: isKept, expecting: expected, progress: progress)
  }

  /// The generations of all projections that are here.
  package func projections() throws(StoreError) -> [ProjectionState] {
    try reader.projectionList()
  }

  /// Makes tables that were kept live again.
  package func takeBack(
    _ name: String, version: Int64?, progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) -> ProjectionState {
    try store().takeBack(name, version: version, progress: progress)
  }

  /// Removes tables that were kept, or those of a projection this build does not have.
  package func dropProjection(_ name: String, version: Int64?) throws(StoreError) {
    try store().dropProjection(name, version: version)
  }

  /// Everything worth knowing about the store, verifying included; changes nothing.
  package func examine(
    progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) -> [ExaminationFinding] {
    let container = Platform.environment("container")
    let kinds = try reader.examine(
      state: Self.state(location, platform), container: container, now: platform.now())
    let problems = try reader.verify(
      state: Self.state(location, platform), progress: progress
    ).problems
    // The key is looked at by both.
    let others = problems.filter { $0.code != "keyMissing" }
    let isLogSound = ExaminationFinding.isLogSound(problems)
    return (kinds + others.map(ExaminationFinding.Kind.integrity)).map {
      ExaminationFinding(kind: $0, isLogSound: isLogSound)
    }
  }

  /// Mends what can be mended of what ``examine(progress:)`` found.
  package func mend(
    _ findings: [ExaminationFinding], progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) {
    do throws(StoreError) {
      try store().mend(findings.map(\.kind), progress: progress)
    } catch {
      // What is left is found again, and explained.
      if error.code != .corrupt { throw error }
    }
  }

  /// Recomputes every leaf, root and row; changes nothing of the store. Where it is stopped, by
  /// force too, what was checked is remembered in the state folder.
  /// - Parameters:
  ///   - continuing: whether to go on where the last call was stopped, if nothing has changed
  ///     since.
  ///   - progress: called now and then with how much is done of how much; false stops.
  /// - Throws: `interrupted` when `progress` stopped it; `corrupt`, `ioFailure`.
  package func verify(
    continuing: Bool = false, progress: @Sendable (WorkProgress) -> Bool
  ) throws(StoreError) -> VerificationReport {
    // Without a device, which is one of the findings, nothing is remembered.
    let device = try? reader.device()
    let file = device.map { VerificationFile(stateFolder: location.state, author: $0.author) }
    var latest: VerificationPoint?
    var keptAt = platform.elapsed()
    do throws(StoreError) {
      let report = try reader.verify(
        state: Self.state(location, platform), from: continuing ? file?.read() : nil,
        keeping: { point in
          latest = point
          guard platform.elapsed() - keptAt >= Self.verificationKeptMilliseconds else { return }
          keptAt = platform.elapsed()
          Self.keep(point, in: file)
        }, progress: progress)
      Self.keep(nil, in: file)
      return report
    } catch {
      if error.code == .interrupted, let latest { Self.keep(latest, in: file) }
      throw error
    }
  }

  /// How old what is remembered of a verification that runs may be, in milliseconds.
  private static let verificationKeptMilliseconds: Int64 = 1000

  private static func keep(_ point: VerificationPoint?, in file: VerificationFile?) {
    guard let file else { return }
    do throws(StoreError) {
      if let point { try file.write(point) } else { try file.remove() }
    } catch {
      // A folder that cannot be written is no reason not to verify: the next time begins anew.
    }
  }
}
