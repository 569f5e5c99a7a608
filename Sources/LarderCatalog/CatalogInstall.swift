// The record of one install: which file, what became of each of its records.

public import LarderHash
public import LarderKernel

/// Why a record of a source was set aside.
public enum SetAsideReason: String, Sendable, CaseIterable {
  /// The line is no JSON object, or no UTF-8, or nested too deep.
  case notJSON = "not_json"
  /// The record has no code.
  case codeMissing = "code_missing"
  /// The code is no product code.
  case codeInvalid = "code_invalid"
  /// The line is longer than the reader allows.
  case lineTooLong = "line_too_long"
}

/// A record that was set aside.
public struct SetAside: Hashable, Sendable {
  /// The line of the file, from 1.
  public let line: Int64
  /// Why.
  public let reason: SetAsideReason
}

/// What was installed, from which file, and what became of each of its records.
public struct CatalogInstall: Hashable, Sendable {
  /// The source, with the notice to show.
  public let source: CatalogSource
  /// The name of the file, without its folder.
  public let fileName: String
  /// BLAKE2b-256 of the file's bytes as they are (`b2sum -l 256`).
  public let fileHash: Bytes32
  /// The file's length in bytes.
  public let fileByteCount: Int64
  /// When it was installed.
  public let installedAt: Instant
  /// The version of the import's rules it was read under.
  public let rulesVersion: Int64
  /// The newest `modifiedAt` of its records, in seconds since 1970; nil where none has one.
  public let newestModifiedAt: Int64?
  /// How many records the file has: the sum of the next three.
  public let recordCount: Int64
  /// How many products the catalog has from it.
  public let productCount: Int64
  /// How many records gave way to a newer one of the same code in the same file.
  public let duplicateCount: Int64
  /// How many records were set aside, by reason.
  public let setAsideCounts: [SetAsideReason: Int64]
  /// How many products have at least one flag.
  public let flaggedCount: Int64
  /// How many products have each flag.
  public let flagCounts: [CatalogFlag: Int64]
  /// The sum of the content hashes of all products modulo 2¹²⁸: equal content, equal digest,
  /// whatever the order of the file.
  public let digest: Bytes16

  /// How many records were set aside.
  public var setAsideCount: Int64 { setAsideCounts.values.reduce(0, +) }
}

/// What a builder must be told about the file it is fed from.
package struct CatalogInstallSource: Sendable {
  package let source: CatalogSource
  package let fileName: String
  package let fileHash: Bytes32
  package let fileByteCount: Int64
  package let installedAt: Instant
  package let rulesVersion: Int64

  /// All of it.
  package init(
    source: CatalogSource, fileName: String, fileByteCount: Int64, fileHash: Bytes32,
    installedAt: Instant, rulesVersion: Int64
  ) {
    self.source = source
    self.fileName = fileName
    self.fileHash = fileHash
    self.fileByteCount = fileByteCount
    self.installedAt = installedAt
    self.rulesVersion = rulesVersion
  }
}
