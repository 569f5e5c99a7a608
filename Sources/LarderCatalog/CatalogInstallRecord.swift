// The record of an install, as rows.

import LarderHash
import LarderKernel
import LarderSQL

/// Writing and reading of the tables `installs`, `installFlags`, `setAsideCounts` and `setAside`.
enum CatalogInstallRecord {
  /// Writes the record of a file that is about to be finished.
  static func write(
    _ install: CatalogInstall, setAside: [SetAside], on connection: borrowing Connection
  ) throws(CatalogError) {
    try CatalogError.wrapping { () throws(SQLError) in
      let insert = try connection.prepare(
        """
        INSERT INTO installs (
          id, source, notice, licence, fileName, fileHash, fileByteCount, installedAt,
          rulesVersion, newestModifiedAt, recordCount, productCount, duplicateCount,
          flaggedCount, digest)
        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
      let insertFlag = try connection.prepare(
        "INSERT INTO installFlags (install, flag, name, count) VALUES (1, ?, ?, ?)")
      let insertCount = try connection.prepare(
        "INSERT INTO setAsideCounts (install, reason, count) VALUES (1, ?, ?)")
      let insertLine = try connection.prepare("INSERT INTO setAside (line, reason) VALUES (?, ?)")
      try connection.write { (_) throws(SQLError) in
        try insert.run(
          install.source.name, install.source.notice, install.source.licence, install.fileName,
          install.fileHash, install.fileByteCount, install.installedAt.milliseconds,
          install.rulesVersion,
          install.newestModifiedAt, install.recordCount, install.productCount,
          install.duplicateCount, install.flaggedCount, install.digest)
        for (flag, count) in install.flagCounts {
          try insertFlag.run(Int64(flag.rawValue), flag.name, count)
        }
        for (reason, count) in install.setAsideCounts {
          try insertCount.run(reason.rawValue, count)
        }
        for record in setAside { try insertLine.run(record.line, record.reason.rawValue) }
      }
    }
  }

  /// The record of the install a catalog is from.
  /// - Throws: `corrupt` where there is none.
  static func read(_ connection: borrowing Connection) throws(CatalogError) -> CatalogInstall {
    let install = try CatalogError.wrapping { () throws(SQLError) in
      let flags = try flagCounts(connection)
      let reasons = try setAsideCounts(connection)
      return try connection.prepare(
        """
        SELECT source, notice, licence, fileName, fileHash, fileByteCount, installedAt,
          rulesVersion, newestModifiedAt, recordCount, productCount, duplicateCount,
          flaggedCount, digest
        FROM installs ORDER BY id DESC LIMIT 1
        """
      ).first { row in
        // No instant: the record was not written by an install.
        guard let installedAt = Instant(milliseconds: row.int64(6)) else {
          return nil as CatalogInstall?
        }
        return CatalogInstall(
          source: CatalogSource(name: row.text(0), notice: row.text(1), licence: row.text(2)),
          fileName: row.text(3), fileHash: row.bytes32(4), fileByteCount: row.int64(5),
          installedAt: installedAt, rulesVersion: row.int64(7),
          newestModifiedAt: row.optionalInt64(8), recordCount: row.int64(9),
          productCount: row.int64(10), duplicateCount: row.int64(11), setAsideCounts: reasons,
          flaggedCount: row.int64(12), flagCounts: flags, digest: row.bytes16(13))
      }
    }
    guard let install = install ?? nil else {
      throw CatalogError(.corrupt, operation: "read catalog", subject: "installs")
    }
    return install
  }

  /// The lines that were set aside, in order, from the `offset`-th on.
  static func setAside(
    _ connection: borrowing Connection, offset: Int, limit: Int
  ) throws(CatalogError) -> [SetAside] {
    try CatalogError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT line, reason FROM setAside ORDER BY line LIMIT ? OFFSET ?")
    }.map(limit, offset) { (row) throws(CatalogError) in
      guard let reason = SetAsideReason(rawValue: row.text(1)) else {
        throw CatalogError(.corrupt, operation: "read catalog", subject: "setAside")
      }
      return SetAside(line: row.int64(0), reason: reason)
    }
  }

  private static func flagCounts(
    _ connection: borrowing Connection
  ) throws(SQLError) -> [CatalogFlag: Int64] {
    var counts: [CatalogFlag: Int64] = [:]
    try connection.prepare("SELECT flag, count FROM installFlags").forEach { row in
      if let flag = CatalogFlag(rawValue: UInt8(clamping: row.int64(0))) {
        counts[flag] = row.int64(1)
      }
    }
    return counts
  }

  private static func setAsideCounts(
    _ connection: borrowing Connection
  ) throws(SQLError) -> [SetAsideReason: Int64] {
    var counts: [SetAsideReason: Int64] = [:]
    try connection.prepare("SELECT reason, count FROM setAsideCounts").forEach { row in
      if let reason = SetAsideReason(rawValue: row.text(0)) { counts[reason] = row.int64(1) }
    }
    return counts
  }
}
