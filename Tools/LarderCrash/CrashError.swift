/// What stopped the driver, in words.
struct CrashError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
