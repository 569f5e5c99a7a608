// One line for a person: runs of text with a style. Every run is made inert when it is created, so
// no stored text reaches a terminal in any other way.

/// One line of output, its text inert.
struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation
{
  /// How a run looks where colour is on.
  enum Style: String, Hashable, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// Text of one style.
  struct Run: Hashable, Sendable {
    /// Inert text.
    fileprivate(set) var text: String
    /// Its style.
    let style: Style
  }

  /// The runs, in order, none empty.
  private(set) var runs: [Run]

  /// One run of `text`, made inert.
  init(_ text: String, _ style: Style = .plain) {
    runs = text.isEmpty ? [] : [Run(text: InertText.line(text), style: style)]
  }

  /// One plain run.
  init(stringLiteral value: String) { self.init(value) }

  /// The columns it takes.
  var width: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  /// The text without styles.
  var plain: String { runs.reduce(into: "") { $0 += $1.text } }

  /// Whether nothing is shown.
  var isEmpty: Bool { runs.isEmpty }

  /// Both lines as one.
  static func + (left: StyledText, right: StyledText) -> StyledText {
    var result = left
    result.runs += right.runs
    return result
  }

  /// Appends a line.
  static func += (left: inout StyledText, right: StyledText) { left.runs += right.runs }

  /// The line without the spaces at its end.
  func trimmingTrailingSpaces() -> StyledText {
    var result = self
    while var last = result.runs.popLast() {
      while last.text.last == " " { last.text.removeLast() }
      guard last.text.isEmpty else {
        result.runs.append(last)
        break
      }
    }
    return result
  }

  /// The line, or its beginning with an ellipsis, in at most `width` columns.
  func truncated(to width: Int) -> StyledText {
    guard self.width > width else { return self }
    var result = self
    result.runs = []
    var left = width
    for run in runs {
      let taken = DisplayWidth.of(run.text)
      // The cut falls into the first run after which the ellipsis would no longer fit.
      guard taken > left - 1 else {
        result.runs.append(run)
        left -= taken
        continue
      }
      var text = DisplayWidth.truncated(run.text, to: left)
      if text == run.text { text = DisplayWidth.truncated(run.text + "  ", to: left) }
      if !text.isEmpty { result.runs.append(Run(text: text, style: run.style)) }
      break
    }
    return result
  }

  /// The line in lines of at most `width` columns, broken and counted as `TextWrap` does. Those
  /// that follow are indented as it is, up to half the width.
  func wrapped(to width: Int) -> [StyledText] {
    guard self.width > width else { return [self] }
    let indent = String(repeating: " ", count: min(plain.prefix { $0 == " " }.count, width / 2))
    var left = runs.flatMap { run in run.text.map { ($0, run.style) } }[...]
    return TextWrap.lines(plain, width: width - indent.count).map { text in
      var line = StyledText(indent)
      for character in text {
        // Wrapping loses spaces and nothing else.
        while character != " ", left.first?.0 == " " { left.removeFirst() }
        let style = left.popFirst()?.1 ?? .plain
        if line.runs.last?.style == style {
          line.runs[line.runs.count - 1].text.append(character)
        } else {
          line.runs.append(Run(text: String(character), style: style))
        }
      }
      return line
    }
  }

  /// The characters to write: with colour codes if `isColoured`, and each right-to-left run kept
  /// from reordering its neighbours if `isIsolated`.
  func rendered(isColoured: Bool, isIsolated: Bool) -> String {
    var text = ""
    for run in runs {
      let isRightToLeft = isIsolated && DisplayWidth.isRightToLeft(run.text)
      let content = isRightToLeft ? "\u{2068}\(run.text)\u{2069}" : run.text
      let hasStyle = isColoured && run.style != .plain
      text += hasStyle ? "\u{1B}[\(run.style.rawValue)m\(content)\u{1B}[0m" : content
    }
    return text
  }
}
