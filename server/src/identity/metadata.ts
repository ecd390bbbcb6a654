/** What anyone may know of the token service: its metadata (RFC 8414) and its public keys (RFC 7517). Addresses come from the configured issuer alone, never from a request's Host. */
import { codeLists } from '@clearing/protocol'
import type { PublicJwk } from '../store/signing-keys.ts'
import type { DirectorySnapshot } from './directory/directory-snapshot.ts'
import { assertionAlgorithms } from './endpoint/token-provider.ts'
import { lastTokenDead } from './keys/signing-key.ts'

export const identityPaths = {
  token: '/identity/connect/token',
  /** The specification's alternate path. */
  tokenAlias: '/auth/token',
  keys: '/identity/jwks',
  metadata: '/.well-known/oauth-authorization-server',
  /** Where clients of OpenID Connect look; the document is the same. */
  openidMetadata: '/.well-known/openid-configuration',
} as const

const under = (issuer: string, path: string): string => issuer.replace(/\/$/, '') + path

/** The metadata document; `issuer` is byte for byte the `iss` of tokens. */
export const renderMetadata = (issuer: string) => ({
  issuer,
  token_endpoint: under(issuer, identityPaths.token),
  jwks_uri: under(issuer, identityPaths.keys),
  scopes_supported: codeLists.scope.map(({ value }) => value),
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
})

/** The key set: public halves only, those that verify now or will soon. */
export const renderKeys = (snapshot: DirectorySnapshot, now: Date): { keys: PublicJwk[] } => {
  const keys: PublicJwk[] = []
  for (const key of snapshot.signingKeys.values()) {
    const dead = lastTokenDead(key)
    if (dead !== undefined && dead <= now) continue
    const { kty, crv, x, y, kid, alg, use } = key.publicJwk
    keys.push({ kty, crv, x, y, kid, alg, use })
  }
  return { keys }
}
