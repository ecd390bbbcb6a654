/** A person without a second factor may read, but may not write where accounts are real. */
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
  secondFactor: null,
  secondFactorStep: 0n,
  secondFactorOffered: null,
  disabledAt: null,
  createdAt: '',
  lastSignInAt: null,
  seenAt: '',
}
const origin = 'https://clearing.example'
const request = {
  raw: { headers: { 'x-clearing-console': '1', cookie: `__Host-clearing-session=${'a'.repeat(43)}` } },
} as unknown as FastifyRequest
function route(name: string, writes: boolean) {
  return {
    name,
    path: `/operations-api/v1/${name}`,
    scope: 'operations',
    operation: { writes },
  } as unknown as Route
}

function admit(staff: StaffSession, sandbox: boolean, to: Route) {
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
