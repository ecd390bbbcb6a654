/**
 * The sign-in of people on the server: from the console to the provider, through its pages, and back with a session.
 * Errors are shown as pages, not as envelopes.
 */

import { countOf } from '@clearing/protocol/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify } from 'jose'
import { inTransaction } from '../../database/transaction.ts'
import { addressOf } from '../../identity/caller-address.ts'
import { countBegunSignIns } from '../../identity/staff/begun-sign-ins.ts'
import {
  dropCookie,
  dropSignInCookie,
  readSessionCookie,
  readSignInCookie,
  renderSessionCookie,
  renderSignInCookie,
} from '../../identity/staff/cookies.ts'
import type { People } from '../../identity/staff/people.ts'
import {
  consoleClientId,
  peoplePaths,
  providerCookies,
  setForwardedOrigin,
  signedInPath,
} from '../../identity/staff/people-provider.ts'
import {
  renderProblemPage,
  renderSignInPage,
  securityHeaders,
  sendPage,
  stylePath,
  styleSheet,
} from '../../identity/staff/sign-in-pages.ts'
import {
  beginSignIn,
  parseReturnTo,
  parseSignInCookie,
  type SignInRequest,
  signInSeconds,
} from '../../identity/staff/sign-in-request.ts'
import type { Passed } from '../../identity/staff/sign-in-steps.ts'
import { signedInFrom } from '../../identity/staff/signed-in-from.ts'
import { readStaffById, type StoredStaff } from '../../store/staff.ts'

const formSizeBytesMax = 8_192
const noRole = 'You have no role in this service.'
const tooMany = 'Too many sign-ins have begun from your network.'
const expired = 'The sign-in took too long, or was begun in another window.'

export function mountSignIn(app: FastifyInstance, people: People): void {
  const begun = countBegunSignIns()
  app.register(async (part) => {
    part.removeAllContentTypeParsers()
    part.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formSizeBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    part.setErrorHandler((fault, request, reply) => {
      const status = fault instanceof Error && 'statusCode' in fault ? Number(fault.statusCode) : 500
      if (status < 500) return sendPage(reply, status, renderProblemPage('The request cannot be read.'))
      people.log.error({ err: fault, path: request.routeOptions.url }, 'sign-in')
      reply.header('Retry-After', '2')
      return sendPage(reply, 503, renderProblemPage('Sign-in is not possible now. Try again in a moment.'))
    })

    part.get(stylePath, (_request, reply) =>
      reply
        .header('Content-Type', 'text/css; charset=utf-8')
        .header('Cache-Control', 'public, max-age=3600')
        .header('X-Content-Type-Options', 'nosniff')
        .send(styleSheet),
    )
    part.get<{ Querystring: { returnTo?: string } }>('/console/sign-in', (request, reply) =>
      begin(people, request, reply, request.query.returnTo),
    )
    part.get(signedInPath, (request, reply) => comeBack(people, request, reply))
    part.get(peoplePaths.authorize, (request, reply) => {
      const wait = begun.take(addressOf(request))
      if (wait === 0) return handOver(people, request, reply)
      reply.header('Retry-After', String(wait))
      return sendPage(reply, 429, renderProblemPage(`${tooMany} Wait ${countOf(wait, 'second')}.`))
    })
    part.get(peoplePaths.resume, (request, reply) => handOver(people, request, reply))
    const url = `${peoplePaths.signIn}/:uid`
    part.get(url, (request, reply) => takeStep(people, request, reply, undefined))
    part.post<{ Body: URLSearchParams }>(url, (request, reply) =>
      takeStep(people, request, reply, request.body),
    )
  })
}

/** Redirects to the provider, with the values that bind its response to this browser. */
async function begin(people: People, request: FastifyRequest, reply: FastifyReply, returnTo: unknown) {
  const origin = people.originOf(request)
  const signIn = beginSignIn(parseReturnTo(typeof returnTo === 'string' ? returnTo : undefined))
  reply.header('Cache-Control', 'no-store')
  reply.header('Set-Cookie', [
    renderSignInCookie(signIn.cookie, origin, signInSeconds),
    dropCookie(providerCookies.session),
  ])
  const redirectUri = origin + signedInPath
  if (people.outside) return reply.redirect(await people.outside.authorizeUrl({ ...signIn, redirectUri }))
  const query = new URLSearchParams({
    client_id: consoleClientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: signIn.challenge,
    code_challenge_method: 'S256',
    prompt: 'login',
  })
  return reply.redirect(`${peoplePaths.authorize}?${query}`)
}

/** Passes the request to the provider. */
async function handOver(people: People, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { answer } = await people.provider()
  setForwardedOrigin(request.raw, people.originOf(request))
  reply.hijack()
  for (const [name, value] of Object.entries(securityHeaders)) reply.raw.setHeader(name, value)
  await answer(request.raw, reply.raw)
}

/**
 * Handles one page of the sign-in: takes the submitted form, and shows the next page or lets the provider
 * continue.
 */
async function takeStep(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams | undefined,
) {
  const { provider } = await people.provider()
  setForwardedOrigin(request.raw, people.originOf(request))
  const { result } = (await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)) ?? {
    result: null,
  }
  if (result === null) return sendPage(reply, 400, renderProblemPage(expired))
  const before = result?.passed as Passed | undefined
  const outcome = form
    ? await people.steps.take(before, form, addressOf(request))
    : await people.steps.next(before)
  if (outcome.kind === 'page') {
    const { passed, page, why } = outcome
    if (passed !== undefined) {
      await provider.interactionResult(request.raw, reply.raw, { passed }, { mergeWithLastSubmission: false })
    }
    return sendPage(reply, why === '' ? 200 : 400, renderSignInPage(page, why, form?.get('email') ?? ''))
  }
  const { staff, code } = outcome
  const login = { accountId: staff.staffId, remember: false, amr: code ? ['pwd', 'otp'] : ['pwd'] }
  const to = await provider.interactionResult(
    request.raw,
    reply.raw,
    { login },
    { mergeWithLastSubmission: false },
  )
  // The path must be a path of this service. The provider may have put any host before it.
  const { pathname } = new URL(to)
  return reply.header('Cache-Control', 'no-store').redirect(pathname, 303)
}

/** Handles the return from the provider: identifies the person and opens a session. */
async function comeBack(people: People, request: FastifyRequest, reply: FastifyReply) {
  const origin = people.originOf(request)
  const signIn = parseSignInCookie(readSignInCookie(request.raw, origin))
  const { code, state } = request.query as { code?: unknown; state?: unknown }
  reply.header('Set-Cookie', [dropSignInCookie(origin), dropCookie(providerCookies.session)])
  if (signIn === undefined || state !== signIn.state || typeof code !== 'string')
    return sendPage(reply, 400, renderProblemPage(expired))
  const staff = await findWho(people, signIn, code, origin)
  if (staff === undefined) {
    await people.refuse({ email: undefined, address: addressOf(request), why: noRole })
    return sendPage(reply, 403, renderProblemPage(noRole))
  }
  // The session that this browser had before is ended, not reused (ASVS 7.2.4).
  await people.sessions.end(readSessionCookie(request.raw, origin) ?? '')
  const value = await people.sessions.start(staff.staffId, signedInFrom(request))
  await people.note(staff.email, 'sign-in', staff.email, { role: staff.role, address: addressOf(request) })
  people.log.info({ staffId: staff.staffId, address: addressOf(request) }, 'signed in')
  reply.header('Set-Cookie', renderSessionCookie(value, origin))
  return reply.header('Cache-Control', 'no-store').redirect(signIn.returnTo)
}

async function findWho(
  people: People,
  signIn: SignInRequest,
  code: string,
  origin: string,
): Promise<StoredStaff | undefined> {
  const { verifier, nonce } = signIn
  if (people.outside) {
    const person = await people.outside.exchange({
      code,
      verifier,
      nonce,
      redirectUri: origin + signedInPath,
    })
    return person && people.welcome(person)
  }
  const idToken = await (await people.provider()).exchange(code, verifier, origin)
  if (idToken === undefined) return undefined
  const { signingKeys } = await people.identity.directory.current()
  const { payload } = await jwtVerify(
    idToken,
    ({ kid }) => {
      const key = signingKeys.get(kid ?? '')
      if (key === undefined) throw new Error('an id token names an unknown key')
      return key.publicKey
    },
    { issuer: people.identity.issuer, audience: consoleClientId, algorithms: ['ES256'] },
  )
  const { sub } = payload
  if (payload.nonce !== nonce || sub === undefined) return undefined
  const staff = await inTransaction(people.operations, { firm: null, readOnly: true }, (tx) =>
    readStaffById(tx, sub),
  )
  return staff?.disabledAt === null ? staff : undefined
}
