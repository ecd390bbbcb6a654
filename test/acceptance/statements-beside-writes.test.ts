/** Statements and confirmations are made while their firm writes, each once, however often their job runs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const traders = 12

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function jobs(where = 'true') {
  return service.query(
    `select 1 from graphile_worker.jobs where task_identifier = 'make-statements' and ${where}`,
  )
}
function jobsAreDone() {
  return until(
    async () => (await jobs()).rows.length,
    (waiting) => waiting === 0,
  )
}
async function confirmationsOf(accountNumber: string) {
  const { data } = await service.alpha.listStatements({ accountNumber, kind: 'Confirmation' })
  return data.statements
}

test('confirmations are made while the firm writes, by their job and on request, once each', async () => {
  const { operations } = service.operations
  const writing = await openAndFollow(service.alpha, applicationFor('Individual'))
  const accounts: string[] = []
  for (let at = 0; at < traders; at++)
    accounts.push(await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() })))
  await operations.loadSecurities({ lines: { ndjson: [{ symbol: 'HBR', secTypeName: 'Common Stock' }] } })
  const day = (await service.alpha.sandbox.getClock({})).data.businessDate
  const trade = {
    acctType: '1',
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'HBR',
    quantity: '1',
    price: '9',
  }
  const ndjson = accounts.map((acctNo) => ({ ...trade, externalId: `T${acctNo}`, acctNo, tradeDate: day }))
  assert.equal((await operations.loadActivity({ lines: { ndjson } })).data.accepted, traders)
  let isOver = false
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; !isOver; count++)
      await service.alpha.updateAccount({
        accountNumber: writing,
        primaryOwner: { jobTitle: `Clerk ${writer} ${count}` },
      })
  })
  await goPastClose(service, day)
  await until(
    () => Promise.all(accounts.map(confirmationsOf)),
    (made) => made.every(({ length }) => length === 1),
  )
  const versions: number[] = []
  for (const accountNumber of accounts) {
    await service.alpha.updateAccount({ accountNumber, mailingAddress: { street: '1 New Road' } })
    const asked = { accountNumber, kind: 'Confirmation', periodTo: day } as const
    versions.push((await service.alpha.makeStatement(asked, { retries: 0 })).data.version)
  }
  assert.deepEqual(new Set(versions), new Set([2]))
  isOver = true
  await Promise.all(writers)
  await jobsAreDone()
  assert.doesNotMatch(service.log(), /a statement could not be made|a job failed/)

  // The same job again, as after a process that ended.
  const [first = ''] = accounts
  await service.alpha.updateAccount({ accountNumber: first, mailingAddress: { street: '2 New Road' } })
  const { rows } = await service.query(
    'select next_date from clearing.business_day_close where close_date = $1',
    [day],
  )
  await service.query("select clearing.queue_job('make-statements', $1)", [
    { day, nextDay: rows[0].next_date, traceId: '' },
  ])
  await jobsAreDone()
  assert.deepEqual(
    (await confirmationsOf(first)).map(({ version }) => version),
    [2, 1],
  )
})
