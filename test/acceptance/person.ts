/**
 * Simulates a person of staff at a browser: signs in through the pages with cookies, and calls operations as the
 * console does.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type OperationName, operations, pathOf } from '@clearing/protocol'
import { sandboxPasswordFile } from '../../server/src/identity/staff/sandbox-staff.ts'
import type { RawAnswer, RunningService } from './running-service.ts'

export type Jar = Map<string, string>

export async function staffPassword(service: RunningService): Promise<string> {
  return (await readFile(sandboxPasswordFile(service.dataDir), 'utf8')).trim()
}

/** Sends one request as a browser does, with the cookies, and stores new ones. Follows no redirect. */
export async function browse(
  service: RunningService,
  jar: Jar,
  path: string,
  request: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(request.headers)
  if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
  const answer = await fetch(new URL(path, service.address), { ...request, headers, redirect: 'manual' })
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
  return answer
}

/** Follows redirects until a page is returned. */
export async function follow(service: RunningService, jar: Jar, path: string, request?: RequestInit) {
  let answer = await browse(service, jar, path, request)
  let at = path
  for (let hops = 0; answer.status >= 300 && answer.status < 400; hops++) {
    assert.ok(hops < 10, 'too many redirects')
    const to = new URL(answer.headers.get('location') ?? '', new URL(at, service.address))
    assert.equal(to.host, new URL(service.address).host, `redirected to ${to.href}`)
    at = to.pathname + to.search
    await answer.body?.cancel()
    if (at.startsWith('/console/') && !at.startsWith('/console/sign')) return { at, status: 200, text: '' }
    answer = await browse(service, jar, at)
  }
  return { at, status: answer.status, text: await answer.text() }
}

/** Sends the form of the page that is shown. */
export function submit(service: RunningService, jar: Jar, at: string, form: Record<string, string>) {
  return follow(service, jar, at, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
}

export interface PersonAtWork {
  readonly email: string
  readonly jar: Jar
  /** Calls an operation as the console does. */
  call(operation: OperationName, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>
  /** Calls a path of the console. */
  send(
    path: string,
    request?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RawAnswer>
}

/** Signs the person in, or fails the test. */
export async function signIn(
  service: RunningService,
  email: string,
  password?: string,
): Promise<PersonAtWork> {
  const jar: Jar = new Map()
  const { at } = await follow(service, jar, '/console/sign-in?returnTo=/console/work')
  const done = await submit(service, jar, at, { email, password: password ?? (await staffPassword(service)) })
  assert.equal(done.at, '/console/work', done.text)
  return atWork(service, email, jar)
}

export function atWork(service: RunningService, email: string, jar: Jar): PersonAtWork {
  const headersOf = (more: Record<string, string> = {}): Record<string, string> => ({
    'x-clearing-console': '1',
    origin: service.address,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    ...more,
  })
  return {
    email,
    jar,
    call: (operation, body = {}, headers = {}) =>
      service.send(pathOf(operation, operations[operation].audience), {
        headers: headersOf(headers),
        body: JSON.stringify(body),
      }),
    async send(path, { method = 'POST', body, headers = {} } = {}) {
      const answer = await browse(service, jar, path, {
        method,
        headers: headersOf(headers),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      let json: unknown
      try {
        json = JSON.parse(text)
      } catch {}
      return { status: answer.status, headers: answer.headers, text, json }
    },
  }
}
