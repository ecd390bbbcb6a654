/**
 * Reads a token request strictly before any other code: one form, each parameter once, one way of authenticating. The
 * provider then gets a request without ambiguity (RFC 6749, sections 2.3, 3.2 and 4.4).
 */
import {
  invalidClient,
  invalidDpopProof,
  invalidRequest,
  type TokenError,
  unauthenticated,
} from './token-error.ts'

/** The proof of identity that a client sends. */
export type Proof =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'assertion'; readonly assertion: string; readonly assertionType: string }

export interface TokenRequest {
  /** Undefined only with an assertion, which names the client itself. */
  readonly clientId: string | undefined
  readonly proof: Proof
  readonly grantType: string
  /** Undefined: all granted scopes. */
  readonly scope: string | undefined
  readonly resource: string | undefined
  /** The DPoP proof, which is not verified yet (RFC 9449, 5). */
  readonly dpopProof: string | undefined
}

/** The parts of a request that are used: the message of Node's http, and its body. */
export interface RawTokenRequest {
  readonly rawHeaders: readonly string[]
  readonly url?: string | undefined
  readonly body: Buffer | undefined
  /** The thumbprint of the client's TLS certificate. */
  readonly certificate?: string | undefined
}

const formParameters = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'grant_type',
  'scope',
  'resource',
] as const
/** Refused in URLs, which logs and histories store. */
const neverInQuery: ReadonlySet<string> = new Set([...formParameters, 'access_token'])
const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i
/** The type of an assertion that is a JWT (RFC 7523, 2.2). */
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** Characters that form encoding leaves unchanged. */
const isPlain = /^[A-Za-z0-9*._-]*$/
const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the request, or the error to respond with. */
export function readTokenRequest(raw: RawTokenRequest): TokenRequest | TokenError {
  const url = raw.url ?? ''
  const queryAt = url.indexOf('?')
  if (queryAt >= 0) {
    const query = url.slice(queryAt + 1)
    for (const name of new URLSearchParams(query).keys()) {
      if (neverInQuery.has(name.toLowerCase()))
        return invalidRequest(
          'The parameters of a token request, credentials and tokens must not be in the URL.',
        )
    }
  }
  const form = readForm(raw)
  if ('status' in form) return form
  const authorizations = headersNamed(raw, 'authorization')
  if (authorizations.length > 1)
    return invalidRequest('The request must have one Authorization header at most.')
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = form
  const ways = [authorizations[0], secret, assertion].filter((way) => way !== undefined).length
  if (ways > 1) return invalidRequest('The client must authenticate in one way, not in several.')
  const proofs = headersNamed(raw, 'dpop')
  if (proofs.length > 1) return invalidDpopProof('The DPoP header must be given once.')
  const rest = {
    dpopProof: proofs[0],
    grantType: form.grant_type ?? 'client_credentials',
    scope: form.scope,
    resource: form.resource,
  }
  if (authorizations[0] !== undefined) {
    const basic = readBasic(authorizations[0])
    if (basic === undefined) return invalidClient
    if (clientId !== undefined && clientId !== basic.clientId)
      return invalidRequest('The request names two clients.')
    return { clientId: basic.clientId, proof: { kind: 'secret', secret: basic.secret }, ...rest }
  }
  if (assertion !== undefined) {
    const assertionType = form.client_assertion_type
    if (assertionType === undefined) return invalidRequest('client_assertion_type is missing.')
    if (assertionType !== jwtBearer) return invalidRequest(`client_assertion_type must be ${jwtBearer}.`)
    return { clientId, proof: { kind: 'assertion', assertion, assertionType }, ...rest }
  }
  // No client authentication is a failed one (RFC 6749, 5.2).
  if (clientId === undefined) return unauthenticated('client_id')
  if (secret === undefined) return unauthenticated('client_secret')
  return { clientId, proof: { kind: 'secret', secret }, ...rest }
}

type Form = { [Name in (typeof formParameters)[number]]?: string }

/**
 * Reads the known parameters. A parameter without a value counts as absent (RFC 6749, 3.2); unknown ones are ignored.
 */
function readForm(raw: RawTokenRequest): Form | TokenError {
  const types = headersNamed(raw, 'content-type')
  const { body } = raw
  if (body === undefined || body.length === 0) return {}
  if (types.length !== 1 || !isForm.test(types[0] as string))
    return invalidRequest('Content-Type must be application/x-www-form-urlencoded.')
  if (headersNamed(raw, 'content-encoding').length > 0)
    return invalidRequest('The form must be sent without a Content-Encoding.')
  const form: Record<string, string> = {}
  const seen = new Set<string>()
  for (const pair of body.toString('latin1').split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (name === undefined || value === undefined) return invalidRequest('The form is not well encoded.')
    if (seen.has(name)) return invalidRequest('A parameter must not be given twice.')
    seen.add(name)
    if (value !== '' && (formParameters as readonly string[]).includes(name)) form[name] = value
  }
  return form
}

/** Form-decodes bytes held as latin1; undefined for bytes that are not UTF-8 or have an invalid escape. */
function decode(text: string): string | undefined {
  if (isPlain.test(text)) return text
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

/** Reads id and secret of HTTP Basic, each form-decoded after base64 (RFC 6749, 2.3.1); undefined for anything else. */
function readBasic(authorization: string): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined || !strictBase64.test(encoded)) return undefined
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const clientId = decode(text.slice(0, colon))
  const secret = decode(text.slice(colon + 1))
  return clientId && secret ? { clientId, secret } : undefined
}

function headersNamed(raw: RawTokenRequest, name: string): string[] {
  const found: string[] = []
  for (let at = 0; at + 1 < raw.rawHeaders.length; at += 2) {
    if ((raw.rawHeaders[at] as string).toLowerCase() === name) found.push(raw.rawHeaders[at + 1] as string)
  }
  return found
}
