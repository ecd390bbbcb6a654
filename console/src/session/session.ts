/** The signed-in person, read once at the start. Without a session the browser goes to the sign-in and returns here. */
import { createContext, use } from 'react'
import { setServiceTime } from '../design/service-clock.ts'
import { discardDrafts } from '../drafts.ts'
import { shareValue } from '../shared-value.ts'
import { readJson } from './read-json.ts'

export interface Session {
  readonly staffId: string
  readonly name: string
  readonly email: string
  readonly role: string
  /** Names of the operations that the role may call. */
  readonly permissions: readonly string[]
  readonly sandbox: boolean
  readonly secondFactor: boolean
  /** The role needs a second factor that is not set up yet. */
  readonly secondFactorDue: boolean
}

/** The person whom this page shows. */
let shown: Session | undefined

/** The headers of every call: the service refuses a page whose session belongs to another person by now. */
export function headersOfPage(): Record<string, string> {
  return { 'X-Clearing-Console': '1', ...(shown && { 'X-Clearing-Person': shown.staffId }) }
}

/** Undefined when no person is signed in. */
async function readSession(): Promise<Session | undefined> {
  const answer = await fetch('/console/session', {
    headers: { 'X-Clearing-Console': '1', accept: 'application/json' },
  })
  if (answer.status === 401) return undefined
  const { now, ...session } = await readJson<Session & { readonly now: string }>(answer)
  setServiceTime(now)
  return session
}

/** The signed-in person, whom the page shows from now on. */
export async function startSession(): Promise<Session | undefined> {
  shown = await readSession()
  return shown
}

export function signInAddress(returnTo = location.pathname + location.search) {
  return `/console/sign-in?returnTo=${encodeURIComponent(returnTo)}`
}

/** Throws an error if the person is still signed in. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/console/sign-out', { method: 'POST', headers: headersOfPage() })
  if (answer.status === 401 && typeof (await checkSession()) === 'object') return
  if (!answer.ok && answer.status !== 401) throw new Error(`The service answered ${answer.status}.`)
  discardDrafts()
  // An outside provider ends its own session too.
  const { location: there = '/console/' } =
    answer.status === 200 ? ((await answer.json()) as { location?: string }) : {}
  location.assign(there)
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('a screen was shown before the sign-in')
  return session
}

/** Why the page may not act: its session ended, or another person signed in in the browser. */
export type Interruption = 'ended' | { readonly by: Session }
/** Typed values stay, and the shell asks what to do. */
export const interrupted = shareValue<Interruption | undefined>(undefined)

/** Reads whose session it is. A service that does not respond changes nothing. */
export async function checkSession(): Promise<Interruption | undefined> {
  try {
    const session = await readSession()
    const isShown = session !== undefined && session.staffId === shown?.staffId
    const why = session === undefined ? 'ended' : isShown ? undefined : { by: session }
    interrupted.set(why)
    return why
  } catch {
    return undefined
  }
}

/** Whether the service can be reached: every call reports it, and the shell shows it. */
export const reachable = shareValue(true)
