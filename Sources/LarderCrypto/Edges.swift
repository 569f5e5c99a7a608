// Signing and checking edges. SPEC.md, "Edges".

package import LarderKernel

extension AuthorSecretKey {
  /// Signs `edge`, which is this author's.
  package func sign(_ edge: Edge) -> SignedEdge {
    precondition(edge.author.bytes == publicKey.authorID, "an author signs its own edges")
    let message = edge.signedBytes
    return SignedEdge(edge: edge, signature: sign(message.span).bytes)
  }
}

extension AuthorPublicKey {
  /// Whether the author of the edge is this one, and signed it.
  package func verify(_ signed: SignedEdge) -> Bool {
    guard signed.edge.author.bytes == authorID,
      let signature = AuthorSignature(signed.signature.span)
    else { return false }
    let message = signed.edge.signedBytes
    return verify(signature, of: message.span)
  }
}

extension Batch {
  /// Checks everything that can be checked of a batch by itself.
  /// - Throws: as `check(isSigned:)`.
  package func check() throws(KernelError) -> CheckedBatch {
    try check { key, edge in AuthorPublicKey(key).verify(edge) }
  }
}
