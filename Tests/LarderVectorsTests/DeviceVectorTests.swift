import LarderFiles
import LarderHash
import LarderKernel
import LarderStore
import Testing

@Suite("Vectors of head records and key files")
struct DeviceVectorTests {
  struct HeadCase: Decodable {
    struct Newest: Decodable {
      var counter: String
      var slot: Int
      var size: String
      var root: String
      var machine: String
      var inode: String
      var birthNanoseconds: String
      var path: String
      var pathHash: String
    }
    struct Machine: Decodable {
      var id: String?
      var name: String?
      var machine: String
    }
    var input: String?
    var author: String?
    var newest: Newest?
    var error: String?
    var machines: [Machine]?
  }

  struct KeyCase: Decodable {
    var input: String
    var authors: [String]?
    var error: String?
  }

  // [HEAD-1] [HEAD-2]
  @Test("files of head records are read and refused as their vectors say")
  func heads() throws {
    for (path, vector) in try VectorFiles.read("head", as: HeadCase.self) {
      guard let input = vector.input, let author = vector.author else { continue }
      let bytes = try #require([UInt8](hex: input))
      let own = AuthorID(try #require(Bytes16(hex: author)))
      do throws(StoreError) {
        switch try HeadRecord.read(bytes.span, of: own, subject: path) {
        case .absent: #expect(bytes.isEmpty && vector.error == nil, "\(path)")
        case .damaged: #expect(vector.error == "corrupt", "\(path)")
        case .found(let stored): expect(stored, is: vector.newest, path)
        }
      } catch {
        #expect(vector.error == error.code.description, "\(path)")
      }
    }
  }

  private func expect(_ stored: HeadRecord.Stored, is newest: HeadCase.Newest?, _ path: String) {
    let (record, place) = (stored.record, stored.record.place)
    #expect(newest?.counter == String(stored.counter), "\(path)")
    #expect(newest?.slot == stored.slot, "\(path)")
    #expect(newest?.size == String(record.size), "\(path)")
    #expect(newest?.root == record.root.hex, "\(path)")
    #expect(newest?.machine == place.machine.hex, "\(path)")
    #expect(newest?.inode == String(place.file.inode), "\(path)")
    #expect(newest?.birthNanoseconds == String(place.file.birthNanoseconds), "\(path)")
    #expect(newest?.path == place.path, "\(path)")
    #expect(newest?.pathHash == place.pathHash.hex, "\(path)")
  }

  // [HEAD-4]
  @Test("machines are what their vectors say")
  func machines() throws {
    for (path, vector) in try VectorFiles.read("head", as: HeadCase.self) {
      for one in vector.machines ?? [] {
        if let digits = one.id {
          let id = try #require(Bytes16(hex: digits))
          #expect(MachineIdentity.hash(id: id).hex == one.machine, "\(path)")
        } else {
          let name = try #require(one.name)
          #expect(MachineIdentity.hash(hostName: name).hex == one.machine, "\(path)")
        }
      }
    }
  }

  // [STORE-3]
  @Test("key files are read and refused as their vectors say, and written the same")
  func keys() throws {
    for (path, vector) in try VectorFiles.read("key", as: KeyCase.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      do throws(StoreError) {
        let keys = try DeviceKeys(bytes.span, subject: path)
        #expect(vector.authors == keys.authors.map(\.hex), "\(path)")
        keys.withFileBytes { #expect($0 == bytes, "\(path)") }
      } catch {
        #expect(vector.error == error.code.description, "\(path)")
      }
    }
  }
}
