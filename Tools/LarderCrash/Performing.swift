// Performs the steps of a scenario and says of each, after the call has returned, what became of
// it: `done STEP AUTHOR:SEQ` is an acknowledgement, `refused STEP CODE` none. A step that is
// refused does not end the scenario, as it does not end an app: the next one is tried.

import Glibc
import LarderHash
import LarderKernel
import LarderStore

/// Performs steps.
final class Performing {
  private let place: Place
  private let isPaced: Bool
  private var opened: Store?
  /// The making of the store that was refused: a person tries it again.
  private var refused: Step?

  /// - Parameter isPaced: whether each step waits for a line of input.
  init(_ place: Place, isPaced: Bool) {
    self.place = place
    self.isPaced = isPaced
  }

  func run(_ steps: [Step]) {
    for step in steps {
      if isPaced, readLine() == nil { return }
      do {
        #if PLANTED_BUG
          // What an app would do that answers before it has written.
          Self.say("done \(step.name)")
          _ = try perform(step)
        #else
          Self.say("done \(step.name) \(try perform(step))")
        #endif
      } catch {
        Self.say("refused \(step.name) \(Self.code(of: error)) \(error)")
      }
    }
  }

  /// Does what a step asks.
  /// - Returns: the last event, or how far it got.
  func perform(_ step: Step) throws -> String {
    switch step.work {
    case .create:
      refused = step
      opened = try place.create(now: step.now)
      refused = nil
      return "-"
    case .append(let operations):
      let seed = BLAKE2b.hash256(Array("seed \(step.name)".utf8))
      let events = try store().append(operations: operations, now: step.now) { seed }
      guard let last = events.last else { throw CrashError("nothing was appended") }
      return "\(last.id.author.hex):\(last.id.seq)"
    case .checkpoint:
      return try store().checkpoint() ? "whole" : "part"
    case .cut:
      return try store().cutLog() ? "whole" : "part"
    case .sign:
      return "\(try store().signFullBlocks())"
    case .other(let operations):
      let seed = BLAKE2b.hash256(Array("other".utf8))
      let other = try place.other.create(now: step.now)
      _ = try other.append(operations: operations, now: step.now) { seed }
      return "-"
    case .receive(let batch, _):
      let batches = try place.other.open().ownBatches(from: 0)
      let results = try store().receive([batches[batch]])
      guard let seqs = results.first?.seqs, let author = results.first?.author else {
        throw CrashError("the batch was refused")
      }
      return "\(author.hex):\(seqs.upperBound - 1)"
    case .rebuild:
      let report = try store().rebuild { _ in true }
      guard report.changedStreamCount == 0,
        report.projections.allSatisfy({ $0.digestBefore == $0.digestAfter })
      else {
        throw CrashError("the rebuild changed \(report.changedStreamCount) streams")
      }
      return report["meals"].digestAfter.hex
    }
  }

  private func store() throws -> Store {
    if let opened { return opened }
    let store: Store
    do {
      store = try place.open()
    } catch let error as StoreError where error.code == .notFound {
      guard let refused else { throw error }
      store = try place.create(now: refused.now)
    }
    opened = store
    return store
  }

  private static func code(of error: any Error) -> String {
    (error as? StoreError)?.code.description ?? "failed"
  }

  /// Says a line at once, whatever happens next.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
