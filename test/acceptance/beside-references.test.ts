/**
 * A row that refers to an account, a firm or a security locks it as a key until its transaction ends. Changes do not
 * wait for such locks. Beside constant loads there are always some.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const tables = ['account', 'account_books', 'firm', 'security', 'credential', 'webhook', 'business_day_close']

test('changes do not wait for rows that refer to what they change', async () => {
  const { operations } = service.operations
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  await operations.loadSecurities({ lines: { ndjson: [{ symbol: 'REF', secTypeName: 'Common Stock' }] } })
  const tradeDate = (await service.alpha.sandbox.getClock({})).data.businessDate
  const deposit = { acctNo: accountNumber, transType: 'Deposit', amount: '100', tradeDate }
  await operations.loadActivity({ lines: { ndjson: [{ ...deposit, externalId: 'before' }] } })
  const { data } = await service.alpha.createWebhook({ url: 'http://127.0.0.1:9/hook' })
  const { firms } = (await operations.listFirms({})).data
  const firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
  const once = { retries: 0 }

  const referring = refer()
  const locked = await until(sessions, (found) => found.length > 0)
  await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Clerk' } }, once)
  await operations.updateFirm({ firmId, settings: { requestsPerSecond: 500 } }, once)
  await service.alpha.updateWebhook({ webhookId: data.webhookId, disabled: true }, once)
  const bought = {
    acctNo: accountNumber,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'REF',
    quantity: '1',
    price: '9',
  }
  const line = { ...bought, externalId: 'beside', tradeDate }
  assert.equal((await operations.loadActivity({ lines: { ndjson: [line] } }, once)).data.accepted, 1)
  const restriction = {
    accountNumber,
    restrictionCode: 'LegalHold',
    reason: 'As a test restricts it.',
  } as const
  await operations.placeRestriction(restriction, once)
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'There is no price.' } }, once)
  assert.deepEqual(await sessions(), locked)
  const cancelled = assert.rejects(referring, /user request/)
  await service.query('select pg_cancel_backend(pid) from unnest($1::int[]) as pid', [locked])
  await cancelled
})

/** Locks rows as rows that refer to them do, until the session is cancelled. */
function refer() {
  const locking = tables.map((table) => `perform from clearing.${table} for key share;`).join(' ')
  return service.query(`do $$ begin ${locking} perform pg_sleep(120); end $$`)
}

/** The sessions that hold the locks of `refer`. */
async function sessions(): Promise<number[]> {
  const { rows } = await service.query(
    "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  )
  return rows.map(({ pid }) => pid)
}
