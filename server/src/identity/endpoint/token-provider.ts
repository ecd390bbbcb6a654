/**
 * The certified provider, configured for one purpose: client credentials for JWT access tokens (RFC 9068). It
 * gets requests that were already read and authenticated, and never sees a client's secret or a private key.
 * If nothing must be verified, it only mints the token, because its internal HTTP interface would cost four
 * times as much as the token.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { codeLists, limits } from '@clearing/protocol'
import { type ClientCredentials, Provider, type ProviderContext } from 'oidc-provider/lib/provider.js'
import type { StoredCredential } from '../../store/credentials.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import type { Confirmation } from '../verify-token.ts'
import { AssertionRefused, type AssertionStore, assertionAlgorithms } from './client-assertion.ts'
import { CapturedResponse, FormMessage } from './provider-message.ts'
import { ServiceKey } from './service-key.ts'

/**
 * A request for a token by a known client with granted scopes. With `assertion`, the provider still has to verify it.
 */
export interface GrantRequest {
  readonly credential: StoredCredential
  readonly grantType: string
  readonly scope: string
  readonly assertion?: { readonly assertion: string; readonly assertionType: string }
  /** The key to which the token is bound. */
  readonly confirmation?: Confirmation | undefined
}

/**
 * A token as JSON text, a client that could not authenticate, or another refusal of the provider with its JSON text.
 */
export type GrantAnswer =
  | { readonly kind: 'granted'; readonly body: string }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }

export interface TokenProviderSettings {
  readonly issuer: string
  readonly audience: string
  readonly signingKey: SigningKey
  readonly now: () => Date
  readonly assertions: AssertionStore
}

export interface TokenProvider {
  readonly kid: string
  grant(request: GrantRequest): Promise<GrantAnswer>
}

/** The path that the provider assumes; the endpoint has the real paths. */
const tokenPath = '/identity/connect/token'
/**
 * Represents "authenticated by this service". It is random in each process and never sent, so that the provider
 * compares it with itself.
 */
const authenticated = randomBytes(32).toString('base64url')

const allScopes = codeLists.scope.map(({ value }) => value)

/** The tokens of this service, in the words of the provider. */
function resourceOf(audience: string) {
  return {
    audience,
    scope: allScopes.join(' '),
    accessTokenTTL: limits.tokenLifetimeSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}

type FindRequest = (context: ProviderContext | undefined, token: ClientCredentials) => GrantRequest

function configure(
  { issuer, audience, signingKey, now, assertions }: TokenProviderSettings,
  requestFor: FindRequest,
) {
  const off = { enabled: false }
  return {
    adapter: (model: string) => adapterOf(model, assertions),
    jwks: { keys: [new ServiceKey(signingKey)] },
    routes: { token: tokenPath },
    scopes: allScopes,
    responseTypes: [],
    clientAuthMethods: ['client_secret_post', 'private_key_jwt'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { clientAuthSigningAlgValues: [...assertionAlgorithms] },
    clockTolerance: limits.clockSkewSecondsMax,
    ttl: { ClientCredentials: limits.tokenLifetimeSeconds },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceOf(audience),
      },
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
    },
    extraTokenClaims: (context: ProviderContext | undefined, token: ClientCredentials) => ({
      generation: requestFor(context, token).credential.generation,
    }),
    assertJwtClientAuthClaimsAndHeader: (_context: ProviderContext, claims: Record<string, unknown>) =>
      assertions.check(claims, now()),
    formats: {
      customizers: {
        // The provider reads the system's clock; this service sets its own time.
        jwt: (
          context: ProviderContext | undefined,
          token: ClientCredentials,
          parts: { payload: Record<string, unknown> },
        ) => {
          const { confirmation } = requestFor(context, token)
          if (confirmation !== undefined) parts.payload.cnf = { ...confirmation }
          const issued = Math.floor(now().getTime() / 1000)
          parts.payload.iat = issued
          parts.payload.exp = issued + limits.tokenLifetimeSeconds
        },
      },
    },
  }
}

/** Makes a provider that signs with one key. Another key needs another provider. */
export function createTokenProvider(settings: TokenProviderSettings): TokenProvider {
  const { issuer, audience, signingKey } = settings
  const resource = resourceOf(audience)
  /** The requests of tokens that are minted without a context of the provider. */
  const minting = new WeakMap<ClientCredentials, GrantRequest>()
  const provider = new Provider(
    issuer,
    configure(settings, (context, token) =>
      context ? requestOf(context) : (minting.get(token) as GrantRequest),
    ),
  )
  provider.on('server_error', (context, fault) => {
    ;(context.req as unknown as GrantMessage).fault = fault
  })
  provider.on('error', (fault, context) => {
    if (context !== undefined) (context.req as unknown as GrantMessage).fault ??= fault
  })
  const answer = provider.callback()

  const mint = async (request: GrantRequest): Promise<string> => {
    const { clientId } = request.credential
    const token = new provider.ClientCredentials({ client: { clientId }, scope: request.scope || undefined })
    token.resourceServer = resource
    minting.set(token, request)
    const accessToken = await token.save()
    return JSON.stringify({
      access_token: accessToken,
      expires_in: token.expiration,
      scope: token.scope,
      token_type: typeOf(request, token.tokenType),
    })
  }

  return {
    kid: signingKey.kid,
    async grant(request) {
      if (request.assertion === undefined && request.grantType === 'client_credentials')
        return { kind: 'granted', body: await mint(request) }
      const message = new GrantMessage(request)
      const response = new CapturedResponse(message)
      await answer(message as unknown as IncomingMessage, response)
      const { statusCode: status, text: body } = response
      if (message.fault instanceof AssertionRefused) return { kind: 'unauthenticated' }
      if (message.fault !== undefined) throw message.fault
      if (status === 200) return { kind: 'granted', body: withType(request, body) }
      if (status === 401) return { kind: 'unauthenticated' }
      if (status >= 400 && status < 500) return { kind: 'refused', status, body }
      throw new Error(`the token provider answered ${status}`)
    },
  }
}

/** The provider ignores the proof, which this service has verified. */
function typeOf({ confirmation }: GrantRequest, otherwise: string): string {
  return confirmation?.jkt === undefined ? otherwise : 'DPoP'
}

function withType(request: GrantRequest, body: string): string {
  const answer = JSON.parse(body) as { token_type: string }
  return JSON.stringify({ ...answer, token_type: typeOf(request, answer.token_type) })
}

/** The request for the provider: a form made from the parsed values, not the received form. */
class GrantMessage extends FormMessage {
  readonly grantRequest: GrantRequest

  constructor(request: GrantRequest) {
    const form = new URLSearchParams({
      client_id: request.credential.clientId,
      grant_type: request.grantType,
    })
    form.set('scope', request.scope)
    if (request.assertion === undefined) form.set('client_secret', authenticated)
    else {
      form.set('client_assertion', request.assertion.assertion)
      form.set('client_assertion_type', request.assertion.assertionType)
    }
    super(tokenPath, form)
    this.grantRequest = request
  }
}

function requestOf(context: ProviderContext): GrantRequest {
  return (context.req as unknown as GrantMessage).grantRequest
}

/** Answers the provider's look-ups: the client of the running request, and used assertions. */
function adapterOf(model: string, assertions: AssertionStore) {
  return {
    async find(id: string): Promise<unknown> {
      if (model === 'ReplayDetection') return assertions.find(id)
      if (model !== 'Client') return undefined
      const context = Provider.ctx
      const credential = context && requestOf(context).credential
      if (credential?.clientId !== id) return undefined
      return {
        client_id: id,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: credential.scopes.join(' '),
        ...(credential.publicKeys === null
          ? { token_endpoint_auth_method: 'client_secret_post', client_secret: authenticated }
          : { token_endpoint_auth_method: 'private_key_jwt', jwks: credential.publicKeys }),
      }
    },
    async upsert(id: string, _payload: unknown, lastsSeconds: number): Promise<void> {
      if (model === 'ReplayDetection') await assertions.use(id, lastsSeconds)
    },
    async destroy(): Promise<void> {},
  }
}
