/** A key of this service in the form with which the provider signs. */
import { sign } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider/lib/helpers/keystore.js'
import type { SigningKey } from '../keys/signing-key.ts'

/**
 * A signing key that does not reveal its private half. Signing in this thread takes 17 µs; passing it to another thread
 * takes longer.
 */
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
