/** The gains of consecutive statements, with sales that are booked, cancelled or corrected after their period. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Decimal, sum } from '@clearing/domain/decimal'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { addSecurities, closeDay } from '../business-day/test-business-day.ts'
import { inTransaction } from '../database/transaction.ts'
import { readStatementFacts, type StatementFacts } from './read-statement.ts'
import { statementForm } from './statement-form.ts'

// The periods are short, so that few days are closed. 2027-01-01 is a holiday.
const periods = [
  ['2026-12-01', '2026-12-29'],
  ['2026-12-30', '2026-12-31'],
  ['2027-01-01', '2027-01-04'],
  ['2027-01-05', '2027-01-05'],
] as const
const days = ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-04', '2027-01-05']

type Row = readonly string[]

interface Case {
  readonly of: string
  /** By the day on which they are booked. */
  readonly lines: Readonly<Record<string, readonly TestLine[]>>
  /** The rows of the gains in the statement of each period. */
  readonly stated: readonly (readonly string[])[]
}

function trade(
  externalId: string,
  tradeDate: string,
  buySell: string,
  quantity: string,
  price: string,
): TestLine {
  return {
    ...{ externalId, acctType: '1', transType: 'Trade', buySell, symbol: 'STCK', secFee: '0' },
    ...{ quantity, price, tradeDate },
  }
}
const bought = trade('B', '2026-11-02', 'BUY', '100', '50')
function sold(tradeDate: string): TestLine {
  return trade('S', tradeDate, 'SEL', '40', '60')
}
const nothing = '0.00 0.00 0.00 0.00'
const gain = '2,400.00 2,000.00 0.00 400.00'
/** The rows of a statement without a change, in which only the short-term gains have amounts. */
function inOrder(period: string, year: string): string[] {
  return [
    `Short-term, this period ${period}`,
    `Long-term, this period ${nothing}`,
    `Short-term, this year ${year}`,
    `Long-term, this year ${nothing}`,
  ]
}
function changed(change: string, year: string): string[] {
  return inOrder(nothing, year).toSpliced(2, 0, `Short-term, change of earlier periods ${change}`)
}
function changedLastYear(change: string, year: string): string[] {
  return [
    ...inOrder(nothing, nothing).slice(0, 2),
    `Short-term, change of earlier periods ${change}`,
    `Short-term, in 2026 ${year}`,
    `Long-term, in 2026 ${nothing}`,
    `Short-term, in 2027 ${nothing}`,
    `Long-term, in 2027 ${nothing}`,
  ]
}
const idle = inOrder(nothing, nothing)
const stays = inOrder(nothing, gain)

const short = '800.00 900.00 0.00 -100.00'
const both = '3,200.00 2,900.00 0.00 300.00'

const cases: readonly Case[] = [
  {
    of: 'a cover of a short sale, which has the proceeds of the sale, beside the sale of a long position',
    lines: {
      '2026-12-28': [bought, { ...trade('SS', '2026-12-28', 'SSL', '20', '40'), acctType: '3' }],
      '2026-12-29': [{ ...trade('BC', '2026-12-29', 'BCV', '20', '45'), acctType: '3' }],
      '2026-12-30': [sold('2026-12-30')],
      '2026-12-31': [{ externalId: 'C', cancelType: 'C', tagNo: 'BC' }],
      '2027-01-05': [{ ...trade('BR', '2026-12-29', 'BCV', '20', '45'), acctType: '3' }],
    },
    stated: [
      inOrder(short, short),
      inOrder(gain, gain).toSpliced(
        2,
        0,
        'Short-term, change of earlier periods -800.00 -900.00 0.00 100.00',
      ),
      idle,
      changedLastYear(short, both),
    ],
  },
  {
    of: 'a sale that is booked on its day',
    lines: { '2026-12-28': [bought, sold('2026-12-28')] },
    stated: [inOrder(gain, gain), stays, idle, idle],
  },
  {
    of: 'a sale that is booked late, on the last day of its period',
    lines: { '2026-12-28': [bought], '2026-12-29': [sold('2026-12-28')] },
    stated: [inOrder(gain, gain), stays, idle, idle],
  },
  {
    of: 'a sale of the last day of a period that is booked on the day after',
    lines: { '2026-12-28': [bought], '2026-12-30': [sold('2026-12-29')] },
    stated: [idle, changed(gain, gain), idle, idle],
  },
  {
    of: 'a sale of the last day of a year that is booked on that day',
    lines: { '2026-12-28': [bought], '2026-12-31': [sold('2026-12-31')] },
    stated: [idle, inOrder(gain, gain), idle, idle],
  },
  {
    of: 'a sale of the last day of a year that is booked on the first day of the next year',
    lines: { '2026-12-28': [bought], '2027-01-04': [sold('2026-12-31')] },
    stated: [idle, idle, changedLastYear(gain, gain), idle],
  },
  {
    of: 'a sale of the year before that is booked a period later than the next',
    lines: { '2026-12-28': [bought], '2027-01-05': [sold('2026-12-29')] },
    stated: [idle, idle, idle, changedLastYear(gain, gain)],
  },
  {
    of: 'a sale that is cancelled in the next period',
    lines: {
      '2026-12-28': [bought, sold('2026-12-28')],
      '2026-12-30': [{ externalId: 'C', cancelType: 'C', tagNo: 'S' }],
    },
    stated: [inOrder(gain, gain), changed('-2,400.00 -2,000.00 0.00 -400.00', nothing), idle, idle],
  },
  {
    of: 'the only sale of a year that is cancelled in the next year',
    lines: {
      '2026-12-28': [bought, sold('2026-12-28')],
      '2027-01-04': [{ externalId: 'C', cancelType: 'C', tagNo: 'S' }],
    },
    stated: [inOrder(gain, gain), stays, changedLastYear('-2,400.00 -2,000.00 0.00 -400.00', nothing), idle],
  },
  {
    of: 'a sale whose cost is corrected in the next period',
    lines: {
      '2026-12-28': [bought, sold('2026-12-28')],
      '2026-12-31': [
        { externalId: 'C', cancelType: 'C', tagNo: 'B' },
        { ...bought, externalId: 'R', rebill: 'Y', tagNo: 'B', price: '51' },
      ],
    },
    stated: [
      inOrder(gain, gain),
      changed('0.00 40.00 0.00 -40.00', '2,400.00 2,040.00 0.00 360.00'),
      idle,
      idle,
    ],
  },
  {
    of: 'a loss that a purchase of the next year washes',
    lines: {
      '2026-12-28': [bought, { ...sold('2026-12-28'), price: '45' }],
      '2027-01-04': [trade('W', '2027-01-04', 'BUY', '10', '45')],
    },
    stated: [
      inOrder('1,800.00 2,000.00 0.00 -200.00', '1,800.00 2,000.00 0.00 -200.00'),
      inOrder(nothing, '1,800.00 2,000.00 0.00 -200.00'),
      changedLastYear('0.00 0.00 50.00 50.00', '1,800.00 2,000.00 50.00 -150.00'),
      idle,
    ],
  },
]

const accounts = cases.map((_, at) => `A${String(at).padStart(7, '0')}`)
let books: TestBooks
before(async () => {
  books = await openTestBooks(accounts)
  await addSecurities(books)
  for (const day of days) {
    const lines = cases.flatMap(({ lines: byDay }, at) =>
      (byDay[day] ?? []).map((line) => ownLine(accounts[at] ?? '', line)),
    )
    if (lines.length > 0) {
      const { rejects } = await loadActivityLines(books, lines, { now: new Date(`${day}T16:00:00Z`) })
      assert.deepEqual(rejects, [])
    }
    await closeDay(books, new Date(`${day}T22:00:00Z`))
  }
})
after(() => books?.[Symbol.asyncDispose]())

/** The line with ids of its account. */
function ownLine(acctNo: string, line: TestLine): TestLine {
  const named = (id: unknown) => id && `${acctNo}-${id}`
  return {
    ...line,
    acctNo,
    externalId: named(line.externalId),
    ...('tagNo' in line && { tagNo: named(line.tagNo) }),
  }
}

function factsOf(accountNumber: string, [from, to]: readonly [string, string], knownAt: string) {
  const now = new Date('2027-01-06T16:00:00Z')
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    readStatementFacts(tx, { accountNumber, from, to }, { now, knownAt, concentration: [] }),
  )
}

const addressee = {
  ...{ accountNumber: '', accountName: '', firmName: '', clearingFirmName: '', delivery: 'Paper' },
  record: { registrationType: 'Individual', mailingAddress: {}, electronicDelivery: {}, main: {} },
} as unknown as Parameters<typeof statementForm>[0]

function gainRowsOf(facts: StatementFacts): string[] {
  const { sections } = statementForm(addressee, facts)
  const parts = sections.find(({ title }) => title?.startsWith('Realized gains'))?.parts ?? []
  return parts.flatMap((part) => (part.kind === 'table' ? part.rows : [])).map(({ cells }) => cells.join(' '))
}

describe('consecutive statements', () => {
  for (const [at, { of, stated }] of cases.entries())
    it(`state ${of}`, async () => {
      const rows: Row[] = []
      for (const period of periods)
        rows.push(gainRowsOf(await factsOf(accounts[at] ?? '', period, period[1])))
      assert.deepEqual(rows, stated)
    })

  it('state together all gains that are known', async () => {
    for (const account of accounts) {
      const all: Decimal[] = []
      for (const period of periods) {
        const { gains } = await factsOf(account, period, period[1])
        for (const { shortTerm, longTerm } of [gains.period, gains.change])
          all.push(shortTerm.gainLossAllowed, longTerm.gainLossAllowed)
      }
      const { gains } = await factsOf(account, ['2000-01-01', '2027-01-05'], 'now')
      assert.equal(sum(all), gains.period.shortTerm.gainLossAllowed, account)
    }
  })
})

it('a statement that is made again has the gains of its period that are known now', async () => {
  const late = cases.findIndex(({ of }) => of.endsWith('of the next year'))
  const [account = '', period = ['', '']] = [accounts[late], periods[1]]
  assert.deepEqual(gainRowsOf(await factsOf(account, period, 'now')), inOrder(gain, gain))
  assert.deepEqual(gainRowsOf(await factsOf(account, period, period[1])), idle)
})
