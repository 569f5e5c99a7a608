// Watching a day: as a sequence, and as an object for views. Whoever writes, here or in another
// process, is noticed.

public import Observation

extension MealHistory {
  /// How long a change by another process may go unnoticed, in milliseconds: SQLite tells nobody.
  private static let observedMilliseconds = 200

  /// A day of the diary, at once and whenever it has changed. What is not taken in time is replaced
  /// by what is newer. It ends with the task that waits for it, or with what reading throws.
  public nonisolated func observe(_ day: CivilDay) -> AsyncThrowingStream<DiaryDay, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          for try await found in DayChanges(history: self, day: day) { continuation.yield(found) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The day, if the database is not in the state `version` any more.
  fileprivate func day(
    _ day: CivilDay, unlessAt version: Int64?
  ) throws(StoreError) -> (version: Int64, day: DiaryDay?) {
    let current = try reader.dataVersion()
    if current == version { return (current, nil) }
    return (current, try reader.day(day))
  }

  /// Waits for a write by this history, but no longer than others may go unnoticed.
  fileprivate nonisolated func nextChange() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.nextWrite() }
      group.addTask { try? await Task.sleep(for: .milliseconds(Self.observedMilliseconds)) }
      await group.next()
      group.cancelAll()
    }
  }
}

/// The states of a day, each unlike the one before.
private struct DayChanges: AsyncSequence, AsyncIteratorProtocol {
  let history: MealHistory
  let day: CivilDay
  private var version: Int64?
  private var last: DiaryDay?

  init(history: MealHistory, day: CivilDay) {
    self.history = history
    self.day = day
  }

  func makeAsyncIterator() -> DayChanges { self }

  mutating func next() async throws -> DiaryDay? {
    while !Task.isCancelled {
      let (current, found) = try await history.day(day, unlessAt: version)
      version = current
      if let found, found != last {
        last = found
        return found
      }
      await history.nextChange()
    }
    return nil
  }
}

/// A day of the diary that changes as it is written, for views.
@MainActor
@Observable
public final class ObservedDay {
  /// The day.
  public let day: CivilDay
  /// What it has now; nil until it was read first.
  public private(set) var content: DiaryDay?
  /// Why it is not watched any more; nil while it is.
  public private(set) var failure: StoreError?
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Watches `day` until this object is gone.
  public init(_ day: CivilDay, in history: MealHistory) {
    self.day = day
    task = Task { [weak self] in
      do {
        for try await content in history.observe(day) {
          guard let self else { return }
          self.content = content
        }
      } catch {
        self?.failure = error as? StoreError
      }
    }
  }

  isolated deinit { task?.cancel() }
}
