/**
 * Checks the settings of a client when it is created, so that an invalid setting is reported at once and not at
 * the first call, and the limits and the key of a call before it is sent.
 */
import { idempotencyKeyLengthMax } from '@clearing/protocol/calls'
import { checkNames, settingNames } from './setting-names.ts'
import type { CallSettings, ClientSettings, ConnectionSettings, Decimals } from './settings.ts'

/** Returns the base address without a slash at its end. Throws TypeError if a setting is missing or invalid. */
export function checkSettings(settings: ClientSettings<Decimals>): string {
  if (typeof settings !== 'object' || settings === null)
    throw new TypeError('createClient needs settings: createClient({ baseUrl, clientId, clientSecret })')
  checkNames(settings, settingNames.createClient)
  checkCredentials(settings)
  checkLimits(settings)
  for (const name of ['fetch', 'onRequest', 'onResponse', 'onRetry'] as const) {
    const value: unknown = settings[name]
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`${name} must be a function; got ${render(value)}`)
  }
  return parseBaseUrl(settings.baseUrl)
}

/** Throws TypeError if a limit of a client or of a call is not a number of at least 0. */
export function checkLimits(settings: ConnectionSettings | CallSettings): void {
  const given: Readonly<Record<string, unknown>> = { ...settings }
  for (const name of ['timeoutMs', 'retries', 'retryForMs', 'retryDelayMs', 'retryDelayMsMax']) {
    const value = given[name]
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0)))
      throw new TypeError(`${name} must be a number of at least 0; got ${render(value)}`)
  }
}

const printable = /^[\x20-\x7e]+$/

/** Throws TypeError if the service would reject the key, or fetch could not send it. */
export function checkIdempotencyKey(key: unknown): void {
  if (typeof key === 'string' && printable.test(key) && key.length <= idempotencyKeyLengthMax) return
  throw new TypeError(
    `idempotencyKey must be text of 1 to ${idempotencyKeyLengthMax} characters from space to ~ (printable ASCII); got ${render(key)}`,
  )
}

/**
 * The further headers of a call. Throws TypeError if fetch could not send one. Values are not shown: they can be
 * secrets.
 */
export function readHeaders(given: CallSettings['headers'] = {}): Headers {
  const wrong = Object.entries(given).find(([name, value]) => !isHeader(name, value))
  if (wrong === undefined) return new Headers(given)
  throw new TypeError(`headers must have names and values of printable ASCII text; check ${render(wrong[0])}`)
}

/** The error of the runtime names a ByteString and no header, and an absent value would be sent as `undefined`. */
function isHeader(name: string, value: unknown): boolean {
  try {
    new Headers().set(name, value as string)
    return value !== undefined && value !== null
  } catch {
    return false
  }
}

const tokenForm = /^\s*[\x21-\x7e]+\s*$/

/** Throws TypeError if `accessToken` returned no token. The value is not shown. */
export function checkAccessToken(token: unknown): asserts token is string {
  if (typeof token === 'string' && tokenForm.test(token)) return
  const got = typeof token !== 'string' ? String(token) : token === '' ? 'an empty text' : 'another text'
  throw new TypeError(
    `accessToken must return a token, printable ASCII text without spaces; it returned ${got}`,
  )
}

function parseBaseUrl(baseUrl: unknown): string {
  const example = 'such as http://127.0.0.1:8080'
  if (typeof baseUrl !== 'string' || baseUrl === '')
    throw new TypeError(`baseUrl must be the address of the service, ${example}; got ${render(baseUrl)}`)
  const url = parseUrl(baseUrl)
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(`baseUrl must begin with http:// or https://, ${example}; got ${render(baseUrl)}`)
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not contain credentials: pass clientId and clientSecret')
  if (url.search !== '' || url.hash !== '')
    throw new TypeError(`baseUrl must end with its path; got ${render(baseUrl)}`)
  return url.href.replace(/\/+$/, '')
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function checkCredentials(settings: object): void {
  const { clientId, clientSecret, accessToken, session, scope, dpop } = settings as Record<string, unknown>
  if (dpop !== undefined && (typeof dpop !== 'boolean' || session !== undefined || accessToken !== undefined))
    throw new TypeError('dpop must be true or false, and needs clientId')
  if (session !== undefined) {
    if (session !== 'page') throw new TypeError(`session must be 'page'; got ${render(session)}`)
    return
  }
  if (accessToken !== undefined) {
    if (typeof accessToken !== 'function')
      throw new TypeError(`accessToken must be a function that returns a token; got ${typeof accessToken}`)
    return
  }
  const { clientKey } = settings as Record<string, unknown>
  if (clientKey !== undefined) checkKey(clientKey, settings as Record<string, unknown>)
  for (const [name, value] of Object.entries(
    clientKey === undefined ? { clientId, clientSecret } : { clientId },
  )) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(
        `${name} is missing: pass clientId with clientSecret or clientKey (is the environment variable set?), or accessToken, or session: 'page'`,
      )
  }
  if (scope !== undefined && !Array.isArray(scope))
    throw new TypeError("scope must be an array of scopes, such as ['accounts:read']")
}

function checkKey(clientKey: unknown, { clientSecret, issuer }: Record<string, unknown>): void {
  if (clientSecret !== undefined) throw new TypeError('pass clientSecret or clientKey, not both')
  const { kty, crv, d } = (typeof clientKey === 'object' ? (clientKey ?? {}) : {}) as Record<string, unknown>
  if (kty !== 'EC' || crv !== 'P-256' || typeof d !== 'string')
    throw new TypeError('clientKey must be a private JSON web key: kty EC, crv P-256, with x, y and d')
  if (issuer !== undefined && typeof issuer !== 'string')
    throw new TypeError(`issuer must be the address that tokens name; got ${render(issuer)}`)
}

function render(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}
