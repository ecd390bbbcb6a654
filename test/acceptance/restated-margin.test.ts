/**
 * SMA, calls and buying power after lines and corrections that came a day late: those of another account for which the
 * same facts came in time.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, string>

/** What happens on a day. `S` in a line is the security of the account, `N` a second one, and `C` a currency. */
interface Arriving {
  readonly prices?: readonly Line[]
  readonly rates?: readonly Line[]
  readonly lines?: readonly Line[]
}
/** The first day is the same for both accounts. `late` and `inTime`: the second and the third day. */
interface Case {
  readonly securities?: { readonly S?: Line; readonly N?: Line }
  readonly first: Arriving
  readonly late: readonly [Arriving, Arriving]
  readonly inTime: readonly [Arriving, Arriving]
  /** The SMA after the second close, of both accounts. */
  readonly sma: readonly [late: number, inTime: number]
  /** What both accounts have been called for after the third close. */
  readonly called?: number
}

function paid(netAmount: string): Line {
  return { transType: 'Deposit', netAmount, acctType: '2' }
}
function trade(buySell: string, quantity: string, price: string, acctType = '2', symbol = 'S'): Line {
  return { transType: 'Trade', buySell, quantity, price, acctType, symbol, secFee: '0' }
}
function priced(price: string, symbol = 'S', more: Line = {}): Line {
  return { symbol, price, ...more }
}
/** A line of the second day. */
function action(transType: string, fields: Line): Line {
  return { transType, symbol: 'S', acctType: '2', day: '1', ...fields }
}
const long = { prices: [priced('20')], lines: [paid('20000'), trade('BUY', '1000', '20')] }
const bought = { prices: [priced('100')], lines: [paid('10000'), trade('BUY', '100', '100')] }
/** The line arrives a day late, or in time. */
function moved(line: Line, prices: readonly Line[]): Pick<Case, 'late' | 'inTime'> {
  return { late: [{ prices }, { lines: [line] }], inTime: [{ prices, lines: [line] }, {}] }
}

const cases: Record<string, Case> = {
  'a split of a long position': {
    first: long,
    ...moved(action('Split', { ratio: '1:10' }), [priced('200')]),
    sma: [100_000, 10_000],
  },
  'a split of a short position': {
    first: { prices: [priced('100')], lines: [paid('20000'), trade('SSL', '100', '100', '3')] },
    ...moved(action('Split', { ratio: '2:1', acctType: '3' }), [priced('50')]),
    sma: [22_500, 15_000],
  },
  'a stock dividend': {
    first: bought,
    ...moved(action('StockDividend', { ratio: '1:1' }), [priced('60')]),
    sma: [5_000, 6_000],
  },
  'a spinoff': {
    first: bought,
    ...moved(action('Spinoff', { ratio: '1:1', toSymbol: 'N', costShare: '0.4' }), [
      priced('80'),
      priced('60', 'N'),
    ]),
    sma: [5_000, 7_000],
  },
  'a merger': {
    first: bought,
    ...moved(action('Merger', { ratio: '1:2', toSymbol: 'N' }), [priced('300', 'N')]),
    sma: [5_000, 7_500],
  },
  'a change of name': {
    first: bought,
    ...moved(action('NameChange', { toSymbol: 'N' }), [priced('150', 'N')]),
    sma: [5_000, 7_500],
  },
  'a corrected price': {
    first: bought,
    late: [
      { prices: [priced('1000')] },
      { prices: [priced('100', 'S', { correctionId: 'C1', day: '1' })], lines: [trade('BUY', '200', '100')] },
    ],
    inTime: [{ prices: [priced('100')] }, { lines: [trade('BUY', '200', '100')] }],
    sma: [50_000, 5_000],
    called: 5_000,
  },
  'a corrected price of the day of a purchase': {
    first: bought,
    late: [
      { prices: [priced('1000')], lines: [trade('BUY', '200', '100')] },
      { prices: [priced('100', 'S', { correctionId: 'C1', day: '1' })] },
    ],
    inTime: [{ prices: [priced('100')], lines: [trade('BUY', '200', '100')] }, {}],
    sma: [130_000, 0],
    called: 5_000,
  },
  'a corrected price of the underlying of an option': {
    securities: {
      N: {
        secTypeName: 'Equity Option',
        underlying: 'S',
        putCall: 'Call',
        strike: '100',
        expiration: '2037-12-18',
      },
    },
    first: {
      prices: [priced('100'), priced('5', 'N')],
      lines: [paid('30000'), trade('SEL', '10', '5', '2', 'N')],
    },
    late: [{ prices: [priced('50')] }, { prices: [priced('100', 'S', { correctionId: 'C1', day: '1' })] }],
    inTime: [{ prices: [priced('100')] }, {}],
    sma: [25_000, 10_000],
  },
  'a corrected rate of a security': {
    securities: { S: { currency: 'C' } },
    first: {
      rates: [{ rate: '1' }],
      prices: [priced('100')],
      lines: [action('TransferIn', { quantity: '100', cost: '9000', openDate: '2020-01-02', day: '0' })],
    },
    late: [{ rates: [{ rate: '11' }] }, { rates: [{ rate: '1.1', correctionId: 'C1', day: '1' }] }],
    inTime: [{ rates: [{ rate: '1.1' }] }, {}],
    sma: [55_000, 5_500],
  },
  'a corrected rate of cash': {
    first: { rates: [{ rate: '1' }], lines: [{ ...paid('10000'), currency: 'C' }] },
    late: [{ rates: [{ rate: '11' }] }, { rates: [{ rate: '1.1', correctionId: 'C1', day: '1' }] }],
    inTime: [{ rates: [{ rate: '1.1' }] }, {}],
    sma: [110_000, 11_000],
  },
}

let service: RunningService
interface Figures {
  readonly sma: number
  readonly figures: readonly number[]
  /** Calls are issued by closes. */
  readonly calls: readonly (readonly (string | number | undefined)[])[]
}
interface Pair {
  readonly accounts: readonly string[]
  /** The figures of both accounts after the first and second close, before and after the third, after the fourth. */
  readonly found: Figures[][]
  /** The figures of the second day after all closes. */
  closed: Figures[]
  /** The figures of the second day, as it is known now. */
  known: Figures[]
}
const pairs = new Map<string, Pair>()

function operations() {
  return service.operations.operations
}
async function accept(loading: Promise<{ data: { rejects: readonly unknown[] } }>) {
  assert.deepEqual((await loading).data.rejects, [])
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
/** The account, security or currency of one side of a pair: `S3L` is the security of the late one of pair 3. */
const currencies = ['NOK', 'SEK', 'DKK', 'CHF']
function nameOf(what: string, place: number, side: number): string {
  if (what !== 'C') return `${what}${place}${'LT'[side]}`
  const name = Object.keys(cases)[place] ?? ''
  return currencies[(name.endsWith('cash') ? 2 : 0) + side] ?? ''
}

let ids = 0
async function arrive(
  { prices = [], rates = [], lines = [] }: Arriving,
  at: { place: number; side: number },
  days: readonly string[],
) {
  const today = days.at(-1) ?? ''
  const dayOf = ({ day }: Line) => (day === undefined ? today : (days[Number(day)] ?? ''))
  const named = ({ day: _, ...line }: Line, ...members: string[]) => ({
    ...line,
    ...Object.fromEntries(
      members
        .filter((member) => line[member])
        .map((member) => [member, nameOf(line[member] ?? '', at.place, at.side)]),
    ),
  })
  if (rates.length > 0)
    await accept(
      operations().loadFxRates({
        lines: {
          ndjson: rates.map((line) => ({
            ...named(line),
            currency: nameOf('C', at.place, at.side),
            date: dayOf(line),
          })),
        },
      }),
    )
  if (prices.length > 0)
    await accept(
      operations().loadPrices({
        lines: {
          ndjson: prices.map((line) => {
            return { ...named(line, 'symbol'), priceType: 'LastClose', priceDate: `${dayOf(line)}T15:00:00Z` }
          }),
        },
      }),
    )
  const acctNo = pairs.get(Object.keys(cases)[at.place] ?? '')?.accounts[at.side]
  if (lines.length > 0)
    await accept(
      operations().loadActivity({
        lines: {
          ndjson: lines.map((line) => {
            ids += 1
            const identified = named(line, 'symbol', 'toSymbol', 'currency')
            return { ...identified, externalId: `R${ids}`, acctNo, tradeDate: dayOf(line) }
          }),
        },
      }),
    )
}

async function figuresOf(
  accountNumber: string,
  view: { asOf?: string; knownAt?: string } = {},
): Promise<Figures> {
  const asked = { accountNumber, ...view }
  const [{ data: balance }, { data: position }, { data: calls }] = await Promise.all([
    service.alpha.balanceSummary(asked),
    service.alpha.positionSummary(asked),
    service.alpha.listCalls({ accountNumber }),
  ])
  const { equity, sma, regTRequirement, marginBuyingPower } = balance.marginBalance
  return {
    sma: Number(sma),
    figures: [equity, regTRequirement, marginBuyingPower, position.buyingPower, position.accumFedAmount].map(
      Number,
    ),
    calls: calls.calls.map(({ kind, issuedOn, dueBy, amount, outstanding }) => {
      return [kind, issuedOn, dueBy, Number(amount), Number(outstanding)]
    }),
  }
}

describe('a fact that comes a day late gives the margin ledger of a fact that came in time:', () => {
  before(async () => {
    service = await startRunningService()
    for (const [place, [name, { securities = {} }]] of Object.entries(cases).entries()) {
      const accounts = await Promise.all([0, 1].map(() => openAndFollow(service.alpha, marginApplication())))
      pairs.set(name, { accounts, found: [], closed: [], known: [] })
      const ndjson = [0, 1].flatMap((side) =>
        (['S', 'N'] as const).map((what) => {
          const { currency, underlying, ...facts } = securities[what] ?? {}
          return {
            secTypeName: 'Common Stock',
            ...facts,
            symbol: nameOf(what, place, side),
            ...(currency && { currency: nameOf(currency, place, side) }),
            ...(underlying && { underlying: nameOf(underlying, place, side) }),
          }
        }),
      )
      await accept(operations().loadSecurities({ lines: { ndjson } }))
    }
    const days: string[] = []
    const note = async () => {
      for (const { accounts, found } of pairs.values())
        found.push(await Promise.all(accounts.map((account) => figuresOf(account))))
    }
    for (const day of [0, 1, 2, 3]) {
      days.push(await businessDate())
      for (const [place, { first, late, inTime }] of Object.values(cases).entries()) {
        for (const [side, arriving] of [late, inTime].entries())
          await arrive((day === 0 ? first : arriving[day - 1]) ?? {}, { place, side }, days)
      }
      if (day === 2) await note()
      await closeDay()
      await note()
    }
    const [, asOf = ''] = days
    for (const pair of pairs.values()) {
      pair.closed = await Promise.all(pair.accounts.map((account) => figuresOf(account, { asOf })))
      pair.known = await Promise.all(
        pair.accounts.map((account) => figuresOf(account, { asOf, knownAt: 'now' })),
      )
    }
  })
  after(() => service?.stop())

  for (const [name, { sma, called }] of Object.entries(cases)) {
    test(name, () => {
      const { found, closed, known } = pairs.get(name) as Pair
      const smasOf = (both: readonly Figures[] = []) => both.map((one) => one.sma)
      assert.deepEqual(smasOf(found[1]), sma, 'before it came')
      assert.deepEqual(smasOf(closed), sma, 'the closed day remains as it was known')
      assert.deepEqual(known[0], known[1], 'the closed day as it is known now')
      const [late, inTime] = found[2] ?? []
      assert.deepEqual({ ...late, calls: [] }, { ...inTime, calls: [] }, 'as soon as it came')
      for (const [at, when] of [
        [0, 'after the first close'],
        [3, 'at the close of its day'],
        [4, 'a day later'],
      ] as const)
        assert.deepEqual(found[at]?.[0], found[at]?.[1], when)
      const outstanding = found[3]?.[0]?.calls.map((call) => Number(call.at(-1))) ?? []
      assert.deepEqual(outstanding, called === undefined ? [] : [called])
    })
  }
})
