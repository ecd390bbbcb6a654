/**
 * Checks that a token which is bound to a key (`cnf`, RFC 7800) comes from the holder of that key: by a DPoP proof (RFC
 * 9449, 7) or by the certificate of the TLS connection (RFC 8705, 3). A proof with a token that is not bound is
 * refused, because the sender believes that the token is protected.
 */

import type { Sender } from '../sender.ts'
import type { Confirmation } from '../verify-token.ts'
import { verifyProof } from './dpop-proof.ts'
import type { UseProof } from './used-proofs.ts'

/** The reason why a token is not accepted from this sender. */
export interface Unproven {
  readonly kind: 'unproven'
  /** `missing`: the request has no proof. `invalid`: its proof does not fit. */
  readonly proof: 'missing' | 'invalid'
  /** What the token is bound to, or, for one that is not bound, what the request proves. */
  readonly binding: 'key' | 'certificate'
  readonly why: string
}

export interface BindingSettings {
  /** The public address of the service, which must be in proofs. */
  readonly publicUrl: () => string
  readonly now: () => Date
  readonly useProof: UseProof
}

/** Returns undefined when the sender may use the token. */
export type CheckBinding = (
  token: string,
  confirmation: Confirmation | undefined,
  sender: Sender,
) => Promise<Unproven | undefined> | undefined

export function prepareCheckBinding({ publicUrl, now, useProof }: BindingSettings): CheckBinding {
  const checkKey = async (token: string, jkt: string, presented: NonNullable<Sender['presented']>) => {
    const { scheme, proofs, method, path } = presented
    const [proof] = proofs
    if (scheme !== 'DPoP' || proof === undefined)
      return missing('The access token is bound to a key: send Authorization: DPoP and a DPoP proof.')
    if (proofs.length > 1) return invalid('The DPoP header must be given once.')
    const url = publicUrl().replace(/\/$/, '') + path
    const verdict = await verifyProof(proof, { method, url, accessToken: token, now: now() })
    if (verdict.kind === 'bad') return invalid(verdict.why)
    if (verdict.thumbprint !== jkt)
      return invalid('The DPoP proof is signed by another key than that of the token.')
    return (await useProof(verdict))
      ? undefined
      : invalid('The DPoP proof was used before: make one for each request.')
  }

  return (token, confirmation, { presented }) => {
    if (presented === undefined) return undefined
    if (confirmation?.jkt !== undefined) return checkKey(token, confirmation.jkt, presented)
    const x5t = confirmation?.['x5t#S256']
    if (x5t !== undefined && presented.certificate !== x5t)
      return Promise.resolve(presented.certificate === undefined ? noCertificate : otherCertificate)
    if (presented.scheme === 'DPoP' || presented.proofs.length > 0) return Promise.resolve(notBound)
    return undefined
  }
}

function missing(why: string): Unproven {
  return { kind: 'unproven', proof: 'missing', binding: 'key', why }
}

function invalid(why: string): Unproven {
  return { kind: 'unproven', proof: 'invalid', binding: 'key', why }
}

const noCertificate: Unproven = {
  ...missing(
    'The access token is bound to a certificate: send it over a TLS connection with that certificate.',
  ),
  binding: 'certificate',
}
const otherCertificate: Unproven = {
  ...invalid('The access token is bound to another certificate than that of the connection.'),
  binding: 'certificate',
}
const notBound = invalid(
  'The access token is not bound to a key: request one with a DPoP proof, or send it as Bearer without a proof.',
)
