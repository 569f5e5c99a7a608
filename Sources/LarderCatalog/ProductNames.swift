// One product, many names: one a language, and a rule for which to show.

import LarderKernel

/// Names by language.
public struct ProductNames: Hashable, Sendable {
  /// A name and its language.
  public struct Element: Hashable, Sendable {
    /// The language, a BCP 47 tag in lower case such as `fr`; empty where the source does not say.
    public let language: String
    /// The name as it was given.
    public let name: String
  }

  /// The names, languages in bytewise order of their encoding, each once.
  public let elements: [Element]

  /// The names of a dictionary from language to name.
  public init(_ names: [String: String] = [:]) {
    elements = names.map(Element.init).sorted { Self.precedes($0.language, $1.language) }
  }

  /// Whether there is none.
  public var isEmpty: Bool { elements.isEmpty }

  /// The name in exactly this language.
  public subscript(language: String) -> String? {
    elements.first { $0.language == language }?.name
  }

  /// The name to show: the first of `languages` there is one for (`de-at`, then `de`), else
  /// English, else the product's main language, else any.
  public func preferred(_ languages: [String], main: String) -> Element? {
    let asked = languages.map { $0.lowercased() }.flatMap { language in
      [language] + (language.firstIndex(of: "-").map { [String(language[..<$0])] } ?? [])
    }
    for language in asked + ["en", main] {
      if let element = elements.first(where: { $0.language == language }) { return element }
    }
    return elements.first
  }

  /// As a CBOR map from language to name.
  func encode(into writer: inout CBORWriter) {
    writer.beginMap(count: elements.count)
    for element in elements {
      writer.append(text: element.language)
      writer.append(text: element.name)
    }
  }

  /// From a CBOR map as `encode` writes it.
  init(from bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader()
    let count = try reader.mapCount(in: bytes)
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count {
      let language = try reader.text(in: bytes)
      elements.append(Element(language: language, name: try reader.text(in: bytes)))
    }
    try reader.finish(in: bytes)
    self.elements = elements
  }

  /// Bytewise order of the encodings: shorter ones first.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.count != right.utf8.count
      ? left.utf8.count < right.utf8.count : left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
