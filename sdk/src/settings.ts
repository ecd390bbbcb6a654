/** What a client is made with, and what a single call may set; every default has a name here. */
import type { Scope } from '@clearing/protocol'

/** How decimal numbers of answers (amounts, prices, quantities) are given: as JSON numbers, or as their exact text. */
export type Decimals = 'number' | 'string'

/** Credentials of a firm: the client asks for tokens itself and renews them. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** Scopes to ask for; all that the credential was granted when absent. */
  readonly scope?: readonly (Scope | (string & {}))[]
  /** The token endpoint; `{baseUrl}/identity/connect/token` when absent. */
  readonly tokenUrl?: string
}

/** For callers that get their tokens elsewhere: a console after its sign-in, a vault. */
export interface OwnTokens {
  /**
   * Answers an access token. It is asked before every request, so it should keep the token; `renew` is true when the
   * service refused the last one, and asks for another.
   */
  readonly accessToken: (wanted: { readonly renew: boolean }) => string | Promise<string>
}

/**
 * For pages that the service itself serves, such as the console: requests carry no token but the cookie of the page's session,
 * and the header `X-Clearing-Console: 1`, which no form and no page of another origin can send unasked. When the session has
 * ended, a call throws `SignedOut`. `baseUrl` is the page's own: `location.origin`.
 */
export interface PageSession {
  readonly session: 'page'
}

/** Where the service is, and how patient the client is with it; times are milliseconds. */
export interface ConnectionSettings {
  /** Address of the service, such as `http://127.0.0.1:8080`; a path in it is kept as a prefix. */
  readonly baseUrl: string
  /** Another fetch than the runtime's: for proxies, client certificates, tests. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Longest silence of the service in milliseconds, 40,000 by default: until an answer begins, and between two pieces of
   * it. An upload has five minutes, a load as long as it takes, unless a call sets a limit: their answers begin when all
   * is sent.
   */
  readonly timeoutMs?: number
  /** How often a request is sent again after a failure that may pass; 4 by default, 0 never. */
  readonly retries?: number
  /** The wait before the first retry, in milliseconds; it doubles with each. 250 by default. */
  readonly retryDelayMs?: number
  /** Longest wait before a retry, in milliseconds; 20,000 by default. A longer Retry-After ends the call. */
  readonly retryDelayMsMax?: number
  /** Told of each retry before its wait: for logs. */
  readonly onRetry?: (retry: Retry) => void
}

/** One retry, told before its wait. */
export interface Retry {
  /** The operation's name, or `token` for the token endpoint. */
  readonly operation: string
  /** 1 for the first retry. */
  readonly number: number
  readonly delayMs: number
  /** What happened to the request before. */
  readonly reason: Error
}

/** Settings of `createClient`: an address, one way to show who calls, and how patient to be. */
export type ClientSettings<D extends Decimals = 'number'> = ConnectionSettings &
  (ClientCredentials | OwnTokens | PageSession) & {
    /**
     * `string` answers amounts, prices and quantities as the exact text that the service wrote (`"1234.5678901"`), where
     * a JavaScript number may lose digits beyond the fifteenth. Integers stay numbers. `number` by default.
     */
    readonly decimals?: D
  }

/** Settings of one call. */
export interface CallSettings {
  /**
   * The key under which a write has one effect however often it is sent, 1 to 255 printable characters (Reading 1.12).
   * By default each call makes its own, which covers the client's retries; give one to cover your own as well, for
   * example after a restart. Ignored by operations that only read.
   */
  readonly idempotencyKey?: string
  /** Ends the call; it then rejects with the signal's reason. A write may still have happened. */
  readonly signal?: AbortSignal
  /** As in `ClientSettings`, for this call. */
  readonly timeoutMs?: number
  /** As in `ClientSettings`, for this call. */
  readonly retries?: number
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sandbox only: how the service shall fail the first attempt of this call (header X-Sandbox-Fault), to try a caller's
   * handling of failures.
   */
  readonly sandboxFault?: '500' | '503' | '429' | 'timeout' | 'drop-after-commit' | `slow=${number}`
}

export const defaults = {
  /** Longer than the service gives itself (30 s), so that it is the one to say that it cannot. */
  timeoutMs: 40_000,
  uploadTimeoutMs: 300_000,
  retries: 4,
  retryDelayMs: 250,
  retryDelayMsMax: 20_000,
} as const

/** The path of the token endpoint (Specification, Token). */
export const tokenPath = '/identity/connect/token'
