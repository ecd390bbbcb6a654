/**
 * A sign-in in progress, on the console's side: one secret in a cookie of the browser, from which state, nonce and PKCE
 * verifier are derived. Nothing is stored, and no response is valid in another browser (RFC 9700, section 2.1).
 */
import { hash, randomBytes } from 'node:crypto'

export interface SignInRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly challenge: string
  readonly returnTo: string
  /** The value of the cookie. */
  readonly cookie: string
}

export const signInSeconds = 900
const home = '/console/'
const returnToLengthMax = 1_000

/** Returns the address after the sign-in: always a path of the console, whatever was requested. */
export function parseReturnTo(text: string | undefined): string {
  if (text === undefined || text.length > returnToLengthMax || !/^\/console(\/|$)/.test(text)) return home
  if (/[\\\s\p{Cc}]/u.test(text) || text.startsWith('/console/sign')) return home
  // Dots must not lead out of the console.
  const url = new URL(text, 'http://localhost')
  return url.host === 'localhost' && /^\/console(\/|$)/.test(url.pathname)
    ? url.pathname + url.search + url.hash
    : home
}

function derive(secret: string, returnTo: string): SignInRequest {
  const part = (name: string): string => hash('sha256', `${name} ${secret}`, 'base64url')
  const verifier = part('verifier')
  return {
    state: part('state'),
    nonce: part('nonce'),
    verifier,
    challenge: hash('sha256', verifier, 'base64url'),
    returnTo,
    cookie: `${secret}.${Buffer.from(returnTo).toString('base64url')}`,
  }
}

export function beginSignIn(returnTo: string): SignInRequest {
  return derive(randomBytes(32).toString('base64url'), returnTo)
}

/** Returns the sign-in that this browser began; undefined for a cookie that this service did not make. */
export function parseSignInCookie(value: string | undefined): SignInRequest | undefined {
  const parts = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]*)$/.exec(value ?? '')
  if (parts === null) return undefined
  const [, secret = '', returnTo = ''] = parts
  return derive(secret, parseReturnTo(Buffer.from(returnTo, 'base64url').toString()))
}
