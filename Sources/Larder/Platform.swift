// The platform file: the only place that reads a clock, draws random numbers, or looks at the
// environment of the process. Everything else is given values.

internal import Glibc
internal import LarderCrypto
package import LarderHash
internal import LarderStore

/// What a history needs of the machine; tests give their own.
public struct Platform: Sendable {
  /// The physical clock, in milliseconds since 1970.
  public var now: @Sendable () -> Int64
  /// A clock that only goes forward, in milliseconds.
  package var elapsed: @Sendable () -> Int64
  /// What tells this machine from others.
  package var machine: @Sendable () -> Bytes16
  package var random16: @Sendable () -> Bytes16
  package var random32: @Sendable () -> Bytes32
  /// Who holds the writers' lock while this process writes: its name and number.
  public var holder: String

  /// The machine this process runs on.
  public static let system = Platform(
    now: { milliseconds(of: CLOCK_REALTIME) }, elapsed: { milliseconds(of: CLOCK_MONOTONIC) },
    machine: { MachineIdentity.read(hostName: hostName()) }, random16: { SecureRandom.bytes16() },
    random32: { SecureRandom.bytes32() }, holder: "\(processName()) (process \(getpid()))")

  /// The machine's name for itself, `device` if it has none.
  public static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let name = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "device" : name
  }

  /// An environment variable; nil if it is not set.
  public static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Where a symbolic link leads; nil if it is none.
  static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func processName() -> String {
    let path = linkTarget("/proc/self/exe") ?? "larder"
    return String(path.split(separator: "/").last ?? "larder")
  }
}
