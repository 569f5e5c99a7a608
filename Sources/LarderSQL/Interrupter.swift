// Stops a running statement from another thread.

import CSQLite
import Synchronization

/// A handle that stops whatever its connection is doing; harmless once the connection is closed.
package final class Interrupter: Sendable {
  // The connection's address as a number, nil when it is closed. Kept under a lock because
  // `sqlite3_interrupt` may be called from any thread, but only while the connection is open.
  private let address: Mutex<UInt?>

  init(_ database: OpaquePointer) {
    address = Mutex(UInt(bitPattern: database))
  }

  /// Makes statements that are running now fail with `interrupted`. A write among them rolls its
  /// whole transaction back. Later statements are not touched.
  package func interrupt() {
    address.withLock { address in
      guard let address else { return }
      // The owner calls `invalidate` before it closes, and that waits for this lock: the address
      // is an open connection's.
      unsafe sqlite3_interrupt(OpaquePointer(bitPattern: address))
    }
  }

  /// Forgets the connection, which is about to close.
  func invalidate() {
    address.withLock { $0 = nil }
  }
}
