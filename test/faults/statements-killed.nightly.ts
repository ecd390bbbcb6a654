/**
 * kill -9 of the service, of its database and of its sessions while the confirmations and statements of a month are
 * made, by the job and on request.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addMarketDays } from '@clearing/domain/market'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { closeFrom } from '../acceptance/close-of-day.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const holders = 240
const openedAtOnce = 60
const callers = 3
const waitMaxMs = 240_000
const lookEveryMs = 20
const rounds = ['service', 'database', 'sessions', 'service', 'sessions'] as const

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMaxMs
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `${what} never came`)
    await pause(lookEveryMs)
  }
}

async function count({ query }: ServiceProcess, from: string): Promise<number> {
  return Number((await query(`select count(*) as count from ${from}`)).rows[0].count)
}

async function openAccounts(service: ServiceProcess): Promise<string[]> {
  const accounts: string[] = []
  while (accounts.length < holders) {
    const applications = Array.from({ length: openedAtOnce }, () =>
      applicationOf({ taxIdNumber: newTaxId() }),
    )
    const { data } = await service.alpha.openAccounts({ accounts: applications as never })
    accounts.push(...data.results.map(({ accountNumber }) => accountNumber ?? ''))
  }
  await until(
    'the last opening',
    async () => (await count(service, "clearing.account where status <> 'Open'")) === 0,
  )
  return accounts
}

function monthEnd(day: string): string {
  const next = addMarketDays(day, 1)
  return next.slice(0, 7) === day.slice(0, 7) ? monthEnd(next) : day
}

/** Goes to the last business day of a month and loads a purchase for every account. */
async function buyOnLastDay(service: ServiceProcess, accounts: readonly string[]): Promise<string> {
  const desk = service.operations.operations
  await desk.loadSecurities({ lines: { ndjson: [{ symbol: 'HBR', secTypeName: 'Common Stock' }] } })
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  const end = monthEnd(addMarketDays(monthEnd(businessDate), 1))
  const before = new Date(closeFrom(end).getTime() - 60_000).toISOString()
  await service.alpha.sandbox.setClock({ now: before }, { timeoutMs: 300_000 })
  const trade = { transType: 'Trade', buySell: 'BUY', symbol: 'HBR', quantity: '1', price: '9' }
  const { data } = await desk.loadActivity({
    lines: {
      ndjson: accounts.map((acctNo) => ({ ...trade, externalId: `B${acctNo}`, acctNo, tradeDate: end })),
    },
  })
  assert.deepEqual([data.accepted, data.rejects], [accounts.length, []])
  return end
}

test('every account has its documents once, and each request for a version has one effect', async () => {
  const service = await makeServiceProcess()
  try {
    await service.start()
    const accounts = await openAccounts(service)
    const end = await buyOnLastDay(service, accounts)
    const stored = (version: number) => count(service, `clearing.statement where version = ${version}`)
    const closing = service.alpha.sandbox
      .closeBusinessDay({ acceptOpen: { reason: 'The prices are old.' } }, { timeoutMs: 300_000 })
      .catch(() => undefined)
    await until('the first document', async () => (await stored(1)) > 0)
    let isOver = false
    const given: { accountNumber: string; version: number; idempotencyKey: string }[] = []
    const asking = Array.from({ length: callers }, async (_, caller) => {
      for (let at = caller; !isOver; at += callers) {
        const accountNumber = accounts[at % accounts.length] as string
        const idempotencyKey = `statement ${at}`
        const asked = { accountNumber, kind: 'Statement', periodTo: end } as const
        for (;;) {
          const answer = await service.alpha.makeStatement(asked, { idempotencyKey }).catch(() => undefined)
          if (answer === undefined) continue
          given.push({ accountNumber, version: answer.data.version, idempotencyKey })
          break
        }
        const street = `${at} New Road`
        await service.alpha
          .updateAccount({ accountNumber, mailingAddress: { street } }, { idempotencyKey: `move ${at}` })
          .catch(() => undefined)
      }
    })
    for (const kill of rounds) {
      const made = await stored(1)
      await until('the next documents', async () => (await stored(1)) > made)
      if (kill === 'sessions')
        await service.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'clearing' and pid <> pg_backend_pid()`,
        )
      else {
        await service.kill(kill === 'database')
        await service.start()
      }
    }
    await until('the last document', async () => (await stored(1)) === 2 * holders)
    isOver = true
    await Promise.all(asking)
    await closing
    await until(
      'the end of the jobs',
      async () =>
        (await count(service, 'graphile_worker.jobs where run_at <= now() and attempts < max_attempts')) ===
        0,
    )

    assert.equal(
      await count(
        service,
        `(select account_number, kind from clearing.statement group by 1, 2
          having array_agg(version order by version) <> array(select generate_series(1, count(*)::int))) as gaps`,
      ),
      0,
    )
    for (const { accountNumber, version, idempotencyKey } of given) {
      const asked = { accountNumber, kind: 'Statement', periodTo: end } as const
      const again = await service.alpha.makeStatement(asked, { idempotencyKey })
      assert.equal(again.data.version, version)
    }
    const documents = await count(service, 'clearing.statement')
    assert.equal(await count(service, "clearing.logged_event where type = 'statement.ready'"), documents)
    assert.equal(await count(service, "clearing.audit where action = 'make-statement'"), documents)
    assert.equal(await count(service, 'clearing.failed_jobs()'), 0)
    assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
    assert.equal((await service.operations.operations.verifyBooks({})).data.verified, true)
    const idle =
      "pg_stat_activity where state like 'idle in transaction%' and state_change < now() - interval '10 s'"
    assert.equal(await count(service, idle), 0)
    assert.doesNotMatch(service.output(), /"level":"fatal"|"msg":"fault"/)
  } finally {
    await service.dispose()
  }
})
