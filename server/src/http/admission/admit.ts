/**
 * Checks a call before its body is read: token, rate, scope, Accept and Content-Type. In the sandbox it also
 * reads the fault that the caller asks for. Returns the refusal, or undefined when the call is admitted.
 */
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Rejection, reject } from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import type { Authenticate } from '../../identity/authenticate.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Firm } from '../../store/firm.ts'
import { acceptsJson, contentTypeDue, isContentType } from '../body/media-type.ts'
import { queryOf } from '../body/query.ts'
import type { Call, Route } from '../call.ts'
import { type Challenge, challengeOf, countHeader, inSchemeOf, readToken, scopeMissing } from './bearer.ts'
import type { RateLimiter } from './rate-limit.ts'
import { readSandboxFault } from './sandbox-fault.ts'
import type { AdmitPerson } from './session.ts'

export interface Gate {
  readonly authenticate: Authenticate
  /** Absent when no people sign in. */
  readonly admitPerson?: AdmitPerson | undefined
  readonly rates: RateLimiter
  readonly sandbox: boolean
}

export interface Refusal {
  readonly rejections: readonly Rejection[]
  readonly headers: Readonly<Record<string, string>>
}

/** The refusal of a firm's calls while the firm moves from one cell to another. */
export const beingMoved = reject(
  'ERR.5003',
  '',
  'The firm is being moved to another cell; nothing was changed.',
)
export const movingPauseSeconds = '1'

function refusal(rejection: Rejection, headers: Refusal['headers'] = {}): Refusal {
  return {
    rejections: [rejection],
    headers,
  }
}

function refuseChallenge({ headers }: IncomingMessage, challenge: Challenge): Refusal {
  const { rejections, wwwAuthenticate } = inSchemeOf(headers.authorization, challenge)
  return {
    rejections,
    headers: { 'www-authenticate': wwwAuthenticate },
  }
}

export async function admit(
  gate: Gate,
  call: Call & { readonly route: Route },
  request: FastifyRequest,
): Promise<Refusal | undefined> {
  const { raw } = request
  const { route } = call
  const known = await recognize(gate, call, request)
  if ('rejections' in known) return known
  const { firm, caller } = known
  call.firm = firm
  call.caller = caller
  if (firm.moving) return refusal(beingMoved, { 'retry-after': movingPauseSeconds })
  const { requestsPerSecond } = firm.settings
  call.rate = gate.rates.take(caller.clientId, requestsPerSecond, performance.now())
  if (!call.rate.allowed) {
    const reason = `More than ${requestsPerSecond} requests a second.`
    return refusal(reject('ERR.2007', '', reason), { 'retry-after': `${call.rate.resetSeconds}` })
  }
  const ofOperations = route.allFirms !== undefined && caller.scopes.has('operations')
  if (!caller.scopes.has(route.scope) && !ofOperations) return refuseChallenge(raw, scopeMissing(route.scope))
  const { answers, body } = route.operation
  if (answers !== 'file' && !acceptsJson(raw.headers.accept)) {
    return refusal(reject('ERR.2014', '', 'The answer is application/json.'))
  }
  const contentType = raw.headers['content-type']
  if (!isContentType(body, contentType) || countHeader(raw.rawHeaders, 'content-type') > 1) {
    return refusal(reject('ERR.2005', '', `Content-Type must be ${contentTypeDue[body]}.`))
  }
  if (raw.headers['content-encoding'] !== undefined) {
    return refusal(reject('ERR.2005', '', 'The body must be sent without a Content-Encoding.'))
  }
  return gate.sandbox ? askForFault(call, raw) : undefined
}

/** A token takes precedence; without a token, the session of a person identifies the caller. */
async function recognize(
  gate: Gate,
  call: Call & { readonly route: Route },
  request: FastifyRequest,
): Promise<{ readonly firm: Firm; readonly caller: Caller } | Refusal> {
  const { raw } = request
  if (raw.headers.authorization === undefined && raw.headers.dpop === undefined) {
    const person = await gate.admitPerson?.(request, call.route)
    if (person !== undefined) return 'rejection' in person ? refusal(person.rejection) : person
  }
  const read = readToken(request, queryOf(raw.url ?? ''))
  if ('rejections' in read) return refuseChallenge(raw, read)
  const { address, traceId } = call
  const authentication = await gate.authenticate(read.token, { address, traceId, presented: read.presented })
  return authentication.kind === 'known' ? authentication : refuseChallenge(raw, challengeOf(authentication))
}

async function askForFault(call: Call, raw: IncomingMessage): Promise<Refusal | undefined> {
  const fault = readSandboxFault(raw.headers['x-sandbox-fault'])
  if (fault === undefined) return undefined
  call.fault = fault
  if (fault.kind === 'expired token') return refuseChallenge(raw, challengeOf({ kind: 'expired' }))
  if (fault.kind === 'slow') await pause(fault.delayMs)
  if (fault.kind !== 'answer') return undefined
  const { rejections, retryAfterSeconds } = fault
  return {
    rejections,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` },
  }
}
