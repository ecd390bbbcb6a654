/** Recognizes RSA keys for which anybody can make signatures. */
import type { JWK } from 'jose'

/**
 * True for an RSA key whose public exponent is 1 or even. With the exponent 1, the signature is the padded digest, which
 * needs no private key.
 */
export function isForgeable({ kty, e = '' }: Pick<JWK, 'kty' | 'e'>): boolean {
  if (kty !== 'RSA') return false
  const exponent = BigInt(`0x0${Buffer.from(e, 'base64url').toString('hex')}`)
  return exponent <= 1n || exponent % 2n === 0n
}
