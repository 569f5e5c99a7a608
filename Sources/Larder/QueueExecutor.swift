// Runs the one actor on a queue of its own, so that blocking I/O never sits on the shared threads.
// (DispatchSerialQueue, which would be its own executor, does not exist on Linux.)

internal import Dispatch

final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "larder.history")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The executor outlives its jobs: the actor that owns it is kept by each of them.
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
