/**
 * Amounts beyond the range of the books. The line that exceeds the range is rejected by its number, the valid lines
 * around it are stored, and a repeated load has the same response. The stored lines can always be valued, closed and
 * verified.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  const stocks = ['AAA', 'BBB', 'CCC', 'DEAR'].map((symbol) => ({ symbol, secTypeName: 'Common Stock' }))
  const option = { symbol: 'OPT', putCall: 'Call', strike: '10', expiration: '2037-12-18', underlying: 'AAA' }
  const bond = { symbol: 'BIG', multiplier: '999999999', secTypeName: 'Common Stock' }
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [...stocks, option, bond, { symbol: 'RIAL', currency: 'IRR', secTypeName: 'Common Stock' }],
    },
  })
  assert.equal(data.accepted, 7)
})
after(() => service?.stop())

type Line = Record<string, unknown>
const most = '999999999999999999'
const half = '600000000000000000'

function newAccount() {
  return openAndFollow(service.alpha, marginApplication())
}

let ids = 0
function line(acctNo: string, transType: string, fields: Line): Line {
  ids += 1
  return { externalId: `X${ids}`, acctNo, transType, tradeDate: '2025-03-03', ...fields }
}
function deposit(acctNo: string, netAmount: string, more: Line = {}) {
  return line(acctNo, 'Deposit', { netAmount, ...more })
}
function transferIn(acctNo: string, symbol: string, quantity: string, cost: string, more: Line = {}) {
  return line(acctNo, 'TransferIn', { symbol, quantity, cost, ...more })
}
function buy(acctNo: string, symbol: string, quantity: string, price: string, more: Line = {}) {
  return line(acctNo, 'Trade', { buySell: 'BUY', symbol, quantity, price, ...more })
}

async function load(lines: readonly Line[]) {
  return (await service.operations.operations.loadActivity({ lines: { ndjson: lines } })).data
}
async function prove(...accounts: string[]) {
  for (const accountNumber of accounts) {
    const { data } = await service.operations.operations.verifyBooks({ accountNumber })
    assert.deepEqual(data.breaks, [])
  }
}
async function summaryOf(accountNumber: string) {
  return (await service.alpha.positionSummary({ accountNumber })).data
}
async function cashOf(accountNumber: string) {
  return Number((await summaryOf(accountNumber)).totalCash)
}

/** Loads the lines between valid lines of another account, twice. Each time, exactly the named lines are rejected. */
async function rejectsOf(accountNumber: string, lines: readonly Line[], bad: readonly number[]) {
  const other = await newAccount()
  const all = [deposit(other, '7.00'), ...lines, deposit(other, '5.00')]
  const first = await load(all)
  assert.deepEqual(
    [...new Set(first.rejects.map((reject) => reject.line))],
    bad,
    JSON.stringify(first.rejects),
  )
  assert.deepEqual(
    [first.received, first.accepted, first.rejected],
    [all.length, all.length - bad.length, bad.length],
  )
  const again = await load(all)
  assert.deepEqual(again.rejects, first.rejects)
  assert.deepEqual(
    [again.accepted, again.duplicates, again.rejected],
    [0, all.length - bad.length, bad.length],
  )
  assert.equal(await cashOf(other), 12)
  await prove(accountNumber, other)
  return first.rejects.map(({ code, field, reason }) => ({ code, field, reason }))
}

describe('a line whose amount exceeds the books', () => {
  const cases: readonly [what: string, line: (account: string) => Line, field: string, reason: RegExp][] = [
    [
      'quantity × price',
      (to) => buy(to, 'AAA', '12345678901', '999999999'),
      'netAmount',
      /12345678888654321099/,
    ],
    [
      'quantity × price of an option',
      (to) => buy(to, 'OPT', '99999999999', '99999999'),
      'netAmount',
      /18 digits/,
    ],
    [
      'quantity × price × a large multiplier',
      (to) => buy(to, 'BIG', '99999999', '99999999'),
      'netAmount',
      /18 digits/,
    ],
    [
      'the proceeds of a sale',
      (to) => line(to, 'Trade', { buySell: 'SEL', symbol: 'AAA', quantity: most, price: '2' }),
      'netAmount',
      /18 digits/,
    ],
    [
      'an amount that rounds to nineteen digits',
      (to) => deposit(to, `${most}.999`),
      'netAmount',
      /18 digits/,
    ],
    [
      'a commission that rounds to nineteen digits',
      (to) => buy(to, 'AAA', '1', '1', { commission: `${most}.995` }),
      'commission',
      /18 digits/,
    ],
    [
      'a cost that rounds to nineteen digits',
      (to) => transferIn(to, 'AAA', '1', `${most}.999`),
      'cost',
      /18 digits/,
    ],
    [
      'cash for each share',
      (to) => line(to, 'Dividend', { symbol: 'AAA', quantity: most, cashPerShare: most }),
      'netAmount',
      /18 digits/,
    ],
    ['an exponent', (to) => deposit(to, '9e18'), 'netAmount', /18 digits/],
  ]
  for (const [what, lineOf, field, reason] of cases) {
    test(`is rejected by its number: ${what}`, async () => {
      const account = await newAccount()
      const [reject] = await rejectsOf(account, [deposit(account, '1.00'), lineOf(account)], [3])
      assert.deepEqual([reject?.code, reject?.field], ['ERR.1015', field])
      assert.match(reject?.reason ?? '', reason)
      assert.equal(await cashOf(account), 1)
    })
  }
})

describe('lines whose sum exceeds the books', () => {
  const cases: readonly [what: string, lines: (account: string) => Line[], bad: number[], field: string][] = [
    ['cash in', (to) => [deposit(to, half), deposit(to, half), deposit(to, '1')], [3], 'netAmount'],
    [
      'cash out',
      (to) => [half, half].map((amount) => line(to, 'Withdrawal', { netAmount: `-${amount}` })),
      [3],
      'netAmount',
    ],
    [
      'cash in many lines',
      (to) => Array.from({ length: 30 }, () => deposit(to, '40000000000000000')),
      [26, 27, 28, 29, 30, 31],
      'netAmount',
    ],
    ['shares', (to) => [transferIn(to, 'AAA', half, '1'), transferIn(to, 'AAA', half, '1')], [3], 'quantity'],
    ['short shares', (to) => [1, 2].map(() => transferIn(to, 'AAA', `-${half}`, '1')), [3], 'quantity'],
    ['cost', (to) => [transferIn(to, 'AAA', '1', half), transferIn(to, 'AAA', '1', half)], [3], 'netAmount'],
    [
      'shares by a split',
      (to) => [
        transferIn(to, 'AAA', '10000000', '5'),
        line(to, 'Split', { symbol: 'AAA', ratio: '999999999999:1' }),
      ],
      [3],
      'quantity',
    ],
    [
      'shares by splits that each would fit',
      (to) => [
        transferIn(to, 'AAA', '10', '5'),
        ...Array.from({ length: 9 }, () => line(to, 'Split', { symbol: 'AAA', ratio: '1000:1' })),
      ],
      [8, 9, 10, 11],
      'quantity',
    ],
    [
      'shares by a ratio of the smallest old part',
      (to) => [
        transferIn(to, 'AAA', '10', '5'),
        line(to, 'StockDividend', { symbol: 'AAA', ratio: `${most}:0.0000000001` }),
      ],
      [3],
      'quantity',
    ],
    [
      'cash of a merger',
      (to) => [
        transferIn(to, 'BBB', '100000000000', '5'),
        line(to, 'Merger', { symbol: 'BBB', toSymbol: 'CCC', ratio: '1:1', cashPerShare: '100000000' }),
      ],
      [3],
      'netAmount',
    ],
    [
      'shares of a spin-off',
      (to) => [
        transferIn(to, 'BBB', '100000000000', '5'),
        line(to, 'Spinoff', { symbol: 'BBB', toSymbol: 'CCC', ratio: '100000000:1', costShare: '0.1' }),
      ],
      [3],
      'quantity',
    ],
    [
      'shares of an exercise',
      (to) => [
        transferIn(to, 'OPT', '99999999999999999', '5'),
        line(to, 'Exercise', { symbol: 'OPT', toSymbol: 'AAA', quantity: '99999999999999999' }),
      ],
      [3],
      'quantity',
    ],
  ]
  for (const [what, linesOf, bad, field] of cases) {
    test(`are stored as far as they fit: ${what}`, async () => {
      const account = await newAccount()
      const rejects = await rejectsOf(account, linesOf(account), bad)
      for (const reject of rejects) {
        assert.deepEqual([reject.code, reject.field], ['ERR.1015', field])
        assert.match(reject.reason, /18 digits before the point/)
      }
    })
  }

  test('are stored as far as they fit when they come late, or correct others', async () => {
    const [late, cancelled] = [await newAccount(), await newAccount()]
    const out = line(cancelled, 'Withdrawal', { netAmount: `-${half}` })
    const kept = await load([
      transferIn(late, 'AAA', '10', '5'),
      line(late, 'Split', { symbol: 'AAA', ratio: '1000000:1', tradeDate: '2025-03-10' }),
      deposit(cancelled, half),
      out,
      deposit(cancelled, half),
    ])
    assert.deepEqual(kept.rejects, [])
    await rejectsOf(
      late,
      [
        transferIn(late, 'AAA', '30', '5'),
        transferIn(late, 'AAA', '5000000000000', '5'),
        transferIn(late, 'AAA', '60', '5'),
      ],
      [3],
    )
    assert.equal(Number((await summaryOf(late)).portfolios[0]?.quantity), 100_000_000)
    const cancel = { externalId: 'CX', acctNo: cancelled, cancelType: 'C', tagNo: out.externalId }
    await rejectsOf(cancelled, [deposit(cancelled, '1'), cancel, deposit(cancelled, '2')], [3])
  })
})

describe('an account at the limit of the books', () => {
  test('does not affect other accounts in large and concurrent loads', async () => {
    const full = await newAccount()
    assert.deepEqual((await load([deposit(full, `${most}.99`)])).rejects, [])
    const others = await Promise.all(Array.from({ length: 6 }, newAccount))
    const linesOf = (salt: string) =>
      Array.from({ length: 4_500 }, (_, number) =>
        number % 9 === 0
          ? deposit(full, '1.00', { externalId: `F${salt}${number}` })
          : deposit(others[number % others.length] as string, '0.01', { externalId: `F${salt}${number}` }),
      )
    const [one, two] = await Promise.all([load(linesOf('a')), load(linesOf('b'))])
    for (const answer of [one, two]) {
      assert.deepEqual([answer.accepted, answer.rejected], [4_000, 500])
      assert.deepEqual(
        answer.rejects.map((reject) => (reject.line - 1) % 9),
        Array.from({ length: 500 }, () => 0),
      )
    }
    const cash = await Promise.all(others.map(cashOf))
    assert.equal(cash.reduce((sum, amount) => sum + amount, 0).toFixed(2), '80.00')
    // A line that lowers the amount is accepted, and then there is room again.
    const room = await load([line(full, 'Withdrawal', { netAmount: '-5' }), deposit(full, '4')])
    assert.deepEqual(room.rejects, [])
    await prove(full, ...others)
  })
})

describe('values beyond any column', () => {
  test('are returned, and the day is closed and verified with them', async () => {
    const [rich, short, plain] = [await newAccount(), await newAccount(), await newAccount()]
    const margin = { acctType: '2' }
    const { rejects } = await load([
      transferIn(rich, 'DEAR', most, '1', margin),
      transferIn(rich, 'RIAL', most, '1'),
      transferIn(rich, 'BIG', most, '1', margin),
      transferIn(short, 'DEAR', `-${most}`, '1', { acctType: '3' }),
      deposit(rich, most, { currency: 'IRR' }),
      deposit(rich, '10', margin),
      deposit(plain, '100', margin),
      buy(plain, 'CCC', '10', '50', margin),
    ])
    assert.deepEqual(rejects, [])
    const quotes = ['DEAR', 'RIAL', 'BIG'].map((symbol) => ({ symbol, price: `${most}.99999999` }))
    const loaded = await service.operations.operations.loadPrices({
      lines: {
        ndjson: [...quotes, { symbol: 'CCC', price: '50' }].map((quote) => ({
          ...quote,
          priceType: 'LastClose',
          priceDate: '2025-06-30T20:00:00Z',
        })),
      },
    })
    assert.deepEqual(loaded.data.rejects, [])
    const rates = await service.operations.operations.loadFxRates({
      lines: { ndjson: [{ currency: 'IRR', rate: '0.0000000001', date: '2025-06-30' }] },
    })
    assert.deepEqual(rates.data.rejects, [])
    const valued = async () => {
      for (const accountNumber of [rich, short, plain]) {
        await service.alpha.positionSummary({ accountNumber })
        await service.alpha.positionDetail({ accountNumber })
        await service.alpha.balanceSummary({ accountNumber })
      }
      assert.equal(Number((await summaryOf(plain)).totalLongMarket), 500)
    }
    await valued()
    const { data: closed } = await service.alpha.sandbox.closeBusinessDay({
      acceptOpen: { reason: 'Prices of a test are old.' },
    })
    assert.ok(closed.callsIssued >= 1)
    await valued()
    await service.alpha.sandbox.closeBusinessDay({
      acceptOpen: { reason: 'Prices of a test are old.' },
    })
    await valued()
    const { data: calls } = await service.alpha.listCalls({ accountNumber: short })
    assert.equal(calls.calls.length, 1)
    await prove(rich, short, plain)
    const { data: whole } = await service.operations.operations.verifyBooks({})
    assert.deepEqual(whole.breaks, [])
    assert.equal(
      Number(
        (await service.alpha.positionSummary({ accountNumber: plain, asOf: closed.closedDate })).data
          .totalLongMarket,
      ),
      500,
    )
  })
})

describe('a position held away', () => {
  test('whose cost rounds beyond the books is rejected by its number', async () => {
    const account = await newAccount()
    const report = { acctNo: account, symbol: 'AAA', asOfDate: '2025-03-03', quantity: '1' }
    const { data } = await service.operations.operations.loadHeldAway({
      lines: {
        ndjson: [
          { ...report, custodian: 'One', cost: '5' },
          { ...report, custodian: 'Two', cost: `${most}.999` },
          { ...report, custodian: 'Three', cost: most, quantity: `${most}.99999999` },
        ],
      },
    })
    assert.deepEqual(
      [data.accepted, data.rejects.map((reject) => [reject.line, reject.code, reject.field])],
      [2, [[2, 'ERR.1015', 'cost']]],
    )
    assert.equal((await summaryOf(account)).portfolios.length, 1)
  })
})
