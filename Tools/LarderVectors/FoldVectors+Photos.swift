// Photos in a fold, and what a reader cannot read.

import LarderHash
import LarderKernel

extension FoldVectors {
  static let photos: [Scenario] = [
    (
      "cover_first", "the first photo is the cover",
      { s in
        try begin(&s)
        try s.add(
          PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(2, .webp), role: .plate))
        try s.add(PhotoAttached(photo: Fixed.image(3, .heic), preview: nil, role: .label))
      }
    ),
    (
      "cover_chosen", "the chosen photo is the cover, though chosen before it was attached",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(2), role: .plate))
        try s.add(MealChanged(cover: .set(Fixed.image(3).address)))
        try s.add(PhotoAttached(photo: Fixed.image(3, .png), preview: nil, role: .label))
      }
    ),
    (
      "cover_detached", "a chosen photo taken off makes the first one the cover",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(2), role: .plate))
        try s.add(PhotoAttached(photo: Fixed.image(3), preview: nil, role: .label))
        try s.add(MealChanged(cover: .set(Fixed.image(3).address)))
        try s.add(PhotoDetached(photo: Fixed.image(3).address), by: FoldStream.tablet)
      }
    ),
    (
      "photo_reduced", "a photo given up shows its preview",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(2), role: .plate))
        try s.add(PhotoReduced(photo: Fixed.image(1).address))
      }
    ),
    (
      "photo_reduced_bare", "a photo without a preview cannot be given up, later neither",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: nil, role: .plate))
        try s.add(PhotoReduced(photo: Fixed.image(1).address))
        try s.add(PreviewReplaced(photo: Fixed.image(1).address, preview: Fixed.image(2)))
      }
    ),
    (
      "photo_attached_again", "a photo attached again is whole again",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(2), role: .plate))
        try s.add(PhotoReduced(photo: Fixed.image(1).address))
        try s.add(
          PhotoAttached(photo: Fixed.image(1), preview: Fixed.image(3), role: .plate),
          by: FoldStream.tablet)
      }
    ),
    (
      "preview_replaced", "another preview, and one for a photo there is not",
      { s in
        try begin(&s)
        try s.add(PhotoAttached(photo: Fixed.image(1), preview: nil, role: .plate))
        try s.add(PreviewReplaced(photo: Fixed.image(1).address, preview: Fixed.image(2, .png)))
        try s.add(PreviewReplaced(photo: Fixed.image(9).address, preview: Fixed.image(3)))
      }
    ),
  ]

  static let readers: [Scenario] = [
    (
      "same_clock", "at one reading of the clock the author decides, then the seq",
      { s in
        try begin(&s)
        for (title, author) in [
          ("a", FoldStream.tablet), ("b", FoldStream.phone), ("c", FoldStream.tablet),
        ] {
          let change = MealChanged(title: .set(title))
          try s.add(.mealChanged, change.bytes, by: author, sameClock: true)
        }
      }
    ),
    (
      "fork", "two events of one author and seq both count",
      { s in
        try begin(&s)
        var other = s
        try s.add(try added(2, "one"))
        try other.add(try added(3, "other"))
        s.join(other)
      }
    ),
    (
      "erased", "an erased payload is absent",
      { s in
        try begin(&s)
        try s.add(MealChanged(title: .set("secret")))
        s.erase(2)
      }
    ),
    (
      "erased_beside_copy", "an erased payload is absent though a copy is not erased",
      { s in
        try begin(&s)
        try s.add(MealChanged(title: .set("secret")))
        s.erase(2, keepingCopy: true)
      }
    ),
    (
      "unknown_kind", "a kind no reader knows changes nothing",
      { s in
        try begin(&s)
        try s.add(
          try constant(EventKind("example.app/MealTagged"), "kind"), [0xa1, 0x00, 0x00])
      }
    ),
    (
      "unknown_critical_kind", "a critical kind no reader knows closes the stream to writing",
      { s in
        try begin(&s)
        try s.add(try constant(EventKind("MealMerged"), "kind"), [0xa0], flags: .critical)
      }
    ),
    (
      "newer_version", "a newer version of a kind waits for a newer reader",
      { s in
        try begin(&s)
        try s.add(.mealChanged, MealChanged(title: .set("new")).bytes, version: 2)
      }
    ),
    (
      "set_aside", "payloads that cannot be read are set aside, the rest goes on",
      { s in
        try s.add(.mealCaptured, [0xa1, 0x00, 0x00])
        try begin(&s)
        try s.add(.itemChanged, [0xbf, 0xff], by: FoldStream.tablet)
        try s.add(.dataSent, [0xff])
        try s.add(try added(2, "Milk"))
      }
    ),
    (
      "duplicate", "an event that arrived twice counts once",
      { s in
        try begin(&s)
        try s.add(try added(2, "Milk"))
        s.repeatLast()
      }
    ),
  ]
}
