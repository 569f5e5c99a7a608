// What bare `larder` shows where there is no store yet: how to begin.

/// The first page a person sees.
enum BeginningPage {
  /// The page for a store that would be at `store`.
  static func answer(store: Setting<String>) -> Answer {
    let steps = [
      ("larder init", "make the store"),
      ("larder catalog install FILE", "install a food catalog: an Open Food Facts export"),
      ("larder log 'porridge oats=60g'", "record the first meal"),
      ("larder help", "see everything Larder does"),
    ]
    return Answer(
      result: {
        [
          "store": .string(store.value), "store_origin": .string(store.origin.description),
          "exists": false,
          "next": .array(
            steps.map { ["line": .string($0.0), "meaning": .string($0.1)] }),
        ]
      },
      lines: { _ in
        let widest = steps.map { DisplayWidth.of($0.0) }.max() ?? 0
        var lines = [
          StyledText("There is no diary yet at ") + StyledText(store.value, .bold)
            + StyledText(" (\(store.origin.description)).", .dim),
          "", "To begin:",
        ]
        for (line, meaning) in steps {
          let padding = String(repeating: " ", count: widest - DisplayWidth.of(line) + 2)
          lines.append("  " + StyledText(line, .cyan) + StyledText(padding + meaning))
        }
        return lines
      })
  }
}
