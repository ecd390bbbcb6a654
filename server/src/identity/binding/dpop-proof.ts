/**
 * Verifies a DPoP proof (RFC 9449): a JWT by which the sender of a request shows that it has a private key,
 * for this method, address and time. Does not check that the proof is used once.
 */
import { hash } from 'node:crypto'
import { limits } from '@clearing/protocol'
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, jwtVerify } from 'jose'
import { isForgeable } from '../forgeable-key.ts'

/** The algorithms of proofs, as the metadata names them. */
export const proofAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const

export interface ExpectedProof {
  readonly method: string
  /** The public address of the request, without its query. */
  readonly url: string
  /** The token that the request carries; undefined at the token endpoint. */
  readonly accessToken: string | undefined
  readonly now: Date
}

export interface GoodProof {
  readonly kind: 'good'
  /** The thumbprint of the key (RFC 7638), as tokens name it in `cnf.jkt`. */
  readonly thumbprint: string
  /** An id that is the same for each use of the proof, and differs for every other proof. */
  readonly proofId: string
  /** The time after which no process with a sufficiently exact clock accepts the proof. */
  readonly acceptedUntil: Date
}

export type ProofVerdict = GoodProof | { readonly kind: 'bad'; readonly why: string }

const proofLengthMax = 4_096
const proofIdLengthMax = 200
const skewMs = limits.clockSkewSecondsMax * 1_000

export async function verifyProof(proof: string, expected: ExpectedProof): Promise<ProofVerdict> {
  if (proof.length > proofLengthMax) return bad(`The DPoP proof is longer than ${proofLengthMax} characters.`)
  let verified: Awaited<ReturnType<typeof jwtVerify>>
  try {
    verified = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [...proofAlgorithms],
      typ: 'dpop+jwt',
      clockTolerance: limits.clockSkewSecondsMax,
      currentDate: expected.now,
    })
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return bad('The DPoP proof must be a JWT of type dpop+jwt, signed by the key in its header.')
    throw error
  }
  const { payload, protectedHeader } = verified
  const { htm, htu, iat, jti, ath } = payload
  if (htm !== expected.method) return bad(`htm of the DPoP proof must be ${expected.method}.`)
  if (typeof htu !== 'string' || normalize(htu) !== normalize(expected.url))
    return bad(`htu of the DPoP proof must be ${expected.url}.`)
  if (typeof iat !== 'number' || Math.abs(iat * 1_000 - expected.now.getTime()) > skewMs)
    return bad(`iat of the DPoP proof must be at most ${limits.clockSkewSecondsMax} seconds from now.`)
  if (typeof jti !== 'string' || jti === '' || jti.length > proofIdLengthMax)
    return bad('jti of the DPoP proof must be a unique text.')
  const key = protectedHeader.jwk as JWK
  if (isForgeable(key)) return bad('The key of the DPoP proof must have an odd exponent above 1.')
  const { accessToken } = expected
  if (accessToken !== undefined && ath !== hash('sha256', accessToken, 'base64url'))
    return bad('ath of the DPoP proof must be the SHA-256 of the access token, in base64url.')
  const thumbprint = await calculateJwkThumbprint(key, 'sha256')
  return {
    kind: 'good',
    thumbprint,
    proofId: hash('sha256', `dpop ${thumbprint} ${jti}`, 'base64url'),
    acceptedUntil: new Date(iat * 1_000 + 2 * skewMs),
  }
}

function bad(why: string): ProofVerdict {
  return { kind: 'bad', why }
}

/**
 * Scheme and host in lower case, without a default port, query and fragment (RFC 9449, 4.3). Addresses of this machine
 * are one host.
 */
function normalize(address: string): string | undefined {
  try {
    const { protocol, hostname, port, pathname } = new URL(address)
    const host = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname
    return `${protocol}//${host}:${port}${pathname}`
  } catch {
    return undefined
  }
}
