/**
 * Published worked examples of margin through requests. Each is the books of an account, read by balance-summary and
 * position-summary. The inputs and the printed results are those of the rules' own table tests.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import oracles from '../../domain/src/market/margin/oracles.json' with { type: 'json' }
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: each example has the inputs and results that its publisher gives
type Any = any

function example(id: string): { readonly given: Any; readonly expected: Any } {
  const found = oracles.cases.find((one) => one.id === id)
  assert.ok(found, id)
  return found
}

/** The bought, sold or written position, and its later price. */
interface Position {
  readonly quantity: number
  /** The price of the trade. */
  readonly at: number
  readonly now?: number
  /** For an option. */
  readonly option?: Line
  /** The price of the underlying. */
  readonly underlying?: number
}

interface Read {
  readonly cash: number
  readonly summary: Awaited<ReturnType<RunningService['alpha']['positionSummary']>>['data']
  readonly balance: Awaited<ReturnType<RunningService['alpha']['balanceSummary']>>['data']
}

interface Case {
  readonly name: string
  readonly deposit: number
  readonly positions: readonly Position[]
  readonly houseLongPercent?: string
  /** The day of the trades and of the view. Absent: a day of this year, read now. */
  readonly asOf?: string
  readonly check: (read: Read) => void
}
const cases: Case[] = []

function equityOf({ balance }: Read) {
  return Number(balance.marginBalance.equity)
}
function callOf({ balance }: Read) {
  return Number(balance.openCall.maintenanceCall)
}
function totalOf(read: Read, requirement: 'houseRequirement' | 'regTRequirement') {
  const rows = read.balance.marginRequirements
  return Math.round(rows.reduce((total, row) => total + Number(row[requirement]), 0) * 100) / 100
}
/** A hundred shares of a value, bought with a debit. */
function longCase(
  name: string,
  value: number,
  debit: number,
  check: Case['check'],
  more: Partial<Case> = {},
) {
  cases.push({
    name,
    deposit: value - debit,
    positions: [{ quantity: 100, at: value / 100 }],
    check,
    ...more,
  })
}

for (const id of ['MGN-OEP-LONG-20000', 'MGN-OEP-LONG-24000', 'MGN-OEP-LONG-16000']) {
  const { given, expected } = example(id)
  longCase(`${id}: ${given.LMV} with a debit of ${given.DR}`, Number(given.LMV), Number(given.DR), (read) => {
    assert.equal(equityOf(read), Number(expected.equity))
    assert.equal(Number(read.balance.marginBalance.equityPercentage).toFixed(1), expected.equityPct)
  })
}
{
  const { given, expected } = example('MGN-CRACKSIE-221')
  longCase('MGN-CRACKSIE-221: excess and buying power', Number(given.LMV), Number(given.DR), (read) => {
    assert.equal(equityOf(read), Number(expected.equity))
    assert.equal(totalOf(read, 'regTRequirement'), Number(expected.regT))
    assert.equal(Number(read.summary.marginCashAvailable), Number(expected.excess))
    assert.equal(Number(read.summary.buyingPower), Number(expected.buyingPower))
  })
}
{
  const { given, expected } = example('MGN-EXAMPASS')
  longCase('MGN-EXAMPASS: minimum equity', Number(given.LMV), Number(given.DR), (read) => {
    assert.equal(totalOf(read, 'houseRequirement'), Number(expected.maint))
    assert.equal(equityOf(read), Number(expected.equity))
  })
}
{
  const { given, expected } = example('MGN-ACE')
  longCase('MGN-ACE: not restricted at exactly half', Number(given.LMV), Number(given.DR), (read) => {
    assert.equal(equityOf(read), Number(expected.equity))
    assert.deepEqual(
      [Number(read.balance.openCall.federalCall), Number(read.summary.marginCashAvailable)],
      [0, 0],
    )
  })
}
for (const [id, house] of [
  ['MGN-TAMER', undefined],
  ['MGN-DUMMIES-DUD', undefined],
  ['MGN-FREEDICT', '30'],
] as const) {
  const { given, expected } = example(id)
  const quantity = Number(given.qty)
  const [at, now] = [Number(given.buy), Number(given.now)]
  cases.push({
    name: `${id}: ${quantity} bought at ${at} on half, now ${now}`,
    deposit: (quantity * at) / 2,
    positions: [{ quantity, at, now }],
    ...(house && { houseLongPercent: house }),
    check: (read) => {
      if (expected.equity) assert.equal(equityOf(read), Number(expected.equity))
      if (expected.regT) assert.equal(totalOf(read, 'regTRequirement'), Number(expected.regT))
      if (expected.excess)
        assert.equal(equityOf(read) - totalOf(read, 'regTRequirement'), Number(expected.excess))
      if (house) assert.equal(callOf(read), 100)
    },
  })
}
for (const [house, required, call] of [
  ['40', 'req40', 'call40'],
  ['25', 'req25', ''],
] as const) {
  const { given, expected } = example('MGN-SEC-BULLETIN')
  cases.push({
    name: `MGN-SEC-BULLETIN: at ${house} %`,
    deposit: 16_000 - Number(given.DR),
    positions: [{ quantity: 160, at: 100, now: Number(given.LMV) / 160 }],
    houseLongPercent: house,
    check: (read) => {
      assert.equal(equityOf(read), Number(expected.equity))
      assert.equal(totalOf(read, 'houseRequirement'), Number(expected[required]))
      assert.equal(callOf(read), call === '' ? 0 : Number(expected[call]))
    },
  })
}
for (const id of ['MGN-OEP-TRIGGER', 'MGN-STUDYSTACK-LONG']) {
  const { given, expected } = example(id)
  for (const [cents, isCalled] of [
    [2, false],
    [-2, true],
  ] as const) {
    const now = Math.round(Number(expected.triggerLMV) + cents) / 100
    cases.push({
      name: `${id}: at ${now} ${isCalled ? 'a' : 'no'} call`,
      deposit: Number(given.DR),
      positions: [{ quantity: 100, at: Number(given.DR) / 50, now }],
      check: (read) => assert.equal(callOf(read) > 0, isCalled),
    })
  }
}
{
  const { given, expected } = example('MGN-ALPACA-NOW')
  const cents = (text: string) => Math.round(Number(text) * 100) / 100
  const value = cents(given.longMarketValue)
  cases.push({
    name: 'MGN-ALPACA-NOW: a whole account of a broker',
    deposit: cents(String(Number(given.cash) + value)),
    positions: [{ quantity: 1, at: value }],
    houseLongPercent: '30',
    check: (read) => {
      assert.equal(equityOf(read), cents(expected.equity))
      assert.equal(totalOf(read, 'regTRequirement'), cents(expected.initialMargin))
      assert.equal(totalOf(read, 'houseRequirement'), cents(expected.maintenanceMargin))
      assert.equal(Number(read.summary.buyingPower), cents(expected.regtBuyingPower))
    },
  })
}
{
  const { given, expected } = example('MGN-FIDELITY-LEVERAGE')
  const own = Number(given.cash)
  cases.push({
    name: 'MGN-FIDELITY-LEVERAGE: the whole gain is the customer’s',
    deposit: own,
    positions: [{ quantity: 100, at: (2 * own) / 100, now: Number(given.sold) / 100 }],
    check: (read) => assert.equal(equityOf(read) - own, Number(expected.gain)),
  })
}
for (const [asOf, house, expectedOf] of [
  ['2001-01-11', '25', 'dtbp2x'],
  ['2001-01-11', '30', 'dtbp2x30'],
] as const) {
  const { given, expected } = example('MGN-SI-DTBP')
  longCase(
    `MGN-SI-DTBP: at ${house} %`,
    Number(given.LMV),
    Number(given.DR),
    (read) => {
      assert.equal(equityOf(read), Number(expected.equity))
      assert.equal(Number(read.balance.marginBalance.dayTradeBuyingPower), Number(expected[expectedOf]))
    },
    { houseLongPercent: house, asOf },
  )
}

/** Sold short with a deposit. */
function shortCase(name: string, deposit: number, position: Position, check: Case['check']) {
  cases.push({ name, deposit, positions: [{ ...position, quantity: -position.quantity }], check })
}
shortCase('MGN-DUMMIES-SHORT: initial deposit', 2_500, { quantity: 100, at: 50 }, (read) => {
  assert.equal(totalOf(read, 'regTRequirement'), Number(example('MGN-DUMMIES-SHORT').expected.deposit))
  assert.equal(Number(read.balance.openCall.federalCall), 0)
})
for (const [index, [quantity, price]] of example('MGN-PASSTHE7').given.shorts.entries()) {
  const [shares, at] = [Number(quantity), Number(price)]
  shortCase(`MGN-PASSTHE7: credit of ${shares} at ${at}`, 60_000, { quantity: shares, at }, (read) => {
    const credit = shares * at + totalOf(read, 'regTRequirement')
    assert.equal(credit, Number(example('MGN-PASSTHE7').expected.credits[index]))
  })
}
{
  const { given, expected } = example('MGN-INVESTOPEDIA-SHORT')
  const [quantity, at] = [Number(given.qty), Number(given.price)]
  shortCase('MGN-INVESTOPEDIA-SHORT: initial 150 %', Number(expected.deposit), { quantity, at }, (read) => {
    assert.equal(read.cash, Number(expected.credit))
    assert.equal(totalOf(read, 'regTRequirement'), Number(expected.deposit))
  })
}
{
  const { given, expected } = example('MGN-S7CLASS-2')
  const at = Number(expected.SMV) / 100
  const deposit = Number(given.CR) - Number(expected.SMV)
  shortCase('MGN-S7CLASS-2: minimum from equity and credit', deposit, { quantity: 100, at }, (read) => {
    assert.equal(equityOf(read), Number(given.equity))
    assert.equal(totalOf(read, 'houseRequirement'), Number(expected.maint))
  })
}
{
  const { given, expected } = example('MGN-FSR-TRIGGER')
  const at = Number(given.SMV) / 100
  const deposit = Number(given.CR) - Number(given.SMV)
  for (const [more, isCalled] of [
    [0, false],
    [0.01, true],
  ] as const) {
    const now = Number(expected.triggerSMV) / 100 + more
    shortCase(`MGN-FSR-TRIGGER: at ${now}`, deposit, { quantity: 100, at, now }, (read) =>
      assert.equal(callOf(read) > 0, isCalled),
    )
  }
}
for (const id of ['MGN-ANALYST-SHORT1', 'MGN-ANALYST-SHORT2']) {
  const { given, expected } = example(id)
  const at = Number(given.price)
  for (const [now, isCalled] of [
    [Math.floor(Number(expected.trigger) * 100 - 0.5) / 100, false],
    [Math.ceil(Number(expected.trigger) * 100 + 0.5) / 100, true],
  ] as const) {
    const deposit = 100 * at * Number(given.initial)
    shortCase(`${id}: at ${now}`, deposit, { quantity: 100, at, now }, (read) =>
      assert.equal(callOf(read) > 0, isCalled),
    )
  }
}
for (const id of ['MGN-4210-SHORT-MAINT-1', 'MGN-4210-SHORT-MAINT-2']) {
  const { given, expected } = example(id)
  const [quantity, at] = [-Number(given.qty), Number(given.price)]
  shortCase(`${id}: ${quantity} at ${at} from then on`, 50_000, { quantity, at }, (read) =>
    assert.equal(totalOf(read, 'houseRequirement'), Number(expected.maint)),
  )
}
for (const id of ['MGN-4210-SHORT-INIT-1', 'MGN-4210-SHORT-INIT-2']) {
  const { given, expected } = example(id)
  const [quantity, at] = [-Number(given.qty), Number(given.price)]
  shortCase(`${id}: ${quantity} at ${at} at first`, Number(expected.deposit), { quantity, at }, (read) => {
    assert.equal(totalOf(read, 'regTRequirement'), Number(expected.deposit))
    assert.equal(equityOf(read), Number(expected.equity))
    assert.equal(Number(read.balance.openCall.federalCall), 0)
  })
}

function option(right: string, strike: unknown): Line {
  return { putCall: right === 'C' ? 'Call' : 'Put', strike, expiration: '2037-12-18', secTypeName: 'Option' }
}
for (const id of ['MGN-OPT-CBOE-2', 'MGN-OPT-CBOE-3', 'MGN-OPT-CBOE-5', 'MGN-OPT-EDELTA-PUT']) {
  const { given, expected } = example(id)
  cases.push({
    name: `${id}: ${given.contracts} ${given.right}${given.strike} without cover`,
    deposit: 0,
    positions: [
      {
        quantity: Number(given.contracts),
        at: Number(given.optionPrice),
        option: option(given.right, given.strike),
        underlying: Number(given.underlying),
      },
    ],
    check: (read) => {
      assert.equal(totalOf(read, 'houseRequirement'), Number(expected.maint ?? expected.requirement))
      if (expected.proceeds) assert.equal(read.cash, Number(expected.proceeds))
      if (expected.call) assert.equal(callOf(read), Number(expected.call))
    },
  })
}
for (const { id } of oracles.cases.filter((one) => one.id.startsWith('MGN-OPT-IB-'))) {
  const { given, expected } = example(id)
  const live = Number(expected.maint)
  cases.push({
    name: `${id}: within 1.5 % of a broker’s live value`,
    deposit: 200_000,
    positions: [
      {
        quantity: -1,
        at: Number(given.optionPrice),
        underlying: Number(given.underlying),
        option: { ...option(given.right, given.strike), ...(given.index && { underlying: 'SPX' }) },
      },
    ],
    check: (read) => {
      const required = totalOf(read, 'houseRequirement')
      assert.ok(Math.abs(required - live) <= live * 0.015, `${required}`)
    },
  })
}
{
  const { given, expected } = example('MGN-OPT-EDELTA-SPREAD')
  const leg = ([right, strike, price]: readonly string[], quantity: number): Position => ({
    quantity,
    at: Number(price),
    underlying: 122,
    option: option(right ?? '', strike),
  })
  cases.push({
    name: 'MGN-OPT-EDELTA-SPREAD: width, and the long option in full',
    deposit: 0,
    positions: [leg(given.short, -1), leg(given.long, 1)],
    check: (read) => {
      assert.equal(totalOf(read, 'houseRequirement'), Number(expected.requirement))
      assert.equal(callOf(read), Number(expected.call))
    },
  })
}

/** Securities, prices and lines of a case. */
function factsOf({ deposit, positions, asOf }: Case, index: number, acctNo: string) {
  const day = asOf ?? '2026-01-05'
  const priced = (symbol: string, price: number) => ({
    symbol,
    price: String(price),
    priceType: 'LastClose',
    priceDate: `${day}T21:00:00Z`,
  })
  const of = (fields: Line) => ({ acctNo, acctType: '2', tradeDate: day, ...fields })
  return {
    securities: positions.flatMap(({ option: terms }, at) => [
      { symbol: `U${index}`, secTypeName: 'Common Stock' },
      {
        symbol: `M${index}-${at}`,
        ...(terms === undefined ? { secTypeName: 'Common Stock' } : { underlying: `U${index}`, ...terms }),
      },
    ]),
    prices: positions.flatMap(({ at: traded, now = traded, option: terms, underlying }, at) => [
      priced(`M${index}-${at}`, now),
      ...(underlying === undefined ? [] : [priced(String(terms?.underlying ?? `U${index}`), underlying)]),
    ]),
    lines: [
      ...(deposit === 0
        ? []
        : [of({ externalId: `D${index}`, transType: 'Deposit', netAmount: String(deposit) })]),
      ...positions.map(({ quantity, at: price }, at) => {
        const isShort = quantity < 0
        return of({
          ...{ externalId: `T${index}-${at}`, transType: 'Trade', buySell: isShort ? 'SSL' : 'BUY' },
          ...{ symbol: `M${index}-${at}`, quantity: String(Math.abs(quantity)), price: String(price) },
          ...(isShort && { acctType: '3', secFee: '0' }),
        })
      }),
    ],
  }
}

for (const [what, deposit, quantity, at, available] of [
  ['an account with a debit and 2,000 of equity', 2_000, 100, 30, 0],
  ['an account with a debit and 2,400 of equity', 2_400, 100, 30, 400],
  ['an account with 3,500 of equity and cash of 1,500', 3_500, 100, 20, 1_500],
  ['an account without a debit that has less than 2,000 of equity', 1_500, 100, 5, 1_000],
  ['a short position and 2,000 of equity', 2_000, -10, 50, 0],
  ['a short position and 3,000 of equity', 3_000, -10, 50, 1_000],
] as const) {
  cases.push({
    name: `FINRA Rule 4210(b): ${available} can leave ${what}`,
    deposit,
    positions: [{ quantity, at }],
    check: ({ summary, balance: { availableWithdrawal } }) => {
      assert.equal(Number(summary.marginCashAvailable), available)
      assert.equal(Number(availableWithdrawal.marginCashAvailability), available)
      assert.equal(Number(summary.fundsAvailable), available)
    },
  })
}

const reads = new Map<number, Read>()
let service: RunningService
before(async () => {
  service = await startRunningService()
  const accounts: string[] = []
  for (const _case of cases) accounts.push('')
  const next = cases.entries()
  // A few at a time: the sandbox reviews each application.
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (const [index] of next) accounts[index] = await openAndFollow(service.alpha, marginApplication())
    }),
  )
  const facts = cases.map((one, index) => factsOf(one, index, accounts[index] as string))
  const { loadSecurities, loadPrices, loadActivity, loadAccountTerms } = service.operations.operations
  const unique = new Map(
    [{ symbol: 'SPX', secTypeName: 'Index' }, ...facts.flatMap(({ securities }) => securities)].map(
      (one) => [one.symbol, one] as const,
    ),
  )
  const terms = cases.flatMap(({ houseLongPercent }, index) =>
    houseLongPercent === undefined ? [] : [{ acctNo: accounts[index], houseLongPercent }],
  )
  const loads = [
    await loadSecurities({ lines: { ndjson: [...unique.values()] } }),
    await loadPrices({ lines: { ndjson: facts.flatMap(({ prices }) => prices) } }),
    await loadAccountTerms({ lines: { ndjson: terms } }),
    await loadActivity({ lines: { ndjson: facts.flatMap(({ lines }) => lines) } }),
  ]
  for (const { data } of loads) assert.deepEqual(data.rejects, [])
  for (const [index, { asOf }] of cases.entries()) {
    const request = { accountNumber: accounts[index] as string, ...(asOf && { asOf }) }
    const [{ data: summary }, { data: balance }] = await Promise.all([
      service.alpha.positionSummary(request),
      service.alpha.balanceSummary(request),
    ])
    reads.set(index, { cash: Number(summary.totalCash), summary, balance })
  }
})
after(() => service?.stop())

describe('published examples of margin through requests', () => {
  for (const [index, { name, check }] of cases.entries()) {
    test(name, () => check(reads.get(index) ?? assert.fail('it was not read')))
  }

  test('every example is covered, except that of a rule that has ended', () => {
    // The call for day trades beyond the buying power of a pattern day trader ended with the rule on 2026-06-04. Its
    // example needs the buying power at the start of the day, which no request can set.
    const left = ['MGN-OPTIONSHOUSE-DTCALL']
    assert.deepEqual(
      oracles.cases.map(({ id }) => id).filter((id) => !cases.some(({ name }) => name.startsWith(`${id}:`))),
      left,
    )
  })
})
