/** The cookies of the console: the session, and the cookie that binds a sign-in to the browser that began it. */
import type { IncomingMessage } from 'node:http'

const sessionName = 'clearing-session'
const signInName = 'clearing-sign-in'

/** Over https this prefix makes a browser refuse the cookie from any other host, path or scheme. */
function named(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

function render(name: string, value: string, secure: boolean, more: string): string {
  return `${named(name, secure)}=${value}; Path=/; HttpOnly${secure ? '; Secure' : ''}; ${more}`
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}

export function renderSessionCookie(value: string, origin: string): string {
  return render(sessionName, value, isSecure(origin), 'SameSite=Strict')
}
export function dropSessionCookie(origin: string): string {
  return render(sessionName, '', isSecure(origin), 'SameSite=Strict; Max-Age=0')
}

/** Lax, because an outside provider redirects the browser from its own site. */
export function renderSignInCookie(value: string, origin: string, seconds: number): string {
  return render(signInName, value, isSecure(origin), `SameSite=Lax; Max-Age=${seconds}`)
}
export function dropSignInCookie(origin: string): string {
  return render(signInName, '', isSecure(origin), 'SameSite=Lax; Max-Age=0')
}

/** Removes a cookie of the provider. */
export function dropCookie(name: string): string {
  return `${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
}

/** Returns the value of a cookie; undefined when it is absent or given twice. */
function read(raw: IncomingMessage, name: string): string | undefined {
  const found = (raw.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

export function readSessionCookie(raw: IncomingMessage, origin: string): string | undefined {
  return read(raw, named(sessionName, isSecure(origin)))
}
export function readSignInCookie(raw: IncomingMessage, origin: string): string | undefined {
  return read(raw, named(signInName, isSecure(origin)))
}
