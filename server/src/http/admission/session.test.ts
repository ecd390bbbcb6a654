/**
 * A person without a second factor may read masked data, but may not write or read personal numbers where accounts are
 * real.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import type { People } from '../../identity/staff/people.ts'
import type { StaffSession } from '../../store/staff.ts'
import type { Route } from '../call.ts'
import { prepareAdmitPerson } from './session.ts'

const session: StaffSession = {
  staffId: '1',
  email: 'operator@example.com',
  name: 'O',
  role: 'operator',
  passwordHash: '$argon2id$',
  passwordTemporary: false,
  passwordSetAt: '2026-06-01T00:00:00Z',
  secondFactor: null,
  secondFactorStep: 0n,
  secondFactorOffered: null,
  disabledAt: null,
  createdAt: '',
  lastSignInAt: null,
  seenAt: '',
}
const origin = 'https://clearing.example'
const headers = { 'x-clearing-console': '1', cookie: `__Host-clearing-session=${'a'.repeat(43)}` }
const revealing = { 'x-clearing-reveal': 'personal-numbers', 'x-clearing-reveal-reason': 'A%20call' }
function route(name: string, writes: boolean) {
  return {
    name,
    path: `/operations-api/v1/${name}`,
    scope: 'operations',
    operation: { writes },
  } as unknown as Route
}

function admit(staff: StaffSession, sandbox: boolean, to: Route, more: object = {}) {
  const request = { raw: { headers: { ...headers, ...more } } } as unknown as FastifyRequest
  return prepareAdmitPerson({
    sandbox,
    originOf: () => origin,
    sessions: { find: async () => staff },
    admit: async () => ({ firm: {}, caller: { clientId: staff.email, scopes: new Set(['operations']) } }),
  } as unknown as People)(request, to)
}

for (const [what, staff, sandbox, to, admitted] of [
  ['without a second factor may read', session, false, route('list-work', false), true],
  ['without a second factor may not write', session, false, route('claim-work', true), false],
  [
    'with a second factor may write',
    { ...session, secondFactor: Buffer.alloc(1) },
    false,
    route('claim-work', true),
    true,
  ],
  [
    'of another provider may write',
    { ...session, passwordHash: null },
    false,
    route('claim-work', true),
    true,
  ],
  ['without a second factor may write in the sandbox', session, true, route('claim-work', true), true],
] as const) {
  test(`a person ${what}`, async () => {
    const outcome = await admit(staff, sandbox, to)
    assert.equal(outcome !== undefined && 'caller' in outcome, admitted, JSON.stringify(outcome))
  })
}

const enrolled = { ...session, secondFactor: Buffer.alloc(1) }
for (const [what, staff, sandbox, admitted] of [
  ['without a second factor may not read personal numbers', session, false, false],
  ['with a second factor may read personal numbers', enrolled, false, true],
  ['of another provider may read personal numbers', { ...session, passwordHash: null }, false, true],
  ['without a second factor may read personal numbers in the sandbox', session, true, true],
] as const) {
  test(`a person ${what}`, async () => {
    const outcome = await admit(staff, sandbox, route('get-account', false), revealing)
    if (admitted)
      assert.ok(outcome !== undefined && 'caller' in outcome && outcome.caller.scopes.has('pii:read'))
    else
      assert.deepEqual(outcome, {
        rejection: {
          code: 'ERR.1003',
          field: '',
          reason: 'Enrol a second factor before you read personal numbers.',
        },
      })
  })
}
