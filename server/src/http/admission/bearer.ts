/**
 * Reads the access token of a request and makes the responses about it (RFC 6750). The token must be in exactly one
 * Authorization header. The identity module finds the owner of the token.
 */
import type { IncomingMessage } from 'node:http'
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import type { NotAccepted } from '../../identity/authenticate.ts'

/** The reason for which a request is refused before its body is read, with the challenge of RFC 6750. */
export interface Challenge {
  readonly rejections: readonly Rejection[]
  readonly wwwAuthenticate: string
}

const realm = 'Bearer realm="clearing"'

function challenge(rejection: Rejection, error?: string, more = ''): Challenge {
  return {
    rejections: [rejection],
    wwwAuthenticate:
      error === undefined
        ? realm
        : `${realm}, error="${error}", error_description="${rejection.reason}"${more}`,
  }
}

const missing = challenge(reject('ERR.3001', '', 'An access token is required.'))
const inAddress = challenge(
  reject('ERR.3001', '', 'The access token travels in the Authorization header, never in the address.'),
)
const twice = challenge(
  reject('ERR.2004', '', 'The Authorization header must be given once.'),
  'invalid_request',
)
const invalid = challenge(reject('ERR.3002', '', 'The access token is not valid.'), 'invalid_token')
const elsewhere = challenge(reject('ERR.2029', '', 'The credential may not be used from this address.'))
const expired = challenge(reject('ERR.3003', '', 'The access token has expired.'), 'invalid_token')

const bearerForm = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Returns the token of the request, or the challenge when the request has no usable token. */
export function readToken(raw: IncomingMessage, query: string): string | Challenge {
  if (/(?:^|&)access_token(?:=|&|$)/i.test(query)) return inAddress
  const { authorization } = raw.headers
  if (authorization === undefined) return missing
  if (countHeader(raw.rawHeaders, 'authorization') > 1) return twice
  const token = bearerForm.exec(authorization)?.[1]
  if (token !== undefined) return token
  return /^bearer(?: |$)/i.test(authorization) ? invalid : missing
}

/** Counts a header in the raw headers: Node keeps only the first of some repeated headers. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}

export function challengeOf({ kind }: NotAccepted): Challenge {
  return { invalid, expired, elsewhere }[kind]
}

export function scopeMissing(scope: Scope): Challenge {
  return challenge(
    reject('ERR.3004', '', `The operation needs the scope ${scope}.`),
    'insufficient_scope',
    `, scope="${scope}"`,
  )
}
