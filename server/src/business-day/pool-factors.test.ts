/** Factors of pools that are loaded or corrected after closes that used another one: which closes change. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { pricesLoader } from '../books/loads/quotes.ts'
import type { Load, Loader } from '../books/loads/run-load.ts'
import { securitiesLoader } from '../books/loads/securities.ts'
import { type ValuedAccount, valueAccount, valueView } from '../books/positions/account-positions.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { closeDay } from './test-business-day.ts'
import { deposit, firmId, rows } from './test-closes.ts'

const first = '2026-11-20'
function dayAt(place: number): string {
  return place === 0 ? first : addMarketDays(first, place)
}
const second = dayAt(1)

/** What arrives before the close of a day. */
interface Arrival {
  readonly factor?: string
  readonly price?: string
  readonly lines?: readonly TestLine[]
}

/** An account of 60,000 with 200,000 of face of a pool at 100. */
interface Case {
  /** The pool of another case. Otherwise the case has its own, with the name of the case. */
  readonly pool?: string
  /** The factor of the pool, and the day on which it is loaded. */
  readonly start: readonly [factor: string, day: string]
  readonly opening: TestLine
  readonly arrivals: readonly Arrival[]
}

function bought(netAmount: string): TestLine {
  const trade = { externalId: 'B', transType: 'Trade', buySell: 'BUY', quantity: '200000', price: '100' }
  return { ...trade, interest: '0', netAmount }
}
const transferred = { externalId: 'B', transType: 'TransferIn', quantity: '200000' }
const repaid = { externalId: 'R', transType: 'FactorChange', ratio: '0.4:0.5', tradeDate: second }
const sent = { externalId: 'S', transType: 'TransferOut', quantity: '100000' }
const fee = { externalId: 'E', transType: 'Fee', netAmount: '-1', tradeDate: first }
const cancelOfFee = { ...fee, externalId: 'C', cancelType: 'C', tagNo: 'E' }

const known = { start: ['0.5', '2026-10-20'], opening: bought('-100000') } as const
const fresh = { opening: bought('-9000') } as const
const moved = { opening: transferred } as const
const old = { ...known, opening: { ...bought('-100000'), tradeDate: '2026-09-01' } } as const
const gaining = { ...known, opening: bought('-60000') } as const
const later = { factor: '0.4', lines: [{ ...repaid, tradeDate: dayAt(2) }] }
const fallen = { factor: '0.4', price: '80', lines: [repaid] }

const cases: Readonly<Record<string, Case>> = {
  inTime: { ...known, arrivals: [{}, { factor: '0.4', lines: [repaid] }] },
  late: { ...known, arrivals: [{}, { lines: [repaid] }, { factor: '0.4' }] },
  later: { ...known, arrivals: [{}, { lines: [repaid] }, {}, { factor: '0.4' }] },
  lineLate: { ...known, arrivals: [{}, { factor: '0.4' }, { lines: [repaid] }] },
  bothLate: { ...known, arrivals: [{}, {}, { factor: '0.4', lines: [repaid] }] },
  lineLast: { ...known, arrivals: [{}, {}, { factor: '0.4' }, { lines: [repaid] }] },
  mistyped: { ...known, arrivals: [{}, { factor: '0.45', lines: [repaid] }, { factor: '0.4' }] },
  mistypedLower: { ...known, arrivals: [{}, { factor: '0.04', lines: [repaid] }, { factor: '0.4' }] },
  withoutLine: { ...known, pool: 'late', arrivals: [] },
  freshInTime: { ...known, start: ['0.5', first], arrivals: [{}, { factor: '0.4', lines: [repaid] }] },
  freshLineLate: { ...known, start: ['0.5', first], arrivals: [{}, { factor: '0.4' }, { lines: [repaid] }] },
  right: { ...fresh, start: ['0.09', first], arrivals: [] },
  wrong: { ...fresh, start: ['0.9', first], arrivals: [{}, { factor: '0.09' }] },
  wrongTwice: { ...fresh, start: ['0.9', first], arrivals: [{}, { factor: '0.99' }, { factor: '0.09' }] },
  wrongForLong: { ...fresh, start: ['0.9', '2026-10-20'], arrivals: [{}, { factor: '0.09' }] },
  movedRight: { ...moved, start: ['0.09', first], arrivals: [] },
  movedWrong: { ...moved, start: ['0.9', first], arrivals: [{}, { factor: '0.09' }] },
  monthsAgo: { ...old, arrivals: [{ lines: [{ ...repaid, tradeDate: '2026-09-19' }] }, { factor: '0.4' }] },
  longAgo: { ...old, arrivals: [{ lines: [{ ...repaid, tradeDate: '2026-09-18' }] }, { factor: '0.4' }] },
  gained: { ...gaining, arrivals: [{}, fallen] },
  gainedWithFee: { ...gaining, arrivals: [{ lines: [fee] }, fallen, { lines: [cancelOfFee] }] },
  gainedLineLate: {
    ...gaining,
    start: ['0.5', first],
    arrivals: [{}, { factor: '0.4', price: '80' }, { lines: [repaid] }],
  },
  sent: { ...known, arrivals: [{ price: '120' }, { price: '100', lines: [sent] }, later] },
  sentWithFee: {
    ...known,
    arrivals: [
      { price: '120', lines: [fee] },
      { price: '100', lines: [sent] },
      later,
      { lines: [cancelOfFee] },
    ],
  },
}
const names = Object.keys(cases)
const foreign = 'withoutLine'

function accountOf(name: string): string {
  return `A${String(names.indexOf(name) + 1).padStart(7, '0')}`
}
function poolOf(name: string): string {
  return `POOL${names.indexOf(cases[name]?.pool ?? name)}`
}
const closes = 4

function poolLine(name: string, currentFactor: string): TestLine {
  const terms = {
    couponRate: '6',
    couponFrequency: '12',
    issueDate: '2020-01-15',
    maturityDate: '2050-01-15',
  }
  return {
    ...terms,
    ...{ symbol: poolOf(name), secTypeName: 'Agency Mortgage Pool', priceDivisor: '100', currentFactor },
  }
}
function priceLine(name: string, price: string, day: string): TestLine {
  return { symbol: poolOf(name), price, priceType: 'LastClose', priceDate: `${day}T20:00:00Z` }
}

/** The line of a case, with the names of its account and pool. */
function lineOf(name: string, line: TestLine, day: string): TestLine {
  const of = (id: unknown) => (id === undefined ? {} : { tagNo: `${name} ${id}` })
  const symbol = line.netAmount === undefined || line.quantity !== undefined ? { symbol: poolOf(name) } : {}
  return {
    ...{ acctNo: accountOf(name), acctType: '2', tradeDate: day, ...symbol, ...line },
    ...{ externalId: `${name} ${line.externalId}`, ...of(line.tagNo) },
  }
}

describe('a factor of a pool that is loaded or corrected after a close', () => {
  let books: TestBooks
  const smas = new Map<string, number[]>()
  const seen = new Map<string, ValuedAccount>()

  async function load<Ready>(
    loader: (load: Load) => Loader<Ready>,
    lines: readonly TestLine[],
    now: Date,
  ): Promise<void> {
    const { rejects } = await runTestLoad(books, 'load', loader, bodyOf(ndjsonOf(lines)), { now })
    assert.deepEqual(rejects, [])
  }

  before(async () => {
    books = await openTestBooks(names.filter((name) => name !== foreign).map(accountOf), firmId)
    await openAccounts(books, [accountOf(foreign)], {
      firmId: books.otherFirmId,
      entity: '302',
      rep: 'BB01',
    })
    const own = names.filter((name) => cases[name]?.pool === undefined)
    for (const day of ['2026-10-20', first]) {
      const pools = own.flatMap((name) => {
        const [factor, since] = cases[name]?.start ?? ['1', first]
        return since === day ? [poolLine(name, factor)] : []
      })
      await load(securitiesLoader, pools, new Date(`${day}T15:00:00Z`))
    }
    const start = new Date(`${first}T16:00:00Z`)
    await load(
      pricesLoader,
      own.map((name) => priceLine(name, '100', '2026-11-19')),
      start,
    )
    for (let place = 0; place < closes; place += 1) {
      const [day, now] = [dayAt(place), new Date(`${dayAt(place)}T22:00:00Z`)]
      const arrived = names.map((name) => ({ name, ...cases[name]?.arrivals[place] }))
      const of = <Line>(make: (one: (typeof arrived)[number]) => readonly Line[]) => arrived.flatMap(make)
      await load(
        securitiesLoader,
        of(({ name, factor }) => (factor === undefined ? [] : [poolLine(name, factor)])),
        now,
      )
      await load(
        pricesLoader,
        of(({ name, price }) => (price === undefined ? [] : [priceLine(name, price, day)])),
        now,
      )
      const lines = of(({ name, lines: more = [] }) =>
        [...(place > 0 ? [] : [deposit('D', '', '60000'), cases[name]?.opening ?? {}]), ...more].map((line) =>
          lineOf(name, { ...line, acctNo: accountOf(name) }, day),
        ),
      )
      assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
      if (place === closes - 1)
        for (const name of names) {
          const valued = await inTransaction(
            books.database.operations,
            { firm: null, readOnly: true },
            (tx) => valueAccount(tx, accountOf(name), { now }),
          )
          if (valued !== undefined) seen.set(name, valued)
        }
      await closeDay(books, now)
    }
    for (const name of names) {
      const ledgers = await rows<{ sma: number }>(
        books,
        `select sma::float from clearing.margin_ledger where account_number = '${accountOf(name)}' order by close_date`,
      )
      smas.set(
        name,
        ledgers.map(({ sma }) => sma),
      )
    }
  })
  after(() => books[Symbol.asyncDispose]())

  function figuresOf(name: string) {
    const { margin, summary } = seen.get(name) ?? {}
    const { sma, calls } = margin?.standing.ledger ?? {}
    return { closed: smas.get(name)?.at(-1), sma, calls, buyingPower: summary?.buyingPower }
  }
  const smaOf = (...each: readonly string[]) => each.map((name) => smas.get(name))

  it('counts from the trade date of its FactorChange', () => {
    const inTime = [54_000, 55_200, 55_200, 55_200]
    assert.deepEqual(smaOf('inTime', 'late', 'later', 'lineLate', 'bothLate', 'lineLast'), [
      inTime,
      [54_000, 74_000, 55_200, 55_200],
      [54_000, 74_000, 74_000, 55_200],
      [54_000, 54_000, 55_200, 55_200],
      [54_000, 54_000, 55_200, 55_200],
      [54_000, 54_000, 54_000, 55_200],
    ])
    for (const name of ['late', 'later', 'lineLate', 'bothLate', 'lineLast'])
      assert.deepEqual(figuresOf(name), figuresOf('inTime'), name)
  })

  it('counts so after a wrong factor, and after a pool that has just been loaded', () => {
    assert.deepEqual(smas.get('mistyped'), [54_000, 64_600, 55_200, 55_200])
    for (const name of ['mistyped', 'mistypedLower', 'freshInTime', 'freshLineLate'])
      assert.deepEqual(figuresOf(name), figuresOf('inTime'), name)
  })

  it('counts without a FactorChange from the day of the factor that it corrects', () => {
    assert.deepEqual(smaOf('right', 'wrong', 'wrongTwice'), [
      [67_920, 67_920, 67_920, 67_920],
      [220_200, 67_920, 67_920, 67_920],
      [220_200, 237_120, 67_920, 67_920],
    ])
    assert.deepEqual(figuresOf('wrong'), figuresOf('right'))
    assert.deepEqual(smaOf('movedRight', 'movedWrong'), [
      [76_920, 76_920, 76_920, 76_920],
      [229_200, 76_920, 76_920, 76_920],
    ])
    assert.deepEqual(figuresOf('movedWrong'), figuresOf('movedRight'))
  })

  it('is no correction any more when its FactorChange arrives', () => {
    assert.deepEqual(smas.get('gainedLineLate'), [94_000, 75_200, 95_200, 95_200])
    assert.deepEqual(figuresOf('gainedLineLate'), figuresOf('gained'))
  })

  it('counts so for two months', () => {
    assert.deepEqual(smaOf('monthsAgo', 'longAgo'), [
      [74_000, 55_200, 55_200, 55_200],
      [74_000, 74_000, 74_000, 74_000],
    ])
  })

  it('is a new factor if the one before it has counted for long', () => {
    assert.deepEqual(smas.get('wrongForLong'), [220_200, 220_200, 220_200, 220_200])
  })

  it('changes nothing for a holder of another firm that has no FactorChange', () => {
    assert.deepEqual(smas.get(foreign), [54_000, 54_000, 54_000, 54_000])
  })

  it('leaves the days before it their own factor when they are computed again', () => {
    assert.deepEqual(smaOf('gained', 'sent'), [
      [94_000, 95_200, 95_200, 95_200],
      [72_800, 25_800, 26_400, 26_400],
    ])
    assert.deepEqual(figuresOf('gainedWithFee'), figuresOf('gained'))
    assert.deepEqual(figuresOf('sentWithFee'), figuresOf('sent'))
  })

  it('values the position of a past day in a view of the facts known now', async () => {
    const now = new Date(`${dayAt(closes)}T15:00:00Z`)
    const factorIn = async (name: string, asOf: string, knownAt?: string) =>
      await inTransaction(books.database.operations, { firm: null, readOnly: true }, async (tx) => {
        const valued = await valueView(tx, accountOf(name), { now, asOf, knownAt })
        assert.ok(valued !== undefined && 'lines' in valued)
        return valued.lines.map(({ position }) => Number(position.currentFactor) / 1e10)
      })
    assert.deepEqual(
      [
        await factorIn('late', first, 'now'),
        await factorIn('late', second, 'now'),
        await factorIn('late', second),
        await factorIn('wrong', first, 'now'),
      ],
      [[0.5], [0.4], [0.5], [0.09]],
    )
  })
})
