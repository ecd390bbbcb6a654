/** Refusals of the token endpoint: the error objects of RFC 6749, section 5.2, with their HTTP status. */

export interface TokenError {
  readonly status: 400 | 401 | 405 | 413 | 429 | 500 | 503
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'unsupported_grant_type'
    | 'invalid_scope'
    | 'invalid_target'
    | 'invalid_dpop_proof'
    | 'temporarily_unavailable'
    | 'server_error'
  /** Printable ASCII without `"` and `\`. Contains no sent value, except a scope of a client that authenticated. */
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
}

export function invalidRequest(description: string): TokenError {
  return {
    status: 400,
    error: 'invalid_request',
    description,
  }
}

export function invalidDpopProof(description: string): TokenError {
  return {
    status: 400,
    error: 'invalid_dpop_proof',
    description,
  }
}

/** The same response for an unknown client, a wrong secret, a disabled client and a disabled firm. */
export const invalidClient: TokenError = {
  status: 401,
  error: 'invalid_client',
  description: 'Client authentication failed.',
  headers: { 'WWW-Authenticate': 'Basic realm="clearing", charset="UTF-8"' },
}

/** For a request that does not authenticate its client. */
export function unauthenticated(missing: 'client_id' | 'client_secret'): TokenError {
  return { ...invalidClient, description: `Client authentication is missing: there is no ${missing}.` }
}

/** For a client with a right secret whose firm accepts only signed requests. */
export const keysOnly: TokenError = {
  ...invalidClient,
  description:
    'The firm of this client accepts signed token requests only (private_key_jwt): have its public keys set with replace-client-keys.',
}

/** For a client that has proven its identity. */
export const wrongAddress: TokenError = {
  ...invalidClient,
  description:
    'The client may not be used from this address. Send the request from a network of the credential, or ask operations to add yours.',
}

export function tooManyFailures(retryAfterSeconds: number): TokenError {
  return {
    status: 429,
    error: 'invalid_client',
    description: 'Client authentication failed too often from this address.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }
}

const scopeLengthShownMax = 60

/** For a client that has proven its identity. */
export function invalidScope(scope: string, granted: readonly string[]): TokenError {
  const isShown = /^[\w:.-]+$/.test(scope) && scope.length <= scopeLengthShownMax
  const subject = isShown ? `The scope ${scope}` : 'A requested scope'
  const description = `${subject} is unknown or not granted to this client. Granted: ${granted.join(' ')}.`
  return { status: 400, error: 'invalid_scope', description }
}

export const invalidTarget: TokenError = {
  status: 400,
  error: 'invalid_target',
  description: 'Tokens are given for this service only.',
}

export const methodNotAllowed: TokenError = {
  status: 405,
  error: 'invalid_request',
  description: 'The token endpoint is called with POST.',
  headers: { Allow: 'POST' },
}

export function requestTooLarge(sizeBytesMax: number): TokenError {
  return {
    status: 413,
    error: 'invalid_request',
    description: `The form must be at most ${sizeBytesMax} bytes.`,
  }
}

export const unavailable: TokenError = {
  status: 503,
  error: 'temporarily_unavailable',
  description: 'The service cannot answer now.',
  headers: { 'Retry-After': '2' },
}

export const serverError: TokenError = {
  status: 500,
  error: 'server_error',
  description: 'The service failed to answer.',
}
