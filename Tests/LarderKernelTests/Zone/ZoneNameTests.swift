import LarderKernel
import Testing

@Suite("ZoneName")
struct ZoneNameTests {
  @Test(
    "takes the names of the database",
    arguments: [
      "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Etc/GMT-1",
      "America/Port-au-Prince", "EST5EDT", "x", String(repeating: "a", count: 64),
    ])
  func accepted(name: String) throws {
    let zone = try #require(ZoneName(name))
    #expect(zone.rawValue == name)
    #expect("\(zone)" == name)
  }

  @Test(
    "refuses what could leave a folder or is no name",
    arguments: [
      "", "/", "/etc/passwd", "Europe/", "Europe//Berlin", "..", "../x", "Europe/../x", "a/./b",
      ".",
      "a.b", "a b", "a\u{0}b", "a\\b", "Europe\u{2044}Berlin", "Z\u{fc}rich", "a:b", "~a", "a\n",
      String(repeating: "a", count: 65),
    ])
  func refused(name: String) {
    #expect(ZoneName(name) == nil)
  }
}
