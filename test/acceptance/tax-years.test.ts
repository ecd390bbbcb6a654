/**
 * Tax years that combine several rules, through requests: each case is loaded like a feed in securities of its own, and
 * tax-report returns its rows.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { CaseLine, CaseSecurity, TaxYearCase } from '../../domain/src/tax/tax-year-cases.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>

const taxYearCases: readonly TaxYearCase[] = JSON.parse(
  readFileSync(new URL('../../domain/src/tax/tax-years.json', import.meta.url), 'utf8'),
)

const common = { secTypeName: 'Common Stock' }
const option = { strike: '10', expiration: '2037-12-18', multiplier: '100' }
const facts: Record<CaseSecurity, Line> = {
  XYZ: common,
  NEW: common,
  CALL: { ...option, putCall: 'Call' },
  PUT: { ...option, putCall: 'Put' },
  FUND: { secTypeName: 'Mutual Fund' },
  LIFO: { ...common, lotMethod: 'LIFO' },
  HIFO: { ...common, lotMethod: 'HIFO' },
  BOND: {
    ...{ secTypeName: 'Corporate Bond', couponRate: '5', couponFrequency: '2' },
    ...{ issueDate: '2014-12-16', maturityDate: '2024-12-16' },
  },
  BILL: { secTypeName: 'U.S. Treasury Bill', maturityDate: '2024-12-26' },
}

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function openAccount(registration = 'Individual') {
  return openAndFollow(service.alpha, applicationFor(registration as 'Individual'))
}

function symbolOf(prefix: string, name: CaseSecurity) {
  return `${prefix}${name}`
}

async function loadSecurities(prefix: string, names: Iterable<CaseSecurity>) {
  const ndjson = [...names].map((name) => ({
    symbol: symbolOf(prefix, name),
    description: 'LTD',
    ...facts[name],
    ...('putCall' in facts[name] && { underlying: symbolOf(prefix, 'XYZ') }),
  }))
  const { data } = await service.operations.operations.loadSecurities({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
}

/** The line of a feed. Ids have the prefix of the case. */
function lineOf(acctNo: string, prefix: string, line: CaseLine, index: number): Line {
  const { date, trade, of = 'XYZ', to, id = `L${index}`, lotId, cancels, rebills, ...fields } = line
  const [buySell, quantity, , price] = trade?.split(' ') ?? []
  const named = (name: string | undefined) => name && `${prefix}-${name}`
  return {
    ...{ acctNo, externalId: named(cancels ? `${id}C` : id), tradeDate: date, transType: 'Trade' },
    ...(trade && { buySell, quantity, price, secFee: '0' }),
    ...fields,
    ...{ symbol: symbolOf(prefix, of), toSymbol: to && symbolOf(prefix, to), lotId: named(lotId) },
    ...(cancels && { cancelType: 'C', tagNo: named(cancels) }),
    ...(rebills && { rebill: 'Y', tagNo: named(rebills) }),
  }
}

async function load(acctNo: string, prefix: string, lines: readonly CaseLine[]) {
  const ndjson = lines.map((line, index) => lineOf(acctNo, prefix, line, index))
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [], prefix)
}

interface Row {
  readonly symbol: string
  readonly text: string
}

function inForm(day: string) {
  return day === 'VARIOUS' ? day : `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
}

/** The rows of some years as text. */
async function rowsOf(accountNumber: string, years: readonly number[] = [2023, 2024, 2025]): Promise<Row[]> {
  const reports = await Promise.all(years.map((year) => service.alpha.taxReport({ accountNumber, year })))
  return reports.flatMap(({ data }) =>
    data.rows.map((row) => {
      const amount = (value: number) => (row.noCost === 'Y' ? '' : value.toFixed(2))
      const text = [
        ...[row.box, row.description.replace(/ ?LTD/, ''), inForm(row.dateAcquired), inForm(row.dateSold)],
        ...[row.proceeds.toFixed(2), amount(row.cost), row.code],
        ...[row.code === '' ? '' : row.washDisallowedAmt.toFixed(2), amount(row.gainLoss)],
      ].join(';')
      return { symbol: row.symbol, text }
    }),
  )
}

describe('tax-report of', () => {
  const prefixes = taxYearCases.map((_, index) => `T${index + 10}`)
  let rows: readonly Row[]
  before(async () => {
    const account = await openAccount()
    for (const [index, { lines }] of taxYearCases.entries()) {
      const prefix = prefixes[index] as string
      const names = lines.flatMap(({ of, to }) => [of ?? 'XYZ', ...(to ? [to] : [])])
      await loadSecurities(prefix, new Set<CaseSecurity>(['XYZ', ...names]))
      await load(account, prefix, lines)
    }
    rows = await rowsOf(account)
  })
  for (const [index, { name, law, rows: expected }] of taxYearCases.entries()) {
    test(`${name} (${law})`, () => {
      const found = rows.filter(({ symbol }) => symbol.startsWith(prefixes[index] as string))
      assert.deepEqual(
        found.map(({ text }) => text),
        expected,
      )
    })
  }
})

describe('tax-report goes by account:', () => {
  const loss: readonly CaseLine[] = [
    { date: '2024-01-02', trade: 'BUY 100 @ 10' },
    { date: '2024-06-03', trade: 'SEL 100 @ 7' },
  ]

  test('a purchase in another account of the owner disallows no loss (26 CFR 1.6045-1(d)(6)(iii))', async () => {
    await loadSecurities('TWO', ['XYZ'])
    const [sells, buys] = [await openAccount(), await openAccount()]
    await load(sells, 'TWO', loss)
    await load(buys, 'TWO', [{ id: 'B', date: '2024-06-04', trade: 'BUY 100 @ 7' }])
    assert.deepEqual(
      (await rowsOf(sells)).map(({ text }) => text),
      ['A;100 sh.;01/02/2024;06/03/2024;700.00;1000.00;;;-300.00'],
    )
    const { data } = await service.alpha.taxReport({ accountNumber: sells, year: 2024 })
    assert.equal(data.exemptRecipient, false)
  })

  test('an IRA has no Form 1099-B, and its gains are closings', async () => {
    await loadSecurities('IRA', ['XYZ'])
    const account = await openAccount('IraTraditional')
    await load(account, 'IRA', loss)
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2024 })
    assert.deepEqual(data, { rows: [], year: 2024, boxes: [], section1256: 0, exemptRecipient: true })
    const file = await service.alpha.form8949({ accountNumber: account, year: 2024 })
    assert.equal(
      Buffer.from(await file.bytes())
        .toString()
        .split('\r\n').length,
      2,
      'the header alone',
    )
    const range = { dateFrom: '2024-01-01', dateTo: '2024-12-31' }
    const gains = await service.alpha.realizedGains({ accountNumber: account, ...range })
    assert.deepEqual(
      gains.data.closings.map(({ gainLoss }) => gainLoss),
      [-300],
    )
  })

  // The last day that has no Form 1099-B, and the first that has one: 26 USC 6045(g)(4), 26 CFR 1.6045-1(c)(3)(i).
  const days: readonly (readonly [CaseSecurity, before: string, from: string])[] = [
    ['XYZ', '2011-12-31', '2012-01-01'],
    ['FUND', '2011-12-31', '2012-01-01'],
    ['CALL', '2013-12-31', '2014-01-01'],
    ['BOND', '2013-12-31', '2014-01-01'],
  ]
  const years = [2024]
  /** Lots of the days before, on and after the first day, sold on one day in the same order. */
  async function sellLots(account: string, prefix: string) {
    const names = days.map(([of]) => of)
    await loadSecurities(prefix, new Set<CaseSecurity>(['XYZ', ...names]))
    for (const [of, before, from] of days) {
      const lots = [before, from, `${from.slice(0, 8)}02`]
      await load(account, prefix, [
        ...lots.map((date, at) => ({ id: `${of}B${at}`, of, date, trade: 'BUY 1 @ 10', interest: '0' })),
        ...lots.map((_, at) => ({
          ...{ id: `${of}S${at}`, of, date: '2024-06-03', trade: 'SEL 1 @ 12', interest: '0' },
          lotId: `${of}B${at}`,
        })),
      ])
    }
    const found = await rowsOf(account, years)
    return days.map(([of]) =>
      found
        .filter(({ symbol }) => symbol === symbolOf(prefix, of))
        .map(({ text }) => text[0])
        .join(''),
    )
  }
  test('a corporation has a Form 1099-B for covered securities that it acquired since 2012 alone', async () => {
    const account = await openAccount('Corporation')
    assert.deepEqual(await sellLots(account, 'CORP'), ['FDD', 'FDD', 'FDD', 'FDD'])
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2024 })
    assert.deepEqual(
      data.boxes.map(({ box, count }) => [box, count]),
      [
        ['D', 8],
        ['F', 4],
      ],
    )
    assert.equal(data.exemptRecipient, false)
    const file = await service.alpha.form8949({ accountNumber: account, year: 2024 })
    const csv = Buffer.from(await file.bytes()).toString()
    assert.equal(csv.split('\r\n').filter((row) => row.startsWith('F,')).length, 4)
    // A lot of unknown cost is not covered.
    await load(account, 'CORP', [
      { id: 'NC', date: '2024-01-02', transType: 'TransferIn', quantity: '1' } as CaseLine,
      { id: 'NCS', date: '2024-06-04', trade: 'SEL 1 @ 12', lotId: 'NC' },
    ])
    assert.equal((await rowsOf(account, years)).at(-1)?.text[0], 'C')
  })

  for (const registration of ['Llc', 'Partnership', 'Trust', 'Estate', 'Individual'])
    test(`an account of the type ${registration} has a Form 1099-B for each sale`, async () => {
      const prefix = `X${registration.slice(0, 2).toUpperCase()}`
      assert.deepEqual(await sellLots(await openAccount(registration), prefix), ['DDD', 'EDD', 'EDD', 'EDD'])
    })
})
