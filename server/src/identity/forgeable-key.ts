/** Recognizes RSA keys whose signatures need no private key. */
import type { JWK } from 'jose'

/** True for an RSA key whose exponent is 1 or even. With the exponent 1, the signature is the padded digest itself. */
export function isForgeable({ kty, e = '' }: Pick<JWK, 'kty' | 'e'>): boolean {
  if (kty !== 'RSA') return false
  const exponent = BigInt(`0x0${Buffer.from(e, 'base64url').toString('hex')}`)
  return exponent <= 1n || exponent % 2n === 0n
}
