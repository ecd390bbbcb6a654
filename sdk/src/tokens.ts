/**
 * Access tokens by client credentials (Specification, Authentication). Concurrent calls share one token request. Tokens are renewed
 * well before they expire, and replaced if the service rejects them.
 */
import { exchange, Lost } from './exchange.ts'
import { ServiceUnavailable, TokenRefused } from './failures.ts'
import { makeTraceparent } from './random.ts'
import type { ClientCredentials, ConnectionSettings, OwnTokens, Retry } from './settings.ts'
import { defaults, tokenPath } from './settings.ts'
import { nextRetry, orAborted, parseRetryAfter, patienceOf, retryLimitsOf, wait } from './waiting.ts'

/** A source of tokens. Concurrent callers share one token request, and tokens are renewed before they expire. */
export interface TokenSource {
  /** A token that is not known to be invalid. Throws `TokenRefused` or `ServiceUnavailable`. */
  current(signal?: AbortSignal): Promise<string>
  /** Reports that the service rejected this token. The next call of `current` returns another token. */
  forget(token: string): void
}

interface Token {
  readonly text: string
  /** Milliseconds of `now`. */
  readonly renewAt: number
  readonly expiresAt: number
}

/** Renewal begins after this part of a token's lifetime, at a random moment of the rest. */
const renewalBeginsAtPart = 0.75
const renewalEndsAtPart = 0.95

/** Adds authentication to a request: the token, or none for a page of the service, whose cookie the browser adds. */
export function authorize(headers: Headers, token: string | undefined) {
  if (token === undefined) headers.set('x-clearing-console', '1')
  else headers.set('authorization', `Bearer ${token}`)
}

/** Creates a source of tokens by client credentials, for the client and for tools that send their own requests. */
export function createTokenSource(
  settings: Omit<ConnectionSettings, 'baseUrl'> & ClientCredentials & { readonly baseUrl?: string },
): TokenSource {
  const now = () => performance.now()
  let token: Token | undefined
  let flight: Promise<Token> | undefined

  const renew = () => {
    flight ??= requestToken(settings, now)
      .then((renewed) => {
        token = renewed
        return renewed
      })
      .finally(() => {
        flight = undefined
      })
    return flight
  }

  return {
    async current(signal) {
      signal?.throwIfAborted()
      if (token === undefined || now() >= token.expiresAt) return (await orAborted(renew(), signal)).text
      if (now() >= token.renewAt) renew().catch(() => undefined)
      return token.text
    },
    forget(text) {
      if (token?.text === text) token = undefined
    },
  }
}

/** Tokens that the caller supplies. */
export function borrowTokens({ accessToken }: OwnTokens): TokenSource {
  let refused: string | undefined
  return {
    async current(signal) {
      signal?.throwIfAborted()
      const token = await orAborted(Promise.resolve(accessToken({ renew: refused !== undefined })), signal)
      refused = undefined
      return token
    },
    forget(text) {
      refused = text
    },
  }
}

async function requestToken(
  settings: Omit<ConnectionSettings, 'baseUrl'> & ClientCredentials & { readonly baseUrl?: string },
  now: () => number,
): Promise<Token> {
  const { clientId, clientSecret, scope } = settings
  const limits = retryLimitsOf({}, settings)
  const startedMs = now()
  const url = settings.tokenUrl ?? `${settings.baseUrl ?? ''}${tokenPath}`
  const traceparent = makeTraceparent()
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope: scope.join(' ') }),
  })
  const patience = patienceOf(settings)
  for (let number = 1; ; number++) {
    const askedAt = now()
    let failure: Error
    let retryAfterMs: number | undefined
    try {
      const received = await exchange({
        url,
        headers: new Headers({ accept: 'application/json', traceparent }),
        body: form,
        fetch: settings.fetch ?? globalThis.fetch,
        timeoutMs: settings.timeoutMs ?? defaults.timeoutMs,
        signal: undefined,
        streams: false,
      })
      const answer = parseTokenAnswer(received.text)
      if (received.status === 200 && typeof answer.access_token === 'string') {
        return makeToken(answer.access_token, answer.expires_in, askedAt)
      }
      const { error, error_description: description } = answer
      failure = new TokenRefused(
        received.status,
        typeof error === 'string' ? error : 'unexpected_answer',
        typeof description === 'string' ? description : undefined,
      )
      if (received.status !== 429 && received.status < 500) throw failure
      retryAfterMs = parseRetryAfter(received.headers.get('retry-after'))
    } catch (cause) {
      if (!(cause instanceof Lost)) throw cause
      failure = cause
    }
    const delayMs = nextRetry(limits, number, now() - startedMs, retryAfterMs, patience)
    if (delayMs === undefined) throw unavailable(failure, traceparent, retryAfterMs)
    const retry: Retry = { operation: 'token', number, delayMs, reason: failure }
    settings.onRetry?.(retry)
    await wait(delayMs)
  }
}

function unavailable(cause: Error, traceId: string, retryAfterMs: number | undefined) {
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
  readonly error?: unknown
  readonly error_description?: unknown
}

function parseTokenAnswer(text: string): TokenAnswer {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
