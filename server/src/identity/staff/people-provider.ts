/**
 * The certified provider, configured to sign people in: authorization code with PKCE for one client, the service's own
 * console. Its state is in the database. It shows no page of its own and gives only an id token that identifies the
 * person.
 */
import type { IncomingMessage } from 'node:http'
import { type Interaction, Provider, type ProviderContext } from 'oidc-provider/lib/provider.js'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  markStateUsed,
  readState,
  readStateByUid,
  removeGrant,
  removeState,
  writeState,
} from '../../store/sign-in.ts'
import { CapturedResponse, FormMessage } from '../endpoint/provider-message.ts'
import { ServiceKey } from '../endpoint/service-key.ts'
import type { SigningKey } from '../keys/signing-key.ts'

export const consoleClientId = 'console'
export const signedInPath = '/console/signed-in'
export const peoplePaths = {
  authorize: '/identity/staff/authorize',
  resume: '/identity/staff/authorize/:uid',
  signIn: '/identity/staff/sign-in',
  /** Used within the process only: no route serves this path. */
  token: '/identity/staff/token',
} as const
/** Cookies of the provider. The first is its own session, which must not outlive a sign-in. */
export const providerCookies = {
  session: 'clearing-provider',
  interaction: 'clearing-interaction',
  resume: 'clearing-resume',
} as const

const signInSeconds = 15 * 60
const codeSeconds = 60

export interface PeopleProviderSettings {
  readonly issuer: string
  readonly signingKey: SigningKey
  readonly operations: Pool
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}

export interface PeopleProvider {
  readonly kid: string
  readonly provider: Provider
  /** Passes a browser's request to the provider, which responds to it. */
  readonly answer: ReturnType<Provider['callback']>
  /** Returns the id token for a code, or undefined when the provider refuses. */
  exchange(code: string, verifier: string, origin: string): Promise<string | undefined>
}

export function createPeopleProvider(settings: PeopleProviderSettings): PeopleProvider {
  const { issuer, signingKey, operations, now, onFault } = settings
  const off = { enabled: false }
  const provider = new Provider(issuer, {
    adapter: (model: string) => adapterOf(model, operations, now),
    jwks: { keys: [new ServiceKey(signingKey)] },
    routes: { authorization: peoplePaths.authorize, token: peoplePaths.token, jwks: '/identity/staff/jwks' },
    scopes: ['openid'],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    cookies: { names: providerCookies, long: cookie, short: cookie },
    interactions: {
      url: (_context: ProviderContext, { uid }: Interaction) => `${peoplePaths.signIn}/${uid}`,
    },
    findAccount: (_context: ProviderContext, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    // The console belongs to the service, so people are not asked for consent.
    loadExistingGrant: async (context: ProviderContext) => {
      const accountId = context.oidc.session?.accountId
      if (accountId === undefined) return undefined
      const grant = new provider.Grant({ accountId, clientId: consoleClientId })
      grant.addOIDCScope('openid')
      await grant.save(signInSeconds)
      return grant
    },
    ttl: {
      Interaction: signInSeconds,
      Session: signInSeconds,
      Grant: signInSeconds,
      AuthorizationCode: codeSeconds,
      AccessToken: codeSeconds,
      IdToken: signInSeconds,
    },
    features: {
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
    },
    renderError: (context: ProviderContext) => {
      context.type = 'text/plain; charset=utf-8'
      context.set('cache-control', 'no-store')
      context.body = 'The sign-in could not continue. Open the console again.'
    },
  })
  // The mount sets these headers to the called address and ignores the headers of the browser.
  provider.proxy = true
  provider.on('server_error', (context, fault) => {
    const message = context.req as unknown as Partial<FormMessage>
    if (message instanceof FormMessage) message.fault = fault
    else onFault(fault)
  })
  const answer = provider.callback()
  return {
    kid: signingKey.kid,
    provider,
    answer,
    async exchange(code, verifier, origin) {
      const form = new URLSearchParams({
        client_id: consoleClientId,
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: origin + signedInPath,
      })
      const message = new FormMessage(peoplePaths.token, form)
      setForwardedOrigin(message as unknown as IncomingMessage, origin)
      const response = new CapturedResponse(message)
      await answer(message as unknown as IncomingMessage, response)
      if (message.fault !== undefined) throw message.fault
      if (response.statusCode !== 200) return undefined
      return (JSON.parse(response.text) as { id_token?: string }).id_token
    },
  }
}

const cookie = { httpOnly: true, sameSite: 'lax', signed: false, path: '/' }

/** Gives the provider the origin that the browser sees. */
export function setForwardedOrigin(request: IncomingMessage, origin: string): void {
  const { host, protocol } = new URL(origin)
  Object.assign(request.headers, {
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  })
}

function redirectUris(): string[] {
  const context = Provider.ctx
  return context === undefined ? [] : [`${context.protocol}://${context.host}${signedInPath}`]
}

/** Stores the provider's state, with one adapter for each model. The only client has no row. */
function adapterOf(model: string, operations: Pool, now: () => Date) {
  const write = <T>(body: Parameters<typeof inTransaction<T>>[2]) =>
    inTransaction(operations, { firm: null, repeatable: true }, body)
  return {
    async find(id: string): Promise<unknown> {
      if (model !== 'Client') return write((tx) => readState(tx, model, id, now()))
      if (id !== consoleClientId) return undefined
      return {
        client_id: id,
        redirect_uris: redirectUris(),
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'none',
        scope: 'openid',
      }
    },
    findByUid: (uid: string) => write((tx) => readStateByUid(tx, model, uid, now())),
    findByUserCode: async () => undefined,
    upsert: async (id: string, payload: Record<string, unknown>, lastsSeconds: number) => {
      const expiresAt = new Date(now().getTime() + lastsSeconds * 1_000)
      await write((tx) => writeState(tx, { model, id, payload, expiresAt }))
    },
    consume: async (id: string) => void (await write((tx) => markStateUsed(tx, model, id, now()))),
    destroy: async (id: string) => void (await write((tx) => removeState(tx, model, id))),
    revokeByGrantId: async (grantId: string) => void (await write((tx) => removeGrant(tx, grantId))),
  }
}
