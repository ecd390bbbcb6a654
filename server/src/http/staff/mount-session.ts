/** The session of a person in the console: profile, open sessions, sign-out, change of password, and second factor. */
import { countOf, limits, permissionsOf, type Rejection, reject } from '@clearing/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../../database/transaction.ts'
import { addressOf } from '../../identity/caller-address.ts'
import { dropSessionCookie, readSessionCookie, renderSessionCookie } from '../../identity/staff/cookies.ts'
import { forgetGuesses, takeGuess } from '../../identity/staff/guesses.ts'
import { hashPassword, matchesPassword, whyPasswordIsWeak } from '../../identity/staff/password.ts'
import { type People, secondFactorDue } from '../../identity/staff/people.ts'
import { whyForeign } from '../../identity/staff/same-origin.ts'
import { refuseOtherPerson } from '../../identity/staff/same-person.ts'
import {
  makeSecret,
  openSecret,
  renderSecretUri,
  sealSecret,
  stepOfCode,
} from '../../identity/staff/second-factor.ts'
import { signedInFrom } from '../../identity/staff/signed-in-from.ts'
import { clearingFirmId } from '../../store/firms.ts'
import {
  type StaffSession,
  writeOfferedSecondFactor,
  writePassword,
  writeSecondFactor,
} from '../../store/staff.ts'
import { noSession } from '../admission/session.ts'
import { type Outlet, sendFault, sendRejections, sendText } from '../answer/answer.ts'
import { httpLimits } from '../limits.ts'
import { startCall } from '../start-call.ts'

const bodySizeBytesMax = 4_096

type Body = Readonly<Record<string, unknown>>
/** The text of a 200, undefined for a 204, or rejections. */
type Outcome = string | undefined | readonly Rejection[]
type Act = (
  session: StaffSession,
  body: Body,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Outcome>

export function mountSession(app: FastifyInstance, people: People, clock: () => Date): void {
  const outlet: Outlet = { logger: people.log, observe: () => {}, limits: httpLimits }
  const serve = (act: Act, changes: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const call = startCall(request, undefined, undefined)
    try {
      const origin = people.originOf(request)
      const foreign = changes ? whyForeign(request.raw, origin) : undefined
      if (foreign !== undefined) return sendRejections(outlet, call, reply, [reject('ERR.1003', '', foreign)])
      const session = await people.sessions.find(readSessionCookie(request.raw, origin) ?? '', changes)
      if (session === undefined) return sendRejections(outlet, call, reply, [noSession])
      const other = refuseOtherPerson(request.raw, session)
      if (other !== undefined) return sendRejections(outlet, call, reply, [other])
      const outcome = await act(session, bodyOf(request.body), request, reply)
      if (Array.isArray(outcome)) return sendRejections(outlet, call, reply, outcome as Rejection[])
      const cookies = reply.getHeader('set-cookie')
      const headers = cookies === undefined ? {} : { 'set-cookie': String(cookies) }
      sendText(outlet, call, reply, {
        status: outcome === undefined ? 204 : 200,
        text: (outcome as string | undefined) ?? '',
        headers,
      })
    } catch (fault) {
      sendFault(outlet, call, reply, fault)
    }
  }
  app.register(async (part) => {
    part.removeAllContentTypeParsers()
    part.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: bodySizeBytesMax },
      (_request, body, done) => done(null, body),
    )
    part.get(
      '/console/session',
      serve(
        async (session) =>
          JSON.stringify({ ...renderSession(session, people.sandbox), now: clock().toISOString() }),
        false,
      ),
    )
    part.get('/console/sessions', serve(listSessions(people), false))
    part.post('/console/sessions/end', serve(endOtherSessions(people), true))
    part.post('/console/sign-out', serve(signOut(people), true))
    part.post('/console/password', serve(changePassword(people), true))
    part.post('/console/second-factor', serve(offerSecondFactor(people), true))
    part.post('/console/second-factor/confirm', serve(confirmSecondFactor(people), true))
  })
}

function bodyOf(body: unknown): Body {
  try {
    const parsed: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : {}
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {}
  } catch {
    return {}
  }
}
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1_000) : ''
}

function renderSession(session: StaffSession, sandbox: boolean) {
  return {
    staffId: session.staffId,
    name: session.name,
    email: session.email,
    role: session.role,
    permissions: permissionsOf(session.role),
    sandbox,
    secondFactor: session.secondFactor !== null,
    secondFactorDue: secondFactorDue(session, sandbox),
    idleMinutes: limits.sessionIdleMinutes,
  }
}

function signOut(people: People): Act {
  return async (session, _body, request, reply) => {
    const origin = people.originOf(request)
    await people.sessions.end(readSessionCookie(request.raw, origin) ?? '')
    await people.note(session.email, 'sign-out', session.email, {})
    reply.header('set-cookie', dropSessionCookie(origin))
    // Without sign-out at the other provider, the next sign-in would succeed without a question.
    const location = await people.outside?.signOutUrl(`${origin}/console/`)
    return location === undefined ? undefined : JSON.stringify({ location })
  }
}

function cookieOf(people: People, request: FastifyRequest): string {
  return readSessionCookie(request.raw, people.originOf(request)) ?? ''
}

function listSessions(people: People): Act {
  return async ({ staffId }, _body, request) =>
    JSON.stringify({ sessions: await people.sessions.list(staffId, cookieOf(people, request)) })
}

function endOtherSessions(people: People): Act {
  return async (session, body, request) => {
    const wrong = await askPassword(people, session, body, request)
    if (wrong !== undefined) return wrong
    const ended = await people.change(session.email, 'end-sessions', async (tx) => ({
      ended: await people.sessions.endOthers(tx, session.staffId, cookieOf(people, request)),
    }))
    return JSON.stringify(ended)
  }
}

/**
 * Checks the password that a person gives again before an important change. A person of another provider has no
 * password here.
 */
async function askPassword(
  people: People,
  { email, passwordHash }: StaffSession,
  { current }: Body,
  request: FastifyRequest,
): Promise<readonly Rejection[] | undefined> {
  if (passwordHash === null) return undefined
  const ip = addressOf(request)
  const slowed = await slowDown(people, email, ip, 'current')
  if (slowed !== undefined) return slowed
  if (!(await matchesPassword(textOf(current), passwordHash)))
    return [reject('ERR.1016', 'current', 'This is not your password.')]
  await inTransaction(people.operations, { firm: null }, async (tx) => forgetGuesses(tx, email, ip))
  return undefined
}

/** Counts an attempt. The rejection if too many were wrong. */
async function slowDown(
  people: People,
  email: string,
  ip: string,
  field: string,
): Promise<readonly Rejection[] | undefined> {
  const wait = await inTransaction(people.operations, { firm: null }, (tx) =>
    takeGuess(tx, email, ip, people.identity.now()),
  )
  return wait > 0
    ? [reject('ERR.2007', field, `Too many wrong attempts. Wait ${countOf(wait, 'second')}.`)]
    : undefined
}

function changePassword(people: People): Act {
  return async (session, body, request, reply) => {
    const { email, staffId, passwordHash } = session
    if (passwordHash === null)
      return [reject('ERR.1003', '', 'Your password is managed by another provider.')]
    const wrong = await askPassword(people, session, body, request)
    if (wrong !== undefined) return wrong
    const weak = whyPasswordIsWeak(textOf(body.password), session)
    if (weak !== undefined) return [reject('ERR.1016', 'password', weak)]
    const hash = await hashPassword(textOf(body.password))
    // Every session ends with the old password. This browser gets a new session.
    await people.change(email, 'change-password', async (tx) => {
      await writePassword(tx, staffId, hash, false)
      return {}
    })
    reply.header(
      'set-cookie',
      renderSessionCookie(
        await people.sessions.start(staffId, signedInFrom(request)),
        people.originOf(request),
      ),
    )
    return undefined
  }
}

function offerSecondFactor(people: People): Act {
  return async (session, body, request) => {
    const { staffId, email, passwordHash } = session
    if (passwordHash === null)
      return [reject('ERR.1003', '', 'Your second factor is managed by another provider.')]
    const wrong = await askPassword(people, session, body, request)
    if (wrong !== undefined) return wrong
    const secret = makeSecret()
    const sealed = await people.keyring.using(clearingFirmId, (keys) => sealSecret(keys, staffId, secret))
    await inTransaction(people.operations, { firm: null }, (tx) =>
      writeOfferedSecondFactor(tx, staffId, sealed),
    )
    const uri = renderSecretUri(secret, email)
    // Few people set up a second factor while a process runs.
    const { toString: renderQr } = await import('qrcode')
    return JSON.stringify({ secret, uri, qr: await renderQr(uri, { type: 'svg', margin: 1 }) })
  }
}

function confirmSecondFactor(people: People): Act {
  return async ({ staffId, email, secondFactorOffered }, body, request) => {
    if (secondFactorOffered === null)
      return [reject('ERR.2013', '', 'There is no second factor to confirm; request one first.')]
    const slowed = await slowDown(people, email, addressOf(request), 'code')
    if (slowed !== undefined) return slowed
    const secret = await people.keyring.using(clearingFirmId, (keys) =>
      openSecret(keys, staffId, secondFactorOffered),
    )
    const step = stepOfCode(secret, textOf(body.code).replace(/\s/g, ''), people.identity.now())
    if (step === undefined) return [reject('ERR.1016', 'code', 'The code does not match the secret shown.')]
    await people.change(email, 'enrol-second-factor', async (tx) => {
      await writeSecondFactor(tx, staffId, secondFactorOffered, step)
      forgetGuesses(tx, email, addressOf(request))
      // Sessions that were opened with the password alone end now.
      return { ended: await people.sessions.endOthers(tx, staffId, cookieOf(people, request)) }
    })
    return undefined
  }
}
