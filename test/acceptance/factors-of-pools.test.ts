/** A close compares the factor of each pool that is held with its last FactorChange. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Line = Record<string, unknown>
const pool = {
  secTypeName: 'Mortgage Pool',
  couponRate: '5',
  couponFrequency: '12',
  issueDate: '2020-01-01',
  maturityDate: '2050-01-01',
}
let ids = 0

async function loadFactor(symbol: string, currentFactor: string) {
  const ndjson = [{ symbol, ...pool, currentFactor }]
  assert.deepEqual(
    (await service.operations.operations.loadSecurities({ lines: { ndjson } })).data.rejects,
    [],
  )
}
async function load(...ndjson: Line[]) {
  assert.deepEqual((await service.operations.operations.loadActivity({ lines: { ndjson } })).data.rejects, [])
}
function line(acctNo: string, symbol: string, fields: Line): Line {
  ids += 1
  return { externalId: `F${ids}`, acctNo, symbol, tradeDate: '2026-01-05', ...fields }
}
function change(acctNo: string, symbol: string, tradeDate: string, ratio: string): Line {
  return line(acctNo, symbol, { transType: 'FactorChange', tradeDate, ratio })
}
function bought(acctNo: string, symbol: string) {
  return line(acctNo, symbol, {
    transType: 'Trade',
    buySell: 'BUY',
    quantity: '100000',
    price: '98',
  })
}
async function closeDay() {
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
async function breaksOf(accountNumber: string) {
  const { data } = await service.operations.operations.listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind === 'FactorDisagrees')
}

const table: readonly (readonly [
  what: string,
  factor: string,
  changes: readonly [string, string][],
  raised?: string,
])[] = [
  ['the factor before its change', '0.8', [['2026-02-16', '0.6:0.8']], '0.6'],
  ['the factor of the change', '0.6', [['2026-02-16', '0.6:0.8']]],
  ['a later factor, whose principal is not paid yet', '0.5', [['2026-02-16', '0.6:0.8']]],
  ['a factor a little above that of the change', '0.60000001', [['2026-02-16', '0.6:0.8']], '0.6'],
  [
    'the factor between two changes',
    '0.6',
    [
      ['2026-03-16', '0.5:0.6'],
      ['2026-02-16', '0.6:0.8'],
    ],
    '0.5',
  ],
  ['a pool that has been repaid', '0.1', [['2026-02-16', '0:0.1']], '0'],
  ['a factor that rose', '0.8', [['2026-02-16', '0.9:0.8']], '0.9'],
  ['the factor of the rise', '0.9', [['2026-02-16', '0.9:0.8']]],
  ['no change', '0.8', []],
]

test('a held pool whose factor is older than its last FactorChange is a break, until the factor is loaded', async () => {
  const rows = []
  for (const [at, [what, factor, changes, raised]] of table.entries()) {
    const [accountNumber, symbol] = [
      await openAndFollow(service.alpha, applicationFor('Individual')),
      `PL${at}`,
    ]
    await loadFactor(symbol, factor)
    await load(
      bought(accountNumber, symbol),
      ...changes.map(([day, ratio]) => change(accountNumber, symbol, day, ratio)),
    )
    assert.deepEqual(await breaksOf(accountNumber), [], what)
    rows.push({ what, accountNumber, symbol, raised })
  }
  await closeDay()
  for (const { what, accountNumber, symbol, raised } of rows) {
    const breaks = await breaksOf(accountNumber)
    assert.deepEqual(
      breaks.map(({ symbol: of, quantity }) => [of, Number(quantity)]),
      raised === undefined ? [] : [[symbol, 100_000]],
      what,
    )
    if (raised !== undefined)
      assert.match(
        breaks[0]?.reason ?? '',
        new RegExp(`states the factor ${raised} for ${symbol}, and the security has`),
      )
  }
  // A second close adds none.
  await closeDay()
  for (const { accountNumber, symbol, raised } of rows) {
    assert.equal((await breaksOf(accountNumber)).length, raised === undefined ? 0 : 1)
    if (raised === '0')
      await load(
        line(accountNumber, symbol, { transType: 'Maturity', netAmount: '0', tradeDate: '2026-04-01' }),
      )
    else if (raised !== undefined) await loadFactor(symbol, raised)
  }
  await closeDay()
  for (const { what, accountNumber } of rows) assert.deepEqual(await breaksOf(accountNumber), [], what)
})

test('the break ends with the cancel of the line, and a pool that is no longer held has none', async () => {
  const [account, sold] = [
    await openAndFollow(service.alpha, applicationFor('Individual')),
    await openAndFollow(service.alpha, applicationFor('Individual')),
  ]
  await loadFactor('PLC', '0.8')
  const mistaken = change(account, 'PLC', '2026-02-16', '0.6:0.8')
  const sale = {
    transType: 'Trade',
    buySell: 'SEL',
    quantity: '100000',
    price: '98',
    tradeDate: '2026-03-02',
  }
  await load(bought(account, 'PLC'), mistaken)
  await load(bought(sold, 'PLC'), change(sold, 'PLC', '2026-02-16', '0.6:0.8'), line(sold, 'PLC', sale))
  await closeDay()
  assert.deepEqual([(await breaksOf(account)).length, (await breaksOf(sold)).length], [1, 0])
  await load({ externalId: 'FC', acctNo: account, cancelType: 'C', tagNo: mistaken.externalId })
  assert.deepEqual(await breaksOf(account), [])
  await closeDay()
  assert.deepEqual(await breaksOf(account), [])
})

test('a trade of a pool has the factor of its trade date, whenever it is loaded and however it names the pool', async () => {
  const [account, symbol] = [await openAndFollow(service.alpha, applicationFor('Individual')), 'LATEPOOL']
  const today = async () => (await service.alpha.sandbox.getClock({})).data.businessDate
  const netAmounts = async () => {
    const asked = {
      accountNumber: account,
      dateFrom: '2026-01-01',
      dateTo: await today(),
      dateField: 'tradeDate',
    }
    const { data } = await service.alpha.tradeActivity(asked as never)
    return data.activity.map(({ tradeDate, netAmount }) => [tradeDate, Number(netAmount)])
  }
  const buy = (tradeDate: string): Line => ({
    ...bought(account, symbol),
    ...{ quantity: '1000', interest: '0', tradeDate },
  })
  await loadFactor(symbol, '0.8')
  const before = await today()
  const inOrder = buy(before)
  await load(inOrder)
  await closeDay()
  const changed = await today()
  await loadFactor(symbol, '0.6')
  await closeDay()
  const after = await today()
  const late = [buy('2026-01-05'), buy(before), buy(changed), buy(after)]
  await load(...late)
  assert.deepEqual(await netAmounts(), [
    ['2026-01-05', -784],
    [before, -784],
    [before, -784],
    [changed, -588],
    [after, -588],
  ])
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: [inOrder, ...late] } })
  assert.deepEqual([data.duplicates, data.conflicts], [5, 0], 'the same lines again')
  const rebilled = { ...inOrder, externalId: 'FPR', rebill: 'Y', tagNo: inOrder.externalId, price: '99' }
  const cancel = {
    externalId: 'FPC',
    acctNo: account,
    cancelType: 'C',
    tagNo: inOrder.externalId,
    tradeDate: before,
  }
  await load(cancel, rebilled)
  assert.ok(
    (await netAmounts()).some(([, netAmount]) => netAmount === -792),
    'a rebill has it too',
  )
})
