package import LarderHash
package struct AuthorPublicKey { package var authorID: Bytes16 { .zero } }
package struct AuthorSecretKey { package init(seed: Bytes32) {}
 package var publicKey: AuthorPublicKey { AuthorPublicKey() } }
