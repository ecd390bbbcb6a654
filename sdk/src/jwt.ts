/** Signed JSON web tokens (RFC 7515) with keys of P-256, from Web Crypto: proofs and signed token requests. */

const signing = { name: 'ECDSA', hash: 'SHA-256' }

/** The signature algorithm of the tokens. */
export const algorithm = 'ES256'
/** The keys that sign. */
export const curve = { name: 'ECDSA', namedCurve: 'P-256' }

/** Signs with ES256 and returns the compact form. */
export async function signJwt(header: object, claims: object, key: CryptoKey): Promise<string> {
  const signed = [header, claims].map((part) => encode(bytesOf(JSON.stringify(part)))).join('.')
  return `${signed}.${encode(await crypto.subtle.sign(signing, key, bytesOf(signed)))}`
}

/** The name of a token that is accepted once. */
export function makeTokenId(): string {
  return encode(crypto.getRandomValues(new Uint8Array(16)))
}

/** Seconds since 1970 by the clock of the machine. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1_000)
}

/** The text in UTF-8. */
export function bytesOf(text: string) {
  return new TextEncoder().encode(text)
}

/** Base64url without padding. */
export function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
