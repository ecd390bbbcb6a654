/** The settings of a client and of a single call, with the named defaults. */
import type { Scope } from '@clearing/protocol'
import type { ClientKey } from './client-key.ts'

/** The form of decimal numbers in responses (amounts, prices, quantities): JSON numbers, or their exact text. */
export type Decimals = 'number' | 'string'

/**
 * Credentials of a firm: a secret, or a key that signs token requests. The client obtains and renews tokens with them.
 */
export type ClientCredentials = SecretCredentials | KeyCredentials

/** A client id with its secret. */
export interface SecretCredentials extends TokenSettings {
  readonly clientSecret: string
  readonly clientKey?: undefined
}

/** A client id with a private key (`private_key_jwt`, RFC 7523), instead of a secret. */
export interface KeyCredentials extends TokenSettings {
  /** The private key: EC on P-256. Operations set its public half with `replace-client-keys`. */
  readonly clientKey: ClientKey
  /** The issuer of the service, which the signed requests name. The default is `baseUrl`. */
  readonly issuer?: string | undefined
  readonly clientSecret?: undefined
}

/** The client id, and how tokens are requested. */
interface TokenSettings {
  readonly clientId: string
  /** Scopes to request. The default is every scope that the credential was granted. */
  readonly scope?: readonly (Scope | (string & {}))[] | undefined
  /** The token endpoint. The default is `{baseUrl}/identity/connect/token`. */
  readonly tokenUrl?: string | undefined
  /**
   * Whether tokens are bound to a key that the client generates and that cannot be exported (DPoP, RFC 9449). A
   * stolen token is useless without the key. Each request then has a new signed proof. The default is false. The
   * clock of the machine must be accurate to a minute.
   */
  readonly dpop?: boolean | undefined
}

/** For callers that get their tokens from another source, such as a vault. */
export interface OwnTokens {
  /**
   * Returns an access token. The function is called before every request, so it should cache the token. `renew` is true
   * if the service rejected the last token and a new one is needed.
   */
  readonly accessToken: (wanted: { readonly renew: boolean }) => string | Promise<string>
}

/**
 * For pages that the service itself serves, such as the console. Requests carry the cookie of the page's session
 * instead of a token, and the header `X-Clearing-Console: 1`, which a form or a page of another origin cannot send
 * without permission. A call throws `SignedOut` if the session has ended. `baseUrl` is the origin of the page:
 * `location.origin`.
 */
export interface PageSession {
  readonly session: 'page'
}

/** The address of the service, and the timeouts and retries of the client. Times are in milliseconds. */
export interface ConnectionSettings {
  /** Address of the service, such as `http://127.0.0.1:8080`. A path in it is kept as a prefix. */
  readonly baseUrl: string
  /**
   * The cell that answers the calls of the clearing firm's operations, if there are several: a name of `list-cells`.
   * The router finds the cell of a client firm's calls, and of token requests, by the client id.
   */
  readonly cell?: string | undefined
  /** A replacement of the runtime's fetch, for proxies, client certificates or tests. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Longest time without data from the service, in milliseconds, before the response begins and between two chunks of
   * it. The default is 40,000. The default for uploads is five minutes, and loads have no limit, since their responses
   * begin after the whole body is sent; the setting of a call applies to both.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Most retries after a temporary failure; 0 disables retries. By default `retryForMs` alone is the limit. A number
   * without `retryForMs` is the only limit.
   */
  readonly retries?: number | undefined
  /**
   * How long after the start of a call retries begin, in milliseconds. The default is 60,000: longer than the failover
   * of a database takes.
   */
  readonly retryForMs?: number | undefined
  /** Wait before the first retry, in milliseconds. It doubles with each retry, up to 5 seconds. The default is 250. */
  readonly retryDelayMs?: number | undefined
  /** Longest wait before a retry, in milliseconds. The default is 20,000. A longer Retry-After ends the call. */
  readonly retryDelayMsMax?: number | undefined
  /** Called before each attempt of a call, for logs and traces. */
  readonly onRequest?: ((attempt: Attempt) => void) | undefined
  /** Called after each attempt of a call, with or without a response. */
  readonly onResponse?: ((attempt: EndedAttempt) => void) | undefined
  /** Called before the wait of each retry, for logs. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

/** One attempt of a call. The body is not part of it: it can hold personal data. */
export interface Attempt {
  /** Name of the operation, such as `new-account`. */
  readonly operation: string
  readonly url: string
  /** The W3C trace id that the attempt sends. */
  readonly traceId: string
  /** The idempotency key of a write; undefined for a read. */
  readonly idempotencyKey: string | undefined
}

/** An attempt that has ended. */
export interface EndedAttempt extends Attempt {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  readonly durationMs: number
}

/** A retry that is about to wait. */
export interface Retry {
  /** Name of the operation, or `token` for the token endpoint. */
  readonly operation: string
  /** Number of the retry, from 1. */
  readonly number: number
  readonly delayMs: number
  /** The failure of the previous attempt. */
  readonly reason: Error
}

/** Settings of `createClient`: the address, one form of authentication, timeouts and retries. */
export type ClientSettings<D extends Decimals = 'number'> = ConnectionSettings &
  (ClientCredentials | OwnTokens | PageSession) & {
    /**
     * `string` returns amounts, prices and quantities as the exact text that the service wrote (`"1234.5678901"`). A
     * JavaScript number can lose digits after the fifteenth. Integers stay numbers. The default is `number`.
     */
    readonly decimals?: D | undefined
  }

/** Settings of one call. */
export interface CallSettings {
  /**
   * The idempotency key of a write, 1 to 255 printable ASCII characters: all requests with one key take effect once
   * (Reading 1.12). By default each call generates a key, which covers the retries of the client. Set a key to cover
   * your own retries as well, for example after a restart. Operations that only read ignore the key.
   */
  readonly idempotencyKey?: string | undefined
  /** Ends the call, which then rejects with the reason of the signal. A write may still have taken effect. */
  readonly signal?: AbortSignal | undefined
  /** Like the setting of `ClientSettings`, for this call. */
  readonly timeoutMs?: number | undefined
  /** Like the setting of `ClientSettings`, for this call. */
  readonly retries?: number | undefined
  /** Like the setting of `ClientSettings`, for this call. */
  readonly retryForMs?: number | undefined
  /**
   * A state that a read must include: the `consistency` of an event, or the header `Clearing-Consistency` of a write of
   * another process. The client itself sends what it knows from its own writes and from `events`.
   */
  readonly consistency?: string | undefined
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Sandbox only: makes the service fail the first attempt of this call in the named way (header X-Sandbox-Fault), to
   * test a caller's handling of failures.
   */
  readonly sandboxFault?:
    | '500'
    | '503'
    | '429'
    | 'expired-token'
    | 'timeout'
    | 'drop-after-commit'
    | `slow=${number}`
    | undefined
}

export const defaults = {
  /** Longer than the time limit of the service (30 s), so that the service reports a timeout first. */
  timeoutMs: 40_000,
  uploadTimeoutMs: 300_000,
  retryForMs: 60_000,
  retryDelayMs: 250,
  retryDelayMsMax: 20_000,
} as const

/** The path of the token endpoint (Specification, Token). */
export const tokenPath = '/identity/connect/token'
