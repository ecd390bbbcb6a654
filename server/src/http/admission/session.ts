/**
 * Admits a request of the console by its session. The request must come from the console, and gets the
 * permissions of the person's role. A person who calls an operation of a client firm acts for the firm that
 * owns the account in the request. A person gets unmasked personal numbers only with a second factor, and after
 * giving a reason, which is recorded.
 */
import {
  block,
  limits,
  mayCall,
  type Rejection,
  readRequest,
  reject,
  type Scope,
  whyNot,
  words,
} from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../identity/caller.ts'
import { readSessionCookie } from '../../identity/staff/cookies.ts'
import { type People, secondFactorDue } from '../../identity/staff/people.ts'
import { consoleHeader, whyForeign } from '../../identity/staff/same-origin.ts'
import { refuseOtherPerson } from '../../identity/staff/same-person.ts'
import type { Firm } from '../../store/firm.ts'
import type { Route } from '../call.ts'

export type AdmitPerson = (
  request: FastifyRequest,
  route: Route,
) => Promise<{ readonly firm: Firm; readonly caller: Caller } | { readonly rejection: Rejection } | undefined>

const revealHeader = 'x-clearing-reveal'
/** Percent-encoded, because a header can carry only ASCII. */
const reasonHeader = 'x-clearing-reveal-reason'
const reasonBlock = block({ reason: words(limits.noteLengthMax) })
const backgroundHeader = 'x-clearing-background'
export const noSession = reject('ERR.3001', '', 'There is no session, or it has ended. Sign in.')

/**
 * Makes the function that admits a request without a token. The function returns undefined when the request has no
 * session either.
 */
export function prepareAdmitPerson(people: People): AdmitPerson {
  return async (request, route) => {
    const { raw } = request
    const origin = people.originOf(request)
    const cookie = readSessionCookie(raw, origin)
    if (cookie === undefined && raw.headers[consoleHeader] === undefined) return undefined
    const foreign = whyForeign(raw, origin)
    if (foreign !== undefined) return { rejection: reject('ERR.1003', '', foreign) }
    const session = await people.sessions.find(cookie ?? '', raw.headers[backgroundHeader] === undefined)
    const known = session && (await people.admit(session))
    if (session === undefined || known === undefined) return { rejection: noSession }
    const other = refuseOtherPerson(raw, session)
    if (other !== undefined) return { rejection: other }
    const refused = whyNot(session.role, route.name, route.path.startsWith('/sandbox-api/'))
    if (refused !== undefined) return { rejection: reject('ERR.1003', '', refused) }
    if (route.operation.writes && secondFactorDue(session, people.sandbox))
      return { rejection: reject('ERR.1003', '', 'Enrol a second factor before you change anything.') }
    const scopes = new Set<Scope>([...known.caller.scopes, route.scope])
    if (raw.headers[revealHeader] === 'personal-numbers') {
      if (!mayCall(session.role, 'personal-numbers')) {
        return { rejection: reject('ERR.1003', '', whyNot(session.role, 'personal-numbers') ?? '') }
      }
      if (secondFactorDue(session, people.sandbox))
        return {
          rejection: reject('ERR.1003', '', 'Enrol a second factor before you read personal numbers.'),
        }
      const readingReason = readReason(raw.headers[reasonHeader])
      if (typeof readingReason !== 'string') return { rejection: readingReason }
      scopes.add('pii:read')
      return { firm: known.firm, caller: { ...known.caller, scopes, readingReason } }
    }
    return { firm: known.firm, caller: { ...known.caller, scopes } }
  }
}

function readReason(sent: string | readonly string[] | undefined): string | Rejection {
  const { value, rejections } = readRequest(reasonBlock, { reason: decoded(String(sent ?? '')) })
  return rejections[0] ?? value.reason
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
