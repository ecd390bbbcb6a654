/** The cookies of the console: the session, and the cookie that binds a sign-in to the browser that began it. */
import type { IncomingMessage } from 'node:http'

const sessionName = 'clearing-session'
const signInName = 'clearing-sign-in'

/** Over https the prefix makes a browser refuse the cookie from any other host, path or scheme. */
const named = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

const render = (name: string, value: string, secure: boolean, more: string): string =>
  `${named(name, secure)}=${value}; Path=/; HttpOnly${secure ? '; Secure' : ''}; ${more}`

const isSecure = (origin: string): boolean => origin.startsWith('https:')

export const renderSessionCookie = (value: string, origin: string): string =>
  render(sessionName, value, isSecure(origin), 'SameSite=Strict')
export const dropSessionCookie = (origin: string): string =>
  render(sessionName, '', isSecure(origin), 'SameSite=Strict; Max-Age=0')

/** Lax, because an outside provider redirects the browser from its own site. */
export const renderSignInCookie = (value: string, origin: string, seconds: number): string =>
  render(signInName, value, isSecure(origin), `SameSite=Lax; Max-Age=${seconds}`)
export const dropSignInCookie = (origin: string): string =>
  render(signInName, '', isSecure(origin), 'SameSite=Lax; Max-Age=0')

/** Drops a cookie of the provider. */
export const dropCookie = (name: string): string => `${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`

/** Returns the value of a cookie; undefined when it is absent or given twice. */
const read = (raw: IncomingMessage, name: string): string | undefined => {
  const found = (raw.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

export const readSessionCookie = (raw: IncomingMessage, origin: string): string | undefined =>
  read(raw, named(sessionName, isSecure(origin)))
export const readSignInCookie = (raw: IncomingMessage, origin: string): string | undefined =>
  read(raw, named(signInName, isSecure(origin)))
