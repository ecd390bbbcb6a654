/** Signed token requests (`private_key_jwt`, RFC 7523), which need no secret. */
import { algorithm, curve, makeTokenId, secondsNow, signJwt } from './jwt.ts'

/**
 * A private key in the form of RFC 7517: EC on P-256. `kid` is that of its public half, which operations set for the
 * credential.
 */
export interface ClientKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y: string
  readonly d: string
  readonly kid?: string
}

/** The lifetime of a signed request. */
const lifetimeSeconds = 60

/** Makes the form fields that sign one token request. Throws if the key cannot be read. */
export type SignRequest = () => Promise<Record<string, string>>

/** Returns a function that signs one token request with an assertion that is valid for a minute. */
export function createRequestSigner(
  clientId: string,
  issuer: string,
  { kid, ...jwk }: ClientKey,
): SignRequest {
  let imported: Promise<CryptoKey> | undefined
  return async () => {
    imported ??= crypto.subtle.importKey('jwk', jwk, curve, false, ['sign'])
    const iat = secondsNow()
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: issuer,
      jti: makeTokenId(),
      iat,
      exp: iat + lifetimeSeconds,
    }
    const header = { alg: algorithm, typ: 'JWT', ...(kid === undefined ? {} : { kid }) }
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signJwt(header, claims, await imported),
    }
  }
}
