/**
 * Published tables and examples of settlement, fees, accrued interest and identifiers through requests: the record of a
 * trade shows them. Examples that no request can test are listed, each with the reason.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import calendar from '../../domain/src/market/calendar/oracles.json' with { type: 'json' }
import fees from '../../domain/src/market/fees/oracles.json' with { type: 'json' }
import identifiers from '../../domain/src/market/identifiers/oracles.json' with { type: 'json' }
import interest from '../../domain/src/market/interest/oracles.json' with { type: 'json' }
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: each example has the inputs and results that its publisher gives
type Any = any
function example(id: string): { readonly given: Any; readonly expected: Any } {
  const all = [calendar, fees, identifiers, interest].flatMap(({ cases }): { readonly id: string }[] => cases)
  return (all.find((one) => one.id === id) ?? assert.fail(id)) as Any
}

/** A trade, and the expected values of its record. */
interface Case {
  readonly name: string
  readonly security?: Line
  readonly trade: Line
  readonly shows: Readonly<Record<'settleDate' | 'secFee' | 'interest', string | number | undefined>>
}
const cases: Case[] = []
const nothing = { settleDate: undefined, secFee: undefined, interest: undefined }

// Later trade dates are pending until their day.
const lastTradeDate = '2026-10-31'
const settlements = calendar.cases.map(({ id }) => id).filter((id) => id.startsWith('SETTLE-'))
for (const id of settlements) {
  const { given, expected } = example(id)
  for (const [index, tradeDate] of given.tradeDates.entries()) {
    if (tradeDate > lastTradeDate) continue
    const settleDate = expected.settle[index]
    cases.push({
      name: `${id}: ${tradeDate} settles on ${settleDate}`,
      trade: { buySell: 'BUY', tradeDate, quantity: '1', price: '10' },
      shows: { ...nothing, settleDate },
    })
  }
}

/** The weekday before or after a day. */
function weekdayBeside(date: string, step: 1 | -1) {
  const day = new Date(`${date}T00:00:00Z`)
  do day.setUTCDate(day.getUTCDate() + step)
  while (day.getUTCDay() % 6 === 0)
  return day.toISOString().slice(0, 10)
}
for (const closed of Object.values<string[]>(example('CAL-SIFMA').expected).flat()) {
  const [tradeDate, settleDate] = [weekdayBeside(closed, -1), weekdayBeside(closed, 1)]
  if (closed > lastTradeDate) continue
  cases.push({
    name: `CAL-SIFMA: a Treasury bought on ${tradeDate} does not settle on ${closed}`,
    security: { secTypeName: 'US Treasury', maturityDate: '2047-05-15', couponRate: '0' },
    trade: { buySell: 'BUY', tradeDate, quantity: '1000', price: '100' },
    shows: { ...nothing, settleDate },
  })
}

/**
 * The class of a security by its type, and without a type by its CUSIP. It determines the day on which a bond settles.
 */
const settlesOn: readonly (readonly [name: string, security: Line, tradeDate: string, settleDate: string])[] =
  [
    ['a Treasury by its type', { secTypeName: 'US Treasury' }, '2019-03-01', '2019-03-04'],
    ['a Treasury by its CUSIP', { secTypeName: '', cusip: '912810RW0' }, '2019-03-01', '2019-03-04'],
    ['a Treasury by its ISIN', { secTypeName: 'Bond', isin: 'US9128284J61' }, '2019-03-01', '2019-03-04'],
    [
      'the type before the CUSIP',
      { secTypeName: 'Municipal Bond', cusip: '912828YY0' },
      '2019-03-01',
      '2019-03-05',
    ],
    ['United States Steel', { secTypeName: '', cusip: '912909AU2' }, '2019-03-01', '2019-03-05'],
    ['an agency', { secTypeName: 'Federal Agency Bond' }, '2019-03-01', '2019-03-04'],
    ['a corporate bond', { secTypeName: 'Corporate Bond' }, '2019-03-01', '2019-03-05'],
    ['a Treasury on a Good Friday', { secTypeName: 'Treasury Note' }, '2026-04-03', '2026-04-07'],
    ['a corporate bond on a Good Friday', { secTypeName: 'Corporate Bond' }, '2026-04-03', '2026-04-06'],
  ]
for (const [name, security, tradeDate, settleDate] of settlesOn) {
  cases.push({
    name: `${name}, bought on ${tradeDate}, settles on ${settleDate}`,
    security: { maturityDate: '2047-05-15', couponRate: '0', ...security },
    trade: { buySell: 'BUY', tradeDate, quantity: '1000', price: '100' },
    shows: { ...nothing, settleDate },
  })
}

function sale(name: string, tradeDate: string, [quantity, price]: readonly [string, string], secFee: number) {
  cases.push({
    name,
    trade: { buySell: 'SEL', tradeDate, quantity, price },
    shows: { ...nothing, secFee },
  })
}
function addYear(date: string) {
  return `${Number(date.slice(0, 4)) + 1}${date.slice(4).replace('02-29', '02-28')}`
}
function cents(amount: number) {
  return Math.round(amount * 100) / 100
}
for (const { date, rate } of example('FEE-SEC31-TABLE').expected.rates) {
  // A share of a million dollars; the Trading Activity Fee of a share is a cent.
  sale(`FEE-SEC31-TABLE: ${rate} on ${date}`, date, ['1', '1000000'], cents(Number(rate) + 0.01))
}
for (const { effective, perShare, cap } of example('FEE-TAF-TABLE').expected.rates) {
  const [, year] = /^\((\d{4})(?:-07)?/.exec(effective) ?? []
  const date = year === undefined ? effective : `${year}-07-02`
  // Of 100 dollars the Section 31 fee is a cent.
  const due = cents(Math.ceil(Math.round(Number(perShare) * 1e10) / 1e4) / 100)
  sale(`FEE-TAF-TABLE: ${perShare} a share on ${date}`, date, ['10000', '0.01'], cents(due + 0.01))
  sale(`FEE-TAF-TABLE: at most ${cap} on ${date}`, date, ['100000', '0.001'], cents(Number(cap) + 0.01))
}
{
  const { given, expected } = example('FEE-MOTIF')
  sale(
    'FEE-MOTIF: raised to the cent',
    '2018-01-04',
    ['1', given.sale],
    cents(Number(expected.secFee) + 0.01),
  )
}
{
  const { given, expected } = example('FEE-GOTRADE')
  sale('FEE-GOTRADE: both fees of a share', '2021-06-02', [given.shares, given.sale], Number(expected.total))
}
{
  const { given, expected } = example('FEE-BROKERAGE-REVIEW')
  // At a time without a Section 31 fee.
  sale('FEE-BROKERAGE-REVIEW: 1,000 shares', '2025-06-03', [given.shares, '5'], Number(expected.taf1000))
  sale('FEE-BROKERAGE-REVIEW: the maximum', '2025-06-03', ['50000', '5'], Number(expected.cap))
}

/** A bond: a purchase pays the interest from the last coupon to settlement. */
function accrues(name: string, terms: Line, trade: Line, accrued: number) {
  cases.push({
    name,
    security: { secTypeName: 'Corporate Bond', priceDivisor: '100', ...terms },
    trade: { buySell: 'BUY', quantity: '1000', price: '100', ...trade },
    shows: { ...nothing, interest: accrued },
  })
}
{
  const { given, expected } = example('BOND-INVESTOPEDIA')
  accrues(
    'BOND-INVESTOPEDIA: 100 days of 360',
    { couponRate: String(cents(given.rate * 100)), maturityDate: '2040-01-01' },
    { tradeDate: '2025-04-10', settleDate: '2025-04-11', quantity: given.par },
    Number(expected.accrued),
  )
}
for (const [terms, accrued] of [
  [{ dayCount: '30/360' }, 'accrued30360'],
  [{ dayCount: 'ActAct' }, 'accruedActual'],
  [{ secTypeName: 'Corporate Bond' }, 'accrued30360'],
  [{ secTypeName: 'Federal Agency Bond' }, 'accrued30360'],
  [{ secTypeName: 'Treasury Bond' }, 'accruedActual'],
  [{ secTypeName: 'Treasury Bond', dayCount: '30/360' }, 'accrued30360'],
] as const) {
  const { given, expected } = example('BOND-CFA')
  accrues(
    `BOND-CFA: ${Object.values(terms).join(', ')}`,
    {
      couponRate: String(cents(given.coupon * 100)),
      couponFrequency: given.freq,
      maturityDate: '2040-05-15',
      ...terms,
    },
    { tradeDate: '2026-08-07', settleDate: '2026-08-10', quantity: given.par },
    Number(expected[accrued]),
  )
}
{
  const { given, expected } = example('BOND-ACCRINT')
  for (const [index, issueDate] of given.issues.entries()) {
    accrues(
      `BOND-ACCRINT: issued on ${issueDate}`,
      { issueDate, couponRate: '10', couponFrequency: given.freq, maturityDate: '2018-08-31' },
      { tradeDate: '2008-04-28', settleDate: given.settlement, quantity: given.par },
      Number(expected.accrued[index]),
    )
  }
}
{
  const { given, expected } = example('BOND-ACCRINTM')
  accrues(
    'BOND-ACCRINTM: paid at maturity',
    {
      ...{ issueDate: given.issue, dayCount: 'Act365', couponRate: '10' },
      ...{ couponFrequency: '0', maturityDate: '2001-10-01' },
    },
    { tradeDate: '2001-06-12', settleDate: given.settlement, quantity: given.par },
    Number(expected.accrued),
  )
}
{
  const { given, expected } = example('BOND-MSRB-GLOSSARY')
  for (const [index, { par, dated, matures, settlement }] of given.bonds.entries()) {
    accrues(
      `BOND-MSRB-GLOSSARY: ${expected.days[index]} days until ${settlement}`,
      {
        ...{ secTypeName: 'Municipal Bond', couponRate: String(cents(given.rate * 100)) },
        ...{ maturityDate: matures, ...(dated && { issueDate: dated }) },
      },
      { tradeDate: settlement, settleDate: settlement, quantity: par },
      Number(expected.accrued[index]),
    )
  }
}
{
  const { given, expected } = example('BOND-SOLOMON-DETROIT')
  accrues(
    `BOND-SOLOMON-DETROIT: ${expected.days} days from a Friday`,
    {
      ...{ secTypeName: 'Municipal Bond', couponRate: String(cents(given.rate * 100)) },
      maturityDate: given.matures,
    },
    { tradeDate: given.tradeDate, quantity: given.par },
    Number(expected.accrued),
  )
}
{
  const { given, expected } = example('BOND-NUMBERS')
  for (const [index, { freq, issue, matures, settlement }] of given.bonds.entries()) {
    accrues(
      `BOND-NUMBERS: ${freq === '0' ? 'paid at maturity' : 'after the first coupon'}`,
      {
        ...{ couponRate: String(cents(given.rate * 100)), couponFrequency: freq },
        ...{ issueDate: issue, maturityDate: matures },
      },
      { tradeDate: settlement, settleDate: settlement, quantity: given.par },
      Number(expected.accrued[index]),
    )
  }
}
{
  const { given, expected } = example('BOND-31CFR-TABLE1')
  for (const [name, isLast, isLeap] of [
    ['fifteenth', false, false],
    ['fifteenthLeap', false, true],
    ['last', true, false],
    ['lastLeap', true, true],
  ] as const) {
    for (const [index, month] of given.months.entries()) {
      const year = (isLeap ? 2020 : 2022) - (month < 8 ? 0 : 1)
      // Day 0 of a month is the last day of the month before.
      const couponOf = (months: number) => {
        const at = Number(month) + months - 1
        return new Date(Date.UTC(year, isLast ? at + 1 : at, isLast ? 0 : 15)).toISOString().slice(0, 10)
      }
      const days = expected[name][index]
      const settleDate = addDays(couponOf(6), -1)
      accrues(
        `BOND-31CFR-TABLE1: ${days} days from ${couponOf(0)}`,
        { secTypeName: 'US Treasury', couponRate: '10', maturityDate: couponOf(246) },
        // A day is a dollar, and all days but the last have accrued.
        { tradeDate: settleDate, settleDate, quantity: String(days * 20) },
        days - 1,
      )
    }
  }
}
{
  const { given, expected } = example('BOND-SERIES7-DAYS')
  for (const [index, tradeDate] of given.tradeDates.entries()) {
    accrues(
      `BOND-SERIES7-DAYS: ${expected.days[index]} days from ${tradeDate}`,
      { couponRate: String(cents(given.rates[index] * 100)), maturityDate: '2040-01-01' },
      // A day is a dollar.
      { tradeDate, quantity: String(360 / given.rates[index]) },
      Number(expected.days[index]),
    )
  }
}
{
  const { given, expected } = example('BOND-TBOND-DAYS')
  accrues(
    'BOND-TBOND-DAYS: to the settlement of the next day',
    {
      secTypeName: 'US Treasury',
      couponRate: String(cents(given.coupon * 100)),
      maturityDate: '2040-01-01',
    },
    { tradeDate: given.tradeDate },
    cents((22.5 * Number(expected.days)) / 181),
  )
}
for (const [id, terms] of [
  ['BOND-30360-USA', {}],
  ['BOND-30360-BondBasis', { secTypeName: 'Municipal Bond' }],
  ['BOND-30360-BondBasis', { dayCount: '30/360 Bond Basis' }],
] as const) {
  const { given, expected } = example(id)
  for (const [index, [from, to]] of given.pairs.entries()) {
    // After a year the next coupon begins.
    if (addYear(from) <= to) continue
    // A coupon once a year on the first date. 2036 has a 29 February, so the 28th is not the end of its month.
    const year = from.startsWith('2008-02') ? 2036 : Number(from.slice(0, 4)) + 30
    accrues(
      `${id}: ${Object.values(terms).join('')} ${from} to ${to}`,
      { couponRate: '10', couponFrequency: '1', maturityDate: `${year}${from.slice(4)}`, ...terms },
      // A day of 10 % on 3,600 is a dollar.
      { tradeDate: to, settleDate: to, quantity: '3600' },
      Number(expected.days[index]),
    )
  }
}

/** Examples that no request can test. */
const notAsked: Readonly<Record<string, string>> = {
  'BOND-ACTACT-ISDA': 'The dayCount ActAct of a security is that of US Treasuries, by coupon period.',
  'BOND-31CFR-COUPON': 'Coupons are lines of the feed; the books compute the interest accrued until then.',
  'CAL-NYSE': 'No operation answers the calendar; the settlement dates around its holidays are asked.',
  'REGT-PAYMENT': 'The due dates of calls are asked in cash-accounts.test.ts.',
  'LOT-LEAN-CROSSZERO': 'Its fills were not published.',
  'MGN-OPTIONSHOUSE-DTCALL':
    'Its rule has ended, and no request sets the buying power at the start of a day.',
  'VAL-IBKR-SUMMARY': 'Adds up dividends to come, which the feed of the example counts and the books do not.',
}

function symbolOf(index: number) {
  return `R${index}`
}
let service: RunningService
const records = new Map<string, Line>()
before(async () => {
  service = await startRunningService()
  const acctNo = await openAndFollow(service.alpha, applicationFor('Individual'))
  const securities = cases.map(({ security }, index) => ({
    symbol: symbolOf(index),
    secTypeName: 'Common Stock',
    ...security,
  }))
  const { loadSecurities, loadActivity } = service.operations.operations
  assert.deepEqual((await loadSecurities({ lines: { ndjson: securities } })).data.rejects, [])
  const ndjson = cases.map(({ trade }, index) => ({
    externalId: symbolOf(index),
    acctNo,
    symbol: symbolOf(index),
    transType: 'Trade',
    ...trade,
  }))
  assert.deepEqual((await loadActivity({ lines: { ndjson } })).data.rejects, [])
  for (let from = 1980; from < 2030; from += 10) {
    const range = { dateFrom: `${from}-01-01`, dateTo: `${from + 9}-12-31`, dateField: 'tradeDate' as const }
    const { data } = await service.alpha.tradeActivity({ accountNumber: acctNo, ...range })
    for (const record of data.activity) records.set(record.symbol, record)
  }
})
after(() => service?.stop())

describe('published tables and examples of trades through requests', () => {
  for (const [index, { name, shows }] of cases.entries()) {
    test(name, () => {
      const record = records.get(symbolOf(index)) ?? assert.fail('there is no record')
      if (shows.settleDate !== undefined) assert.equal(record.settleDate, shows.settleDate)
      if (shows.secFee !== undefined) assert.equal(Number(record.secFee), shows.secFee)
      if (shows.interest !== undefined) assert.equal(Number(record.interest), shows.interest)
    })
  }
})

describe('published identifiers through load-securities', () => {
  for (const [id, name] of [
    ['ID-CUSIP', 'cusip'],
    ['ID-ISIN', 'isin'],
    ['ID-SEDOL', 'sedol'],
  ] as const) {
    test(`${id}: a wrong check digit is refused`, async () => {
      const { given } = example(id)
      const lines = [...given.valid, ...given.invalid].map((value: string) => ({
        [name]: value,
        description: id,
      }))
      const { data } = await service.operations.operations.loadSecurities({ lines: { ndjson: lines } })
      const refused = data.rejects.map(({ line, field }) => [line, field])
      assert.deepEqual(
        refused,
        given.invalid.map((_: string, at: number) => [given.valid.length + at + 1, name]),
      )
    })
  }

  test('ID-CUSIP-ISIN: the ISIN finds the security that is known by its CUSIP', async () => {
    const acctNo = await openAndFollow(service.alpha, applicationFor('Individual'))
    const { pairs } = example('ID-CUSIP-ISIN').given
    const { loadSecurities, loadActivity } = service.operations.operations
    await loadSecurities({ lines: { ndjson: pairs.map(([cusip]: string[]) => ({ cusip })) } })
    // The reverse: a CUSIP names the security that was loaded with its ISIN alone.
    const [isin, cusip] = ['US0378331005', '037833100']
    await loadSecurities({ lines: { ndjson: [{ isin, symbol: 'BYISIN' }] } })
    const { data: again } = await loadSecurities({ lines: { ndjson: [{ cusip, description: 'BY CUSIP' }] } })
    assert.deepEqual(again.rejects, [])
    pairs.push([cusip, isin])
    const ndjson = pairs.map(([, isin]: string[], at: number) => ({
      externalId: `P${at}`,
      acctNo,
      isin,
      transType: 'Trade',
      buySell: 'BUY',
      tradeDate: '2025-03-03',
      quantity: '1',
      price: '1',
      interest: '0',
    }))
    assert.deepEqual((await loadActivity({ lines: { ndjson } })).data.rejects, [])
    const { data } = await service.alpha.positionSummary({ accountNumber: acctNo })
    assert.deepEqual(
      data.portfolios.map(({ cusip }) => cusip).sort(),
      pairs.map(([cusip]: string[]) => cusip).sort(),
    )
  })
})

test('every published example has a test by a request, or a stated reason', () => {
  const root = new URL('../../', import.meta.url)
  const published = globSync('domain/src/{market/**,books/oracles}/*.json', { cwd: root }).flatMap((file) => {
    const content = JSON.parse(readFileSync(new URL(file, root), 'utf8'))
    return (content.cases ?? content).map(({ id }: { readonly id: string }) => id)
  })
  assert.ok(published.length > 150, `${published.length}`)
  const asked = globSync('test/acceptance/published-*.test.ts', { cwd: root })
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n')
  // Their file tests them as a whole.
  const whole = /^(SETTLE-|WASH-|OUT-|LOT-BEANCOUNT-[FL]IFO|MGN-OPT-IB-)/
  assert.deepEqual(
    published.filter((id) => !asked.includes(id) && !whole.test(id) && notAsked[id] === undefined),
    [],
  )
  assert.deepEqual(
    Object.keys(notAsked).filter((id) => !published.includes(id)),
    [],
  )
})
