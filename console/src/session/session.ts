/** The signed-in person, read once at the start. Without a session the browser goes to the sign-in and returns here. */
import { createContext, use } from 'react'
import { setServiceTime } from '../design/service-clock.ts'
import { shareValue } from '../shared-value.ts'

export interface Session {
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

const header = { 'X-Clearing-Console': '1' }

/** Undefined when no person is signed in. */
export async function readSession(): Promise<Session | undefined> {
  const answer = await fetch('/console/session', { headers: { ...header, accept: 'application/json' } })
  if (answer.status === 401) return undefined
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  const { now, ...session } = (await answer.json()) as Session & { readonly now: string }
  setServiceTime(now)
  return session
}

export function signInAddress(returnTo = location.pathname + location.search) {
  return `/console/sign-in?returnTo=${encodeURIComponent(returnTo)}`
}

export async function signOut(): Promise<void> {
  const answer = await fetch('/console/sign-out', { method: 'POST', headers: header })
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

/** The session ended while a screen was open. Typed values stay, and the shell asks to sign in again. */
export const expired = shareValue(false)
/** Whether the service can be reached: every call reports it, and the shell shows it. */
export const reachable = shareValue(true)
