/** Many callers write to one account at the same time. Each waits, and no other call fails because they wait. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { untilBehind } from './waiting-behind.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(() => service?.stop())

test('a firm changes an account while operations wait for it with all their connections', async () => {
  const { alpha, operations } = service
  await service.query('begin')
  await service.query('select from clearing.account where account_number = $1 for update', [accountNumber])
  const change = alpha.updateAccount({ accountNumber, mailingAddress: { street: '99 Elm Street' } })
  await untilBehind(service, 1)
  // Operations have four connections.
  const notes = Array.from({ length: 8 }, (_, at) =>
    operations.operations.addNote({ accountNumber, text: `Note ${at}` }),
  )
  await untilBehind(service, 5)
  await service.query('commit')
  await Promise.all([change, ...notes])
  assert.doesNotMatch(service.log(), /lock timeout|no database connection/)
  const { rows } = await service.query(
    `select count(*)::int as count from clearing.access_record where operation = 'update-account' and account_number = $1`,
    [accountNumber],
  )
  assert.equal(rows[0].count, 1)
})

test('a firm reads personal numbers while operations wait for an account with all their connections', async () => {
  const { alpha, operations } = service
  const other = await openAndFollow(alpha, applicationOf({ lastName: 'Sato', taxIdNumber: '219099977' }))
  await service.query('begin')
  await service.query('select from clearing.account where account_number = $1 for update', [accountNumber])
  const notes = Array.from({ length: 4 }, (_, at) =>
    operations.operations.addNote({ accountNumber, text: `Note ${at}` }),
  )
  await untilBehind(service, 4)
  const { data } = await alpha.getAccount({ accountNumber: other })
  await service.query('commit')
  await Promise.all(notes)
  assert.ok('accountStatus' in data)
  assert.doesNotMatch(service.log(), /lock timeout|no database connection/)
})
