/**
 * The sandbox starts again after any change of its demonstration accounts. The accounts are made once, later changes by
 * users stay, and the next start completes a first start that was killed.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { demonstrationActivity } from '../../server/src/sandbox/demonstration-activity.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const random = makeRandom(seed)
const kills = Number(process.env.KILLS ?? 1)
/** From before the first account to the middle of the activity, on a fast machine. */
const killAfterMs = [1_500, 6_000] as const

async function isWhole({ operations, query }: ServiceProcess) {
  const { rows } = await query(
    `select count(*), count(distinct external_id) as different from clearing.activity where external_id like 'DEMO-%'`,
  )
  const lines = `${demonstrationActivity('2026-01-02').length}`
  assert.deepEqual(rows, [{ count: lines, different: lines }])
  const { rows: made } = await query(
    "select count(*) from clearing.account where account_number between '30100001' and '30100009'",
  )
  assert.equal(made[0].count, '9')
  assert.equal((await operations.operations.verifyBooks({})).data.verified, true)
}

let service: ServiceProcess
before(async () => {
  service = await makeServiceProcess({ withAccounts: true })
})
after(() => service?.dispose())

test(`the next start finishes a first start that was killed at a random moment, ${kills} times`, async () => {
  for (let round = 0; round < kills; round++) {
    await service.launch()
    const afterMs = random.whole(...killAfterMs)
    await pause(afterMs)
    await service.kill(random.next() < 0.5)
  }
  await service.start()
  await isWhole(service)
  // A first start does not name each migration.
  assert.match(service.output(), /the schema was/)
  assert.doesNotMatch(service.output(), /001-roles/)
})

test('it starts again, quickly, after its accounts were restricted, closed, changed and traded in', async () => {
  const { alpha, operations } = service
  const reason = 'A letter of the customer.'
  const { closeAccount, placeRestriction } = operations.operations
  for (const [accountNumber, restrictionCode] of [
    ['30100005', 'LegalHold'],
    ['30100009', 'NoTrading'],
  ] as const)
    await placeRestriction({ accountNumber, restrictionCode, reason })
  await closeAccount({ accountNumber: '30100008', reason })
  await alpha.updateAccount({ accountNumber: '30100001', primaryOwner: { jobTitle: 'Clerk' } })
  await operations.sandbox.addTrades({ accountNumber: '30100002', seed: 'some', count: 10 })
  await operations.sandbox.advanceClock({ days: 40 })
  await operations.sandbox.freezeClock({})
  const status = async (accountNumber: string) => {
    const { data } = await alpha.getAccount({ accountNumber })
    return 'accountStatus' in data ? data.accountStatus : ''
  }
  const before = await Promise.all(['30100005', '30100008', '30100001'].map(status))
  // The third account gets no follow-up that restricts it after forty days.
  assert.deepEqual(before, ['Restricted', 'Closed', 'Open'])
  const loads = async () => (await service.query('select count(*) from clearing.load')).rows
  const loadsBefore = await loads()
  assert.equal(await service.end('SIGTERM'), 0)
  await service.start()
  assert.deepEqual(await loads(), loadsBefore)
  await isWhole(service)
  assert.deepEqual(await Promise.all(['30100005', '30100008', '30100001'].map(status)), before)

  // Even the credentials may have changed.
  await operations.operations.disableCredential({ clientId: 'alpha' })
  assert.equal(await service.end('SIGTERM'), 0)
  await service.start()
})

test('it starts even if accounts were closed before an interrupted first start is finished', async () => {
  await using interrupted = disposable(await makeServiceProcess({ withAccounts: true }))
  const { alpha, operations, query } = interrupted
  const child = await interrupted.launch()
  while (!(await hasAccounts(interrupted))) {
    assert.equal(child.exitCode, null, interrupted.output().slice(-2_000))
    await pause(20)
  }
  await interrupted.kill(false)
  const one = await makeServiceProcess({ dataDir: interrupted.dataDir })
  await one.start()
  const reason = 'A letter of the customer.'
  await one.operations.operations.closeAccount({ accountNumber: '30100004', reason })
  await one.operations.operations.placeRestriction({
    accountNumber: '30100003',
    restrictionCode: 'LegalHold',
    reason,
  })
  assert.equal(await one.end('SIGTERM'), 0)
  await interrupted.start()
  assert.match(interrupted.output(), /lines of the demonstration/)
  const { data } = await alpha.positionSummary({ accountNumber: '30100001' })
  assert.equal(data.portfolios.length, 6)
  assert.equal((await operations.operations.verifyBooks({})).data.verified, true)
  const { rows } = await query('select made_at is not null as made from clearing.sandbox_demonstration')
  assert.deepEqual(rows, [{ made: true }])
})

/** All applications are open, and no activity is loaded. */
async function hasAccounts({ query }: ServiceProcess): Promise<boolean> {
  return query("select from clearing.onboarding where current_state = 'CreationComplete'").then(
    ({ rowCount }) => rowCount === 9,
    () => false,
  )
}

function disposable(service: ServiceProcess): ServiceProcess & AsyncDisposable {
  return Object.assign(service, { [Symbol.asyncDispose]: () => service.dispose() })
}
