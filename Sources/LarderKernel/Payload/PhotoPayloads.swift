// What happens to the photos of a meal. SPEC.md, "Kinds"; Schemas/Events/PhotoAttached.cddl.

/// What a photo shows.
public enum PhotoRole: UInt8, Sendable, CaseIterable {
  case plate = 0
  case label = 1
  case depth = 2
  case other = 3

  /// The name in tables and output.
  public var name: String { String(describing: self) }
}

/// A stored picture: its address, size in bytes, upright size in pixels, and media type.
public struct StoredImage: Hashable, Sendable {
  /// The address.
  public var address: BlobAddress
  /// 1…2⁴⁰ bytes.
  public var byteCount: Int64
  /// Pixels, turned upright, 1…65,535.
  public var width: UInt16
  /// Pixels, turned upright, 1…65,535.
  public var height: UInt16
  /// The kind of bytes.
  public var mediaType: MediaType

  /// A picture.
  public init(
    address: BlobAddress, byteCount: Int64, width: UInt16, height: UInt16, mediaType: MediaType
  ) {
    self.address = address
    self.byteCount = byteCount
    self.width = width
    self.height = height
    self.mediaType = mediaType
  }

  /// The file's path below the store.
  public var path: String { address.path(mediaType: mediaType) }

  func append(to writer: inout CBORWriter) {
    writer.beginArray(count: 5)
    writer.append(address.bytes)
    writer.append(integer: byteCount)
    writer.append(unsigned: UInt64(width))
    writer.append(unsigned: UInt64(height))
    writer.append(unsigned: UInt64(mediaType.rawValue))
  }
}

extension PayloadReader {
  /// A picture: an array of address, byte count, width, height, media type.
  mutating func image(in bytes: Span<UInt8>) throws(KernelError) -> StoredImage {
    try beginArray(count: 5, in: bytes)
    let address = try address(in: bytes)
    let byteCount = try integer(within: 1...(1 << 40), in: bytes)
    let width = try integer(within: 1...65_535, in: bytes)
    let height = try integer(within: 1...65_535, in: bytes)
    return StoredImage(
      address: address, byteCount: byteCount, width: UInt16(width), height: UInt16(height),
      mediaType: try choice(MediaType.self, in: bytes))
  }
}

/// A photo was attached; its bytes were durable before this event was.
public struct PhotoAttached: EventPayload {
  /// The kind.
  public static let kind = EventKind.photoAttached

  /// The photo.
  public var photo: StoredImage
  /// Its downscaled preview.
  public var preview: StoredImage?
  /// What it shows.
  public var role: PhotoRole
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// An attachment.
  public init(photo: StoredImage, preview: StoredImage?, role: PhotoRole, by: String? = nil) {
    self.photo = photo
    self.preview = preview
    self.role = role
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0) { photo.append(to: &$0) }
    if let preview { writer.field(1) { preview.append(to: &$0) } }
    writer.field(2, unsigned: UInt64(role.rawValue))
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var photo: StoredImage?
    var role: PhotoRole?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: photo = try reader.image(in: bytes)
      case 1: preview = try reader.image(in: bytes)
      case 2: role = try reader.choice(PhotoRole.self, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.photo = try reader.require(photo, field: 0)
    self.role = try reader.require(role, field: 2)
  }
}

/// A photo was taken off the meal.
public struct PhotoDetached: EventPayload {
  /// The kind.
  public static let kind = EventKind.photoDetached

  /// The photo.
  public var photo: BlobAddress
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A detachment.
  public init(photo: BlobAddress, by: String? = nil) {
    self.photo = photo
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, bytes32: photo.bytes)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    (photo, by) = try Self.photoAndLabel(bytes, kind: Self.kind)
  }

  /// The two fields of the kinds that only name a photo.
  static func photoAndLabel(
    _ bytes: Span<UInt8>, kind: EventKind
  ) throws(KernelError) -> (BlobAddress, String?) {
    var reader = try PayloadReader(bytes, kind: kind)
    var photo: BlobAddress?
    var by: String?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: photo = try reader.address(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    return (try reader.require(photo, field: 0), by)
  }
}

/// The full-size photo was given up; its preview stays.
public struct PhotoReduced: EventPayload {
  /// The kind.
  public static let kind = EventKind.photoReduced

  /// The photo.
  public var photo: BlobAddress
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A reduction.
  public init(photo: BlobAddress, by: String? = nil) {
    self.photo = photo
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, bytes32: photo.bytes)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    (photo, by) = try PhotoDetached.photoAndLabel(bytes, kind: Self.kind)
  }
}

/// A photo got another preview.
public struct PreviewReplaced: EventPayload {
  /// The kind.
  public static let kind = EventKind.previewReplaced

  /// The photo.
  public var photo: BlobAddress
  /// Its downscaled preview.
  public var preview: StoredImage
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A replacement.
  public init(photo: BlobAddress, preview: StoredImage, by: String? = nil) {
    self.photo = photo
    self.preview = preview
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, bytes32: photo.bytes)
    writer.field(1) { preview.append(to: &$0) }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var photo: BlobAddress?
    var preview: StoredImage?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: photo = try reader.address(in: bytes)
      case 1: preview = try reader.image(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.photo = try reader.require(photo, field: 0)
    self.preview = try reader.require(preview, field: 1)
  }
}
