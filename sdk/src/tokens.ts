/**
 * Access tokens by client credentials (Specification, Authentication). Concurrent calls share one token request. Tokens
 * are renewed well before they expire, and replaced if the service rejects them.
 */
import { parseEnvelope, rejectionsOf } from './answer.ts'
import { checkAccessToken } from './check-settings.ts'
import { createRequestSigner } from './client-key.ts'
import { createProver, type Prove } from './dpop.ts'
import { exchange, Lost } from './exchange.ts'
import { ServiceUnavailable, TokenRefused } from './failures.ts'
import { makeTraceparent } from './random.ts'
import { checkNames, settingNames } from './setting-names.ts'
import type { CallSettings, ClientCredentials, ConnectionSettings, OwnTokens } from './settings.ts'
import { defaults, tokenPath } from './settings.ts'
import { nextRetry, orAborted, parseRetryAfter, patienceOf, retryLimitsOf, wait } from './waiting.ts'

/** A source of tokens. Concurrent callers share one token request, and tokens are renewed before they expire. */
export interface TokenSource {
  /**
   * A token that is not known to be invalid. Throws `TokenRefused` or `ServiceUnavailable`. Each caller waits within
   * its own limits, by default those of the client; a common request has the timeout of the caller that sent it.
   */
  current(signal?: AbortSignal, limits?: TokenLimits): Promise<string>
  /** Reports that the service rejected this token. The next call of `current` returns another token. */
  forget(token: string): void
  /** Makes the DPoP proof of a request; undefined if the tokens are not bound to a key. */
  readonly prove?: Prove | undefined
}

/** The settings of a call that also limit its token request. */
export type TokenLimits = Pick<CallSettings, 'timeoutMs' | 'retries' | 'retryForMs'>

interface Token {
  readonly text: string
  /** Milliseconds of `now`. */
  readonly renewAt: number
  readonly expiresAt: number
}

/** Renewal begins after this part of a token's lifetime, at a random moment of the rest. */
const renewalBeginsAtPart = 0.75
const renewalEndsAtPart = 0.95

/**
 * Adds authentication to a request: the token, with a proof if it is bound to a key, or none for a page of the service,
 * whose cookie the browser adds.
 */
export async function authorize(
  headers: Headers,
  token: string | undefined,
  request: { readonly tokens: TokenSource | undefined; readonly method: string; readonly url: string },
): Promise<void> {
  const { tokens, method, url } = request
  if (token === undefined) return headers.set('x-clearing-console', '1')
  headers.set('authorization', `${tokens?.prove === undefined ? 'Bearer' : 'DPoP'} ${token}`)
  if (tokens?.prove !== undefined) headers.set('dpop', await tokens.prove({ method, url, token }))
}

/** Creates a source of tokens by client credentials, for the client and for tools that send their own requests. */
export function createTokenSource(settings: SourceSettings): TokenSource {
  checkNames(settings, settingNames.createClient)
  const now = () => performance.now()
  let token: Token | undefined
  let flight: Promise<Token> | undefined
  const prove = settings.dpop === true ? createProver() : undefined
  const authenticate = prepareAuthenticate(settings)

  const patience = patienceOf(settings)

  const request = (delayMs: number, timeoutMs = settings.timeoutMs ?? defaults.timeoutMs) => {
    flight ??= wait(delayMs)
      .then(() => requestToken(settings, now, { prove, authenticate, timeoutMs }))
      .then((renewed) => {
        token = renewed
        return renewed
      })
      .finally(() => {
        flight = undefined
      })
    return flight
  }

  const renew = async (signal?: AbortSignal, limits: TokenLimits = {}) => {
    const startedMs = now()
    let delayMs = 0
    for (let number = 1; ; number++) {
      try {
        return await orAborted(request(delayMs, limits.timeoutMs), signal)
      } catch (reason) {
        if (signal?.aborted || !(reason instanceof ServiceUnavailable)) throw reason
        const elapsedMs = now() - startedMs
        const next = nextRetry(
          retryLimitsOf(limits, settings),
          number,
          elapsedMs,
          reason.retryAfterMs,
          patience,
        )
        if (next === undefined) throw reason
        delayMs = next
        if (flight === undefined) settings.onRetry?.({ operation: 'token', number, delayMs, reason })
      }
    }
  }

  return {
    async current(signal, limits) {
      signal?.throwIfAborted()
      if (token === undefined || now() >= token.expiresAt) return (await renew(signal, limits)).text
      if (now() >= token.renewAt) renew().catch(() => undefined)
      return token.text
    },
    forget(text) {
      if (token?.text === text) token = undefined
    },
    prove,
  }
}

/** Tokens that the caller supplies. */
export function borrowTokens({ accessToken }: OwnTokens): TokenSource {
  let refused: string | undefined
  return {
    async current(signal) {
      signal?.throwIfAborted()
      const token = await orAborted(Promise.resolve(accessToken({ renew: refused !== undefined })), signal)
      checkAccessToken(token)
      refused = undefined
      return token
    },
    forget(text) {
      refused = text
    },
  }
}

type SourceSettings = Omit<ConnectionSettings, 'baseUrl'> & ClientCredentials & { readonly baseUrl?: string }

/** The form fields that authenticate the client, made anew for each attempt. */
function prepareAuthenticate(settings: SourceSettings): () => Promise<Record<string, string>> {
  const { clientId, clientKey, clientSecret } = settings
  if (clientKey === undefined) return async () => ({ client_secret: clientSecret })
  return createRequestSigner(clientId, settings.issuer ?? settings.baseUrl ?? '', clientKey)
}

interface Means {
  readonly prove: Prove | undefined
  readonly authenticate: () => Promise<Record<string, string>>
  readonly timeoutMs: number
}

/** Requests a token once. Throws `ServiceUnavailable` for a failure that can be temporary. */
async function requestToken(
  settings: SourceSettings,
  now: () => number,
  { prove, authenticate, timeoutMs }: Means,
): Promise<Token> {
  const { clientId, scope } = settings
  const url = settings.tokenUrl ?? `${settings.baseUrl ?? ''}${tokenPath}`
  const traceparent = makeTraceparent()
  const askedAt = now()
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    ...(await authenticate()),
    ...(scope === undefined ? {} : { scope: scope.join(' ') }),
  })
  const headers = new Headers({ accept: 'application/json', traceparent })
  if (prove !== undefined) headers.set('dpop', await prove({ method: 'POST', url, token: undefined }))
  const received = await exchange({
    url,
    headers,
    body: form,
    fetch: settings.fetch ?? globalThis.fetch,
    timeoutMs,
    signal: undefined,
    streams: () => false,
  }).catch((cause) => {
    throw cause instanceof Lost ? unavailable(cause, traceparent) : cause
  })
  const answer = parseTokenAnswer(received.text)
  const isBound = String(answer.token_type).toLowerCase() === 'dpop'
  if (
    received.status === 200 &&
    typeof answer.access_token === 'string' &&
    isBound === (prove !== undefined)
  ) {
    return makeToken(answer.access_token, answer.expires_in, askedAt)
  }
  const { error, error_description: description } = answer
  const refused = new TokenRefused(
    received.status,
    typeof error === 'string' ? error : 'unexpected_answer',
    typeof description === 'string' ? description : reasonOf(received.text),
    settings.clientKey !== undefined,
  )
  if (received.status !== 429 && received.status < 500) throw refused
  throw unavailable(refused, traceparent, parseRetryAfter(received.headers.get('retry-after')))
}

function unavailable(cause: Lost | TokenRefused, traceId: string, retryAfterMs?: number) {
  return new ServiceUnavailable(cause.message, {
    operation: 'token',
    traceId,
    cause,
    retryAfterMs,
    status: cause instanceof TokenRefused ? cause.status : undefined,
  })
}

/** The lifetime is counted from the request of the token, so the wait for the token is part of it. */
function makeToken(text: string, expiresIn: unknown, askedAt: number): Token {
  const lifeMs = typeof expiresIn === 'number' && expiresIn >= 0 ? expiresIn * 1000 : Number.POSITIVE_INFINITY
  const part = renewalBeginsAtPart + Math.random() * (renewalEndsAtPart - renewalBeginsAtPart)
  return { text, expiresAt: askedAt + lifeMs, renewAt: askedAt + lifeMs * part }
}

interface TokenAnswer {
  readonly access_token?: unknown
  readonly expires_in?: unknown
  readonly token_type?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
}

/** The reason of an answer of the service that is not of its token endpoint, such as that of a deleted sandbox. */
function reasonOf(text: string): string | undefined {
  return rejectionsOf(parseEnvelope(text, undefined))[0]?.reason
}

function parseTokenAnswer(text: string): TokenAnswer {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
