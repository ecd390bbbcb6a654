/**
 * Exercises and assignments are confirmed like purchases and sales of the underlying (17 CFR 240.10b-10(a)).
 * Reinvestments are confirmed by the statement (17 CFR 240.10b-10(b)).
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decimal, renderDecimal } from '@clearing/domain/decimal'
import {
  addDays,
  addMarketDays,
  previousMarketDay,
  settlementDate,
  yieldToMaturity,
} from '@clearing/domain/market'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { readPdf } from './read-pdf.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>

let service: RunningService
let expiration = ''
before(async () => {
  service = await startRunningService()
  expiration = addDays(await businessDate(), 60)
  const option = { secTypeName: 'Option', multiplier: '100', expiration }
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'HBR', cusip: '037833100', secTypeName: 'Common Stock', description: 'HARBOR CORP' },
        { symbol: 'HBR C40', ...option, underlying: 'HBR', putCall: 'Call', strike: '40' },
        { symbol: 'HBR P45', ...option, underlying: 'HBR', putCall: 'Put', strike: '45.5' },
        { symbol: 'NDX C90', ...option, underlying: 'NDX', putCall: 'Call', strike: '90' },
        { symbol: 'FUND', secTypeName: 'Mutual Fund', description: 'INCOME FUND' },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

function newAccount() {
  return openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
}
let ids = 0
async function book(acctNo: string, ...lines: Line[]) {
  const ndjson = lines.map((line) => {
    ids += 1
    return { externalId: `CO${ids}`, acctNo, ...line }
  })
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
  return ndjson.map(({ externalId }) => externalId)
}
async function businessDate() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
async function closeThrough(day: string) {
  await goPastClose(service, day)
  await until(
    async () =>
      (
        await service.query(
          `select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'make-statements'`,
        )
      ).rows[0].waiting,
    (waiting) => waiting === 0,
  )
}
type Kind = 'Confirmation' | 'Statement'
async function daysOf(accountNumber: string, kind: Kind = 'Confirmation') {
  const { data } = await service.alpha.listStatements({ accountNumber, kind })
  return data.statements.map(({ periodTo }) => periodTo)
}
async function textOf(accountNumber: string, periodTo: string, kind: Kind = 'Confirmation') {
  const answer = await service.alpha.getStatement({ accountNumber, kind, periodTo })
  return (await readPdf(Buffer.from(await answer.bytes()))).text
}
/** The last business day of the month of a day. */
function monthEnd(day: string): string {
  const next = addMarketDays(day, 1)
  return next.slice(0, 7) === day.slice(0, 7) ? monthEnd(next) : day
}
function bought(symbol: string, fields: Line = {}): Line {
  return { transType: 'Trade', buySell: 'BUY', symbol, quantity: '2', price: '3', ...fields }
}
/** History: it is not confirmed. */
const earlier = { tradeDate: '2024-03-04' }

describe('the underlying of an option', () => {
  const cases: readonly (readonly [what: string, held: Line, outcome: Line, expected: readonly RegExp[]])[] =
    [
      [
        'is bought by the exercise of a call',
        bought('HBR C40'),
        { transType: 'Exercise', symbol: 'HBR C40', quantity: '2', commission: '5', acctType: '1' },
        [
          /You bought HBR Security HARBOR CORP Symbol HBR CUSIP 037833100 Account type Cash /,
          /By exercise of the option HBR C40, Call, expires \d{4}-\d\d-\d\d Contracts 2 /,
          /Quantity 200 Price, USD 40 Commission, USD 5\.00 Net amount, USD -8,005\.00 /,
        ],
      ],
      [
        'is sold by the exercise of a put',
        bought('HBR P45'),
        { transType: 'Exercise', symbol: 'HBR P45', quantity: '1', acctType: '2' },
        [
          /You sold HBR Security HARBOR CORP .* Account type Margin By exercise of the option HBR P45, Put/,
          /Contracts 1 .* Quantity 100 Price, USD 45\.5 Net amount, USD 4,550\.00 /,
        ],
      ],
      [
        'is sold by the assignment of a call',
        bought('HBR C40', { buySell: 'SEL' }),
        { transType: 'Assignment', symbol: 'HBR C40', quantity: '2', secFee: '0.21' },
        [
          /You sold HBR .* By assignment of the option HBR C40, Call/,
          /Quantity 200 Price, USD 40 Fees, USD 0\.21 Net amount, USD 7,999\.79 /,
        ],
      ],
      [
        'is bought by the assignment of a put',
        bought('HBR P45', { buySell: 'SEL' }),
        { transType: 'Assignment', symbol: 'HBR P45', quantity: '2' },
        [
          /You bought HBR .* By assignment of the option HBR P45, Put/,
          /Quantity 200 Price, USD 45\.5 Net amount, USD -9,100\.00 /,
        ],
      ],
      [
        'is not bought by an option that is settled in cash, which is confirmed as such',
        bought('NDX C90'),
        { transType: 'Exercise', symbol: 'NDX C90', quantity: '2', netAmount: '310', cash: true },
        [
          /You exercised NDX C90 .* Settled in cash by exercise Exercise price 90 Expiration \d{4}-/,
          /Quantity 2 Net amount, USD 310\.00 /,
        ],
      ],
    ]
  for (const [what, held, { cash, ...outcome }, expected] of cases) {
    test(what, async () => {
      const account = await newAccount()
      const day = await businessDate()
      const { acctType = '2' } = outcome
      await book(
        account,
        { ...held, acctType, ...earlier },
        {
          ...{ transType: 'Trade', buySell: 'BUY', symbol: 'HBR', quantity: '500', price: '30', acctType },
          ...earlier,
        },
      )
      const delivered = cash ? {} : { toSymbol: 'HBR' }
      const [reference] = await book(account, { tradeDate: day, acctType, ...outcome, ...delivered })
      await closeThrough(day)
      assert.deepEqual(await daysOf(account), [day])
      const text = await textOf(account, day)
      for (const part of [
        ...expected,
        new RegExp(`Trade date ${day} Settlement date ${settlementDate(day, 'Equity')}`),
        new RegExp(`Reference ${reference} `),
      ])
        assert.match(text, part)
      assert.doesNotMatch(text, /Canceled|Corrected/)
    })
  }

  test('is confirmed on the day on which the exercise is booked, neither before nor after, and its cancel too', async () => {
    const account = await newAccount()
    const before = await businessDate()
    const day = addMarketDays(before, 1)
    const exercise = { transType: 'Exercise', symbol: 'HBR C40', toSymbol: 'HBR', quantity: '1' }
    // Sent the day before, it waits for its trade date.
    const [, sent = ''] = await book(
      account,
      { ...bought('HBR C40', { quantity: '4' }), ...earlier },
      { ...exercise, tradeDate: day },
    )
    await closeThrough(before)
    assert.deepEqual(await daysOf(account), [])
    await closeThrough(day)
    assert.deepEqual(await daysOf(account), [day])
    const next = addMarketDays(day, 1)
    const [late = ''] = await book(account, { ...exercise, quantity: '2', tradeDate: day })
    await closeThrough(next)
    assert.deepEqual(await daysOf(account), [next, day])
    const text = await textOf(account, next)
    assert.match(text, new RegExp(`Trade date ${day} .* Quantity 200 .* Reference ${late} `))
    assert.ok(!text.includes(` ${sent} `))

    const corrected = addMarketDays(next, 1)
    await book(
      account,
      { cancelType: 'C', tagNo: late, tradeDate: day },
      { ...exercise, quantity: '3', tradeDate: day, rebill: 'Y', tagNo: late },
    )
    await closeThrough(corrected)
    assert.deepEqual(await daysOf(account), [corrected, next, day])
    const both = await textOf(account, corrected)
    assert.match(both, /Canceled: you bought HBR .* Quantity -200 Price, USD 40 Net amount, USD 8,000\.00 /)
    assert.match(both, /Corrected: You bought HBR .* Quantity 300 Price, USD 40 Net amount, USD -12,000\.00 /)
    await closeThrough(addMarketDays(corrected, 1))
    assert.deepEqual(await daysOf(account), [corrected, next, day])
    const again = { accountNumber: account, kind: 'Confirmation', periodTo: day } as const
    assert.equal((await service.alpha.makeStatement(again)).data.version, 1)
  })

  test('is not bought when the option expires, and nothing is confirmed', async () => {
    const account = await newAccount()
    const day = await businessDate()
    await book(
      account,
      { ...bought('HBR C40'), ...earlier },
      { transType: 'Expiration', symbol: 'HBR C40', quantity: '2', tradeDate: day },
      { transType: 'Dividend', symbol: 'HBR', netAmount: '12', tradeDate: day },
    )
    await closeThrough(day)
    assert.deepEqual(await daysOf(account), [])
  })
})

describe('a trade of an option', () => {
  test('is confirmed with the terms of the option, and whether it opened or closed a position', async () => {
    const account = await newAccount()
    const day = await businessDate()
    const sold = (quantity: string) => ({ ...bought('HBR C40', { quantity }), buySell: 'SEL' })
    const [, , , cancelled] = await book(
      account,
      { ...bought('HBR C40'), tradeDate: day },
      { ...sold('1'), tradeDate: day },
      { ...sold('3'), tradeDate: day },
      { ...bought('HBR P45'), tradeDate: day },
      { ...bought('HBR'), tradeDate: day },
    )
    await closeThrough(day)
    const text = await textOf(account, day)
    const terms = `Option Call on HBR Exercise price 40 Expiration ${expiration} Transaction`
    assert.match(
      text,
      new RegExp(`You bought HBR C40 .*${terms} Opening Trade date .* Quantity 2 Premium, USD 3 `),
    )
    assert.match(text, new RegExp(`You sold HBR C40 .*${terms} Closing Trade date .* Quantity 1 `))
    assert.match(text, new RegExp(`${terms} Closing 1, opening 2 Trade date .* Quantity 3 `))
    assert.match(
      text,
      new RegExp(`Option Put on HBR Exercise price 45.5 Expiration ${expiration} Transaction Opening`),
    )
    assert.equal(text.split('Transaction').length, 5, 'the trade of the stock has no such terms')
    const next = await businessDate()
    await book(account, { cancelType: 'C', tagNo: cancelled })
    await closeThrough(next)
    const cancel = await textOf(account, next)
    assert.match(cancel, /Canceled: you bought HBR P45 .*Option Put on HBR Exercise price 45.5 /)
    assert.doesNotMatch(cancel, /Transaction|Redemption of debt securities/)
  })
})

describe('a trade of a bond', () => {
  test('is confirmed with the yield of its price, and a pool that repays continuously without one', async () => {
    const coupon = { couponRate: '5.75', couponFrequency: '2', maturityDate: '2036-11-15' }
    const ndjson = [
      { symbol: 'HBR 36', secTypeName: 'Corporate Bond', ...coupon },
      { symbol: 'POOL', secTypeName: 'Agency Mortgage Bond', currentFactor: '0.8', ...coupon },
    ]
    const { data } = await service.operations.operations.loadSecurities({ lines: { ndjson } })
    assert.deepEqual(data.rejects, [])
    const account = await newAccount()
    const day = await businessDate()
    const trade = { quantity: '10000', price: '95.04287', tradeDate: day }
    await book(account, bought('HBR 36', trade), bought('POOL', trade))
    await closeThrough(day)
    const text = await textOf(account, day)
    const settled = settlementDate(day, 'Bond')
    const terms = { couponRate: decimal('5.75'), couponFrequency: 2, dayCount: '30/360' } as const
    const found = yieldToMaturity({ ...terms, maturityDate: '2036-11-15' }, decimal('95.04287'), settled)
    assert.ok(found !== undefined && found > decimal('6') && found < decimal('7'))
    const named = `Maturity 2036-11-15 Coupon, percent 5.75 Yield to maturity, percent ${renderDecimal(found)} Trade date`
    assert.match(text, new RegExp(`You bought HBR 36 .*${named}`))
    assert.match(text, /You bought POOL .*Coupon, percent 5\.75 Trade date/)
    assert.match(text, /Redemption of debt securities .* could affect the yield/)
  })
})

describe('a reinvestment', () => {
  function reinvested(fields: Line): Line {
    return { transType: 'Reinvest', symbol: 'FUND', ...fields }
  }
  const title = 'Purchases by reinvestment of distributions'
  function sectionOf(text: string) {
    const from = text.indexOf(title)
    return from < 0 ? '' : text.slice(from, text.indexOf('Realized gains and losses'))
  }

  test('is confirmed by the statement of the month in which it is booked', async () => {
    await closeThrough(monthEnd(await businessDate()))
    const account = await newAccount()
    const end = monthEnd(await businessDate())
    const before = previousMarketDay(end)
    await closeThrough(previousMarketDay(before))
    await book(
      account,
      { ...bought('FUND', { quantity: '100', price: '10' }), ...earlier },
      reinvested({ quantity: '9', price: '10', tradeDate: '2024-04-01' }),
      { transType: 'Dividend', symbol: 'FUND', netAmount: '40', tradeDate: before },
      reinvested({ quantity: '3.333', price: '12', netAmount: '-40', tradeDate: before }),
    )
    await closeThrough(before)
    assert.deepEqual([await daysOf(account), await daysOf(account, 'Statement')], [[], []])
    // Without a price, it is what was paid for each share.
    await book(
      account,
      { transType: 'CapitalGain', symbol: 'FUND', netAmount: '21.05', tradeDate: end },
      reinvested({ quantity: '1.602', netAmount: '-21.05', commission: '1.5', tradeDate: end }),
    )
    await closeThrough(end)
    assert.deepEqual([await daysOf(account), await daysOf(account, 'Statement')], [[], [end]])
    const text = await textOf(account, end, 'Statement')
    const section = sectionOf(text)
    assert.match(section, new RegExp(`${before} Reinvestment FUND 3\\.333 12 0\\.00 -40\\.00 113\\.935 `))
    assert.match(section, new RegExp(`${end} Reinvestment FUND 1\\.602 12\\.2035 1\\.50 -21\\.05 113\\.935 `))
    assert.doesNotMatch(section, /2024-04-01/, 'history from before the account was opened')
    assert.match(section, /This statement is the confirmation .* on your written request/)
    assert.match(text, /Purchases and sales -1,151\.05 /)
    assert.match(text, /Income and interest 61\.05 /)

    const next = await businessDate()
    const [cancelled = ''] = await book(account, reinvested({ quantity: '5', price: '11', tradeDate: end }))
    await book(account, { cancelType: 'C', tagNo: cancelled, tradeDate: end })
    await closeThrough(monthEnd(next))
    const later = sectionOf(await textOf(account, monthEnd(next), 'Statement'))
    assert.match(later, new RegExp(`${end} Reinvestment FUND 5 11 0\\.00 -55\\.00 113\\.935 `))
    assert.match(later, new RegExp(`${end} Canceled FUND -5 11 0\\.00 55\\.00 113\\.935 `))
    assert.ok(!later.includes('3.333'))
  })

  test('is not stated by a statement without one', async () => {
    const account = await newAccount()
    const day = await businessDate()
    await book(account, { transType: 'Deposit', netAmount: '5', tradeDate: day })
    await closeThrough(monthEnd(day))
    assert.equal(sectionOf(await textOf(account, monthEnd(day), 'Statement')), '')
  })
})
