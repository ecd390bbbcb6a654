/**
 * In production, no person has the e-mail address of a person of the sandbox, with whom the service would not start
 * again.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OperationName, Request } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { inTransaction } from '../database/transaction.ts'
import { createFirstAdmin } from '../identity/staff/first-admin.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { clearingFirmId } from '../store/firms.ts'
import type { Context, Handler } from './context.ts'
import { createStaff } from './create-staff.ts'
import { updateStaff } from './update-staff.ts'

let ground: TestGround
before(async () => {
  ground = await prepareGround()
})
after(() => ground?.[Symbol.asyncDispose]())

/** The rejections of an operation that a program of operations calls; empty when it was done. */
function rejectionsOf<N extends OperationName>(
  handler: Handler<N>,
  request: Request<N>,
  sandbox: boolean,
): Promise<string[]> {
  return inTransaction(ground.database.operations, { firm: null }, async (tx) => {
    const context = {
      tx,
      firm: { firmId: clearingFirmId },
      caller: { clientId: 'operations', scopes: new Set(['operations']) },
      now: ground.clock.now(),
      traceId: '',
      parts: { sandbox, identity: ground.clock },
    } as unknown as Context
    const outcome = await handler(request, context)
    if (!(outcome instanceof Rejected)) return []
    tx.abandon()
    return outcome.rejections.map(({ code, field }) => `${code} ${field}`)
  })
}

test('create-staff takes the addresses of the sandbox only in a sandbox, in every letter case', async () => {
  const person = { email: 'Viewer@Example.com', name: 'Vera Vance', role: 'viewer' } as const
  assert.deepEqual(await rejectionsOf(createStaff, person, false), ['ERR.1015 email'])
  const other = { ...person, email: 'viewers@example.com' }
  assert.deepEqual(await rejectionsOf(createStaff, other, false), [])
  assert.deepEqual(await rejectionsOf(createStaff, person, true), [])
})

test('update-staff does not enable a person of the sandbox in production, and disables one', async () => {
  const email = 'viewer@example.com'
  assert.deepEqual(await rejectionsOf(updateStaff, { email, disabled: true }, false), [])
  assert.deepEqual(await rejectionsOf(updateStaff, { email, disabled: false }, false), ['ERR.1015 disabled'])
  assert.deepEqual(await rejectionsOf(updateStaff, { email, disabled: false }, true), [])
})

test('create-admin refuses the address of the admin of the sandbox', async () => {
  const { masterKeys, clock } = ground
  const { operations } = ground.database
  const admin = { operations, masterKeys, name: 'Ada', force: true, now: clock.now() }
  const made = await createFirstAdmin({ ...admin, email: 'admin@example.com' })
  assert.equal(made.kind, 'refused')
  assert.equal((await createFirstAdmin({ ...admin, email: 'ada@example.com' })).kind, 'made')
})
