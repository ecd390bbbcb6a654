/**
 * Corporate actions with choices are announced, elected, amended and cancelled, trades arrive late and days are closed,
 * all at once in two processes of one database that are killed in turn. In the end, the lines of every holder follow
 * the terms and the elections that count.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addMarketDays } from '@clearing/domain/market'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const seed = Number(process.env.SEED ?? 1)
const random = makeRandom(seed)
const holders = 150
const openedAtOnce = 50
const days = 9
const symbols = ['S1', 'S2', 'S3']
const spreadMs = 2_500
const waitMaxMs = 240_000
const acceptOpen = { reason: 'Prices of a test are old.' }

interface Ground {
  readonly database: DatabaseServer
  readonly services: readonly ServiceProcess[]
  readonly accounts: readonly string[]
}

type Line = Record<string, unknown>
/** An announced action as its line, of which an amendment changes the options. */
interface Action extends Line {
  readonly externalId: string
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMaxMs
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `${what} never came`)
    await pause(50)
  }
}

async function openAccounts(database: DatabaseServer, { alpha }: ServiceProcess): Promise<string[]> {
  const accounts: string[] = []
  while (accounts.length < holders) {
    const applications = Array.from({ length: openedAtOnce }, () =>
      applicationOf({ taxIdNumber: newTaxId() }),
    )
    const { data } = await alpha.openAccounts({ accounts: applications as never })
    accounts.push(...data.results.map(({ accountNumber }) => accountNumber ?? ''))
  }
  await until('the last opening', async () => {
    const { rows } = await database.query("select from clearing.account where status <> 'Open'")
    return rows.length === 0
  })
  return accounts
}

function buy(acctNo: string, symbol: string, tradeDate: string, externalId: string): Line {
  const trade = { transType: 'Trade', buySell: 'BUY', quantity: '10', price: '5' }
  return { ...trade, externalId, acctNo, symbol, tradeDate }
}

function optionsOf(rate: number, isWhole = true): Line[] {
  return [
    { option: 'Cash', cashPerShare: `${rate}` },
    ...(isWhole ? [{ option: 'More', cashPerShare: `${rate + 2}` }] : []),
    { option: 'Nothing', type: 'None' },
  ]
}

async function businessDate({ alpha }: ServiceProcess): Promise<string> {
  return (await alpha.sandbox.getClock({})).data.businessDate
}

let ids = 0
/**
 * What happens on a day, each at a random moment in a random process. Refusals, such as of a cancelled action, are
 * expected.
 */
function happenings({ services, accounts }: Ground, actions: readonly Action[], lived: readonly string[]) {
  const any = () => random.pick(services)
  const operations = () => any().operations.operations
  const load = (line: Line) => operations().loadCorporateActions({ lines: { ndjson: [line] } })
  const elect = () =>
    any().alpha.elect({
      corporateActionId: random.pick(actions).externalId,
      accountNumber: random.pick(accounts),
      elections: [{ option: random.pick(['More', 'Nothing', 'Cash']), quantity: '5' }],
    })
  const amend = () => {
    const action = random.pick(actions)
    const options = optionsOf(random.whole(1, 9), random.next() < 0.7)
    return load({ ...action, options, externalId: `M${++ids}`, amends: action.externalId })
  }
  const cancel = () =>
    load({ externalId: `X${++ids}`, cancelType: 'C', tagNo: random.pick(actions).externalId })
  const tradeLate = () => {
    const line = buy(random.pick(accounts), random.pick(symbols), random.pick(lived), `L${++ids}`)
    return operations().loadActivity({ lines: { ndjson: [line] } })
  }
  const close = () => any().alpha.sandbox.closeBusinessDay({ acceptOpen })
  const kill = async () => {
    const killed = any()
    await killed.kill(false)
    await killed.start()
  }
  const counts: [count: number, happening: () => Promise<unknown>][] = [
    [40, elect],
    [5, amend],
    [ids % 2, cancel],
    [6, tradeLate],
    [1, close],
    [1, kill],
  ]
  return counts.flatMap(([count, happening]) =>
    Array.from({ length: count }, async () => {
      await pause(random.whole(0, spreadMs))
      await happening().catch(() => undefined)
    }),
  )
}

async function liveThrough(ground: Ground): Promise<void> {
  const [first] = ground.services as [ServiceProcess]
  const actions: Action[] = []
  const lived: string[] = []
  for (let at = 0; at < days; at++) {
    const day = await businessDate(first)
    lived.push(day)
    const [exDate, payDate] = [addMarketDays(day, 1), addMarketDays(day, 2)]
    for (const symbol of symbols) {
      const dates = { exDate, payDate, deadline: exDate }
      const choice = { options: optionsOf(1), defaultOption: 'Cash' }
      const action = { externalId: `A${at}${symbol}`, symbol, type: 'Dividend', ...dates, ...choice }
      const { data } = await first.operations.operations.loadCorporateActions({ lines: { ndjson: [action] } })
      assert.deepEqual([data.accepted, data.rejects], [1, []])
      actions.push(action)
    }
    await Promise.all(happenings(ground, actions.slice(-3 * symbols.length), lived.slice(-4)))
    while ((await businessDate(first)) === day) await first.alpha.sandbox.closeBusinessDay({ acceptOpen })
  }
  // All lines become due.
  for (let at = 0; at < 3; at++) {
    await first.alpha.sandbox.closeBusinessDay({ acceptOpen })
    await until('the end of the jobs', async () => {
      const { rows } = await ground.database.query(
        'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts',
      )
      return rows.length === 0
    })
  }
}

/** Each entitlement with its action, the shares held before the ex-date, and the sum of its lines that count. */
const selectEntitlements = `
  select noted.external_id || ' ' || noted.account_number as name, action.state, action.options, action.default_option,
    noted.elections, noted.quantity::float8 as noted,
    (select coalesce(sum(quantity), 0)::float8 from clearing.activity as trade where trade.account_number = noted.account_number
       and trade.sec_no = action.sec_no and trade.trans_type = 'Trade' and trade.trade_date < action.ex_date) as held,
    (select coalesce(sum(net_amount), 0)::float8 from clearing.activity as line where line.account_number = noted.account_number
       and starts_with(line.external_id, 'CA-' || noted.external_id || '-')) as paid
  from clearing.announced_entitlement as noted join clearing.announcement as action using (external_id)`

interface Entitled {
  readonly state: string
  readonly options: readonly { readonly option: string; readonly cashPerShare?: string }[]
  readonly default_option: string
  readonly elections: readonly {
    readonly option: string
    readonly quantity?: string
    readonly void?: string
  }[]
  readonly held: number
}

function dueTo({ state, options, default_option: byDefault, elections, held }: Entitled): number {
  if (state === 'Cancelled') return 0
  const rateOf = (name: string) => Number(options.find(({ option }) => option === name)?.cashPerShare ?? 0)
  let [left, due] = [held, 0]
  for (const { option, quantity, void: isVoid } of elections) {
    if (isVoid !== undefined) continue
    const part = Math.min(left, Number(quantity ?? left))
    left -= part
    due += part * rateOf(option)
  }
  return due + left * rateOf(byDefault)
}

test('holders get what the last terms and their elections give them, once', async (context) => {
  context.diagnostic(`SEED=${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'faults-actions-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const database = await startDatabaseServer()
  const environment = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '5',
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
  }
  const services = [await makeServiceProcess({ environment }), await makeServiceProcess({ environment })]
  try {
    for (const service of services) await service.start()
    const [first] = services as [ServiceProcess]
    const accounts = await openAccounts(database, first)
    const { operations } = first.operations
    const securities = symbols.map((symbol) => ({ symbol, secTypeName: 'Common Stock' }))
    await operations.loadSecurities({ lines: { ndjson: securities } })
    const day = await businessDate(first)
    const ndjson = accounts.flatMap((acctNo) => [
      { externalId: `D${acctNo}`, acctNo, transType: 'Deposit', netAmount: '100000', tradeDate: day },
      ...symbols.map((symbol) => buy(acctNo, symbol, day, `${symbol}${acctNo}`)),
    ])
    assert.equal((await operations.loadActivity({ lines: { ndjson } })).data.accepted, ndjson.length)
    await liveThrough({ database, services, accounts })

    const { rows } = await database.query(selectEntitlements)
    const wrong = rows.filter((row) => row.state !== 'Cancelled' && row.noted !== row.held)
    assert.deepEqual(wrong, [], 'the shares that are entitled')
    const paid = rows.map(({ name, paid: amount }) => [name, amount])
    assert.deepEqual(
      paid,
      rows.map((row) => [row.name, dueTo(row as Entitled)]),
    )
    const states = [...new Set(rows.map(({ state }) => state))].sort()
    assert.deepEqual(states, ['Booked', 'Cancelled'])
    assert.equal((await operations.verifyAudit({})).data.verified, true)
    assert.deepEqual((await operations.verifyBooks({})).data.breaks, [])
    for (const service of services) assert.doesNotMatch(service.output(), /"level":"fatal"|"msg":"fault"/)
  } finally {
    for (const service of services) await service.dispose()
    await database.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
