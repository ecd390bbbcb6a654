/**
 * Reads the access token of a request and makes the responses about it (RFC 6750, and RFC 9449 for tokens that are
 * bound to a key). The token must be in exactly one Authorization header. The identity module finds the owner of the
 * token.
 */
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import type { NotAccepted } from '../../identity/authenticate.ts'
import { proofAlgorithms } from '../../identity/binding/dpop-proof.ts'
import type { Presented } from '../../identity/sender.ts'

/** The reason for which a request is refused before its body is read, with the challenge of RFC 6750. */
export interface Challenge {
  readonly rejections: readonly Rejection[]
  readonly wwwAuthenticate: string
}

const realm = 'Bearer realm="clearing"'
const realmOfProofs = 'DPoP realm="clearing"'

function challenge(rejection: Rejection, error?: string, more = '', of = realm): Challenge {
  return {
    rejections: [rejection],
    wwwAuthenticate:
      error === undefined ? of : `${of}, error="${error}", error_description="${rejection.reason}"${more}`,
  }
}

const missing = challenge(reject('ERR.3001', '', 'An access token is required.'))
const otherScheme = challenge(
  reject(
    'ERR.3001',
    '',
    'An access token is required. Send it as Authorization: Bearer, a space and the token.',
  ),
)
const schemeTwice = challenge(
  reject(
    'ERR.3002',
    '',
    'The access token is not valid: the Authorization header has the word Bearer twice.',
  ),
  'invalid_token',
)
const inAddress = challenge(
  reject('ERR.3001', '', 'The access token must be sent in the Authorization header, not in the URL.'),
)
const twice = challenge(
  reject('ERR.2004', '', 'The Authorization header must be given once.'),
  'invalid_request',
)
const invalid = challenge(reject('ERR.3002', '', 'The access token is not valid.'), 'invalid_token')
const elsewhere = challenge(reject('ERR.2029', '', 'The credential may not be used from this address.'))
const expired = challenge(reject('ERR.3003', '', 'The access token has expired.'), 'invalid_token')

const tokenForm = /^(bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i

/** An access token as a request presents it. */
export interface PresentedToken {
  readonly token: string
  readonly presented: Presented
}

/** Returns the token of the request, or the challenge when the request has no usable token. */
export function readToken(
  { raw, clientCertificate }: FastifyRequest,
  query: string,
): PresentedToken | Challenge {
  if (/(?:^|&)access_token(?:=|&|$)/i.test(query)) return inAddress
  const { authorization } = raw.headers
  if (authorization === undefined) return missing
  if (countHeader(raw.rawHeaders, 'authorization') > 1) return twice
  const [, scheme, token] = tokenForm.exec(authorization) ?? []
  if (token === undefined) {
    if (/^bearer +bearer /i.test(authorization)) return schemeTwice
    return /^(?:bearer|dpop)(?: |$)/i.test(authorization) ? invalid : otherScheme
  }
  return {
    token,
    presented: {
      scheme: scheme?.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
      proofs: raw.headers.dpop === undefined ? [] : (raw.headersDistinct.dpop ?? []),
      method: raw.method ?? '',
      path: raw.url?.split('?')[0] ?? '',
      certificate: clientCertificate,
    },
  }
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

export function challengeOf(refused: NotAccepted): Challenge {
  if (refused.kind !== 'unproven') return { invalid, expired, elsewhere }[refused.kind]
  const { proof, binding, why } = refused
  // The sender of a token that is bound to a certificate needs no proof, but another connection (RFC 8705, 3).
  if (binding === 'certificate')
    return challenge(reject(proof === 'missing' ? 'ERR.2030' : 'ERR.2031', '', why), 'invalid_token')
  return proof === 'missing'
    ? challenge(reject('ERR.2030', '', why), 'invalid_token', algorithms, realmOfProofs)
    : challenge(reject('ERR.2031', '', why), 'invalid_dpop_proof', algorithms, realmOfProofs)
}

/** A token that was sent by the scheme DPoP is refused in the words of this scheme (RFC 9449, 7.1). */
export function inSchemeOf(authorization: string | undefined, challenge: Challenge): Challenge {
  const { rejections, wwwAuthenticate } = challenge
  if (!/^dpop /i.test(authorization ?? '') || !wwwAuthenticate.startsWith(realm)) return challenge
  return { rejections, wwwAuthenticate: realmOfProofs + wwwAuthenticate.slice(realm.length) + algorithms }
}

const algorithms = `, algs="${proofAlgorithms.join(' ')}"`

export function scopeMissing(scope: Scope): Challenge {
  return challenge(
    reject('ERR.3004', '', `The operation needs the scope ${scope}.`),
    'insufficient_scope',
    `, scope="${scope}"`,
  )
}
