/**
 * Proofs that bind tokens to a key of this client (DPoP, RFC 9449). The key is made for the client and cannot be exported, so a stolen token
 * cannot be used anywhere else.
 */

/** The request that a proof is for. */
export interface ProvenRequest {
  readonly method: string
  readonly url: string
  /** The token that the request carries; undefined at the token endpoint. */
  readonly token: string | undefined
}

/** Makes the proof of a request, anew for each attempt. */
export type Prove = (request: ProvenRequest) => Promise<string>

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { name: 'ECDSA', hash: 'SHA-256' }

export function createProver(): Prove {
  let key: Promise<{ readonly privateKey: CryptoKey; readonly header: string }> | undefined
  return async ({ method, url, token }) => {
    key ??= makeKey()
    const { privateKey, header } = await key
    const claims = {
      jti: encode(crypto.getRandomValues(new Uint8Array(16))),
      htm: method,
      htu: url.replace(/[?#].*$/, ''),
      iat: Math.floor(Date.now() / 1_000),
      ...(token === undefined ? {} : { ath: encode(await crypto.subtle.digest('SHA-256', bytesOf(token))) }),
    }
    const signed = `${header}.${encode(bytesOf(JSON.stringify(claims)))}`
    return `${signed}.${encode(await crypto.subtle.sign(signing, privateKey, bytesOf(signed)))}`
  }
}

async function makeKey() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['sign'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
  return { privateKey, header: encode(bytesOf(JSON.stringify(header))) }
}

function bytesOf(text: string) {
  return new TextEncoder().encode(text)
}

/** Base64url without padding. */
function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
