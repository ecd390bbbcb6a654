/**
 * Proofs that bind tokens to a key of this client (DPoP, RFC 9449). The key is made for the client and cannot be
 * exported, so a stolen token cannot be used anywhere else.
 */
import { algorithm, bytesOf, curve, encode, makeTokenId, secondsNow, signJwt } from './jwt.ts'

/** The request that a proof is for. */
export interface ProvenRequest {
  readonly method: string
  readonly url: string
  /** The token that the request carries; undefined at the token endpoint. */
  readonly token: string | undefined
}

/** Makes the proof of a request, anew for each attempt. */
export type Prove = (request: ProvenRequest) => Promise<string>

/** Returns a function that makes a proof for one request. Its key is generated at the first use. */
export function createProver(): Prove {
  let key: ReturnType<typeof makeKey> | undefined
  return async ({ method, url, token }) => {
    key ??= makeKey()
    const { privateKey, header } = await key
    const claims = {
      jti: makeTokenId(),
      htm: method,
      htu: url.replace(/[?#].*$/, ''),
      iat: secondsNow(),
      ...(token === undefined ? {} : { ath: encode(await crypto.subtle.digest('SHA-256', bytesOf(token))) }),
    }
    return signJwt(header, claims, privateKey)
  }
}

async function makeKey() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['sign'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  return { privateKey, header: { typ: 'dpop+jwt', alg: algorithm, jwk: { kty, crv, x, y } } }
}
