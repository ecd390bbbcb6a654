/**
 * The public facts of the token service: its metadata (RFC 8414) and its public keys (RFC 7517). Addresses come from
 * the configured issuer only, never from a request's Host.
 */
import { codeLists } from '@clearing/protocol'
import type { PublicJwk } from '../store/signing-keys.ts'
import { proofAlgorithms } from './binding/dpop-proof.ts'
import type { DirectorySnapshot } from './directory/directory-snapshot.ts'
import { assertionAlgorithms } from './endpoint/client-assertion.ts'
import { lastTokenDead } from './keys/signing-key.ts'

export const identityPaths = {
  token: '/identity/connect/token',
  /** The alternate path of the specification. */
  tokenAlias: '/auth/token',
  keys: '/identity/jwks',
  metadata: '/.well-known/oauth-authorization-server',
  /** The path that clients of OpenID Connect use; the document is the same. */
  openidMetadata: '/.well-known/openid-configuration',
} as const

function under(issuer: string, path: string): string {
  return issuer.replace(/\/$/, '') + path
}

/** Renders the metadata document; `issuer` equals the `iss` of tokens byte for byte. */
export function renderMetadata(issuer: string, takesCertificates: boolean) {
  return {
    issuer,
    token_endpoint: under(issuer, identityPaths.token),
    jwks_uri: under(issuer, identityPaths.keys),
    scopes_supported: codeLists.scope.map(({ value }) => value),
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    tls_client_certificate_bound_access_tokens: takesCertificates,
  }
}

/** Renders the key set: only the public halves of keys that verify now or will verify soon. */
export function renderKeys(snapshot: DirectorySnapshot, now: Date): { keys: PublicJwk[] } {
  const keys: PublicJwk[] = []
  for (const key of snapshot.signingKeys.values()) {
    const dead = lastTokenDead(key)
    if (dead !== undefined && dead <= now) continue
    const { kty, crv, x, y, kid, alg, use } = key.publicJwk
    keys.push({ kty, crv, x, y, kid, alg, use })
  }
  return { keys }
}
