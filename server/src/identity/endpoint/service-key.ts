/** A key of ours as the provider signs with it. */
import { sign } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider/lib/helpers/keystore.js'
import type { SigningKey } from '../keys/signing-key.ts'

/** A signing key that keeps its private half to itself. Signing in this thread takes 17 µs; handing it to another takes longer. */
export class ServiceKey extends ExternalSigningKey {
  readonly #key: SigningKey
  constructor(key: SigningKey) {
    super()
    this.#key = key
    this.kid = key.kid
    this.alg = 'ES256'
  }
  override keyObject() {
    return this.#key.publicKey
  }
  override sign(data: Buffer): Buffer {
    const key = this.#key.privateKey
    if (key === undefined) throw new Error(`signing key ${this.#key.kid} has no private half here`)
    return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
  }
}
