/** Lines that arrive after the nights whose debit they change. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { parseMarginRates } from '../config/margin-rate.ts'
import { addSecurities, closeDay, makeBusinessDay, setPrice, stock } from './test-business-day.ts'
import {
  accounts,
  asSuperuser,
  deposit,
  firmId,
  friday,
  monday,
  purchase,
  rows,
  tuesday,
} from './test-closes.ts'

const [account = ''] = accounts
// A night on 1,000.00 costs 1.00.
const marginRates = parseMarginRates('36') ?? []

async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  return books
}

function withdrawal(externalId: string, amount: string, tradeDate: string, acctNo = account): TestLine {
  return { ...deposit(externalId, acctNo, `-${amount}`, tradeDate), transType: 'Withdrawal' }
}

async function load(books: TestBooks, now: Date, ...lines: readonly TestLine[]): Promise<void> {
  assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
}

function close(books: TestBooks, at: Date) {
  return closeDay(books, at, makeBusinessDay(books, { marginRates }))
}

/** `day it was computed / day of the nights: debit before > debit = interest` */
async function interestOf(books: TestBooks, acctNo = account): Promise<string[]> {
  const found = await rows<{ text: string }>(
    books,
    `select close_date || ' / ' || of_date || ': ' || coalesce(debit_before::float || ' > ', '') || debit::float || ' = ' || interest::float as text
     from clearing.margin_interest where account_number = '${acctNo}' order by close_date, of_date`,
  )
  return found.map(({ text }) => text)
}

async function accruedOf(books: TestBooks, acctNo = account): Promise<number | undefined> {
  const [row] = await rows<{ accrued: number }>(
    books,
    `select interest_accrued::float as accrued from clearing.margin_ledger
     where account_number = '${acctNo}' order by close_date desc limit 1`,
  )
  return row?.accrued
}

describe('a line that arrives late', () => {
  for (const [day, nights] of [
    ['2026-11-19', true],
    ['2026-11-20', true],
    ['2026-11-21', false],
  ] as const)
    it(`dated ${day} ${nights ? 'changes' : 'does not change'} the nights from Friday on`, async () => {
      await using books = await openBooks()
      await load(books, friday, withdrawal('1', '5000', '2026-11-20'))
      await close(books, friday)
      await load(books, monday, withdrawal('2', '1000', day))
      await close(books, monday)
      const changed = ['2026-11-23 / 2026-11-20: 5000 > 6000 = 3']
      assert.deepEqual(await interestOf(books), [
        '2026-11-20 / 2026-11-20: 5000 = 15',
        ...(nights ? changed : []),
        '2026-11-23 / 2026-11-23: 6000 = 6',
      ])
      assert.equal(await accruedOf(books), nights ? 24 : 21)
    })

  it('changes only what is owed: a credit earns nothing', async () => {
    await using books = await openBooks()
    await load(books, friday, deposit('1', account, '5000'))
    await close(books, friday)
    assert.deepEqual(await interestOf(books), [])
    await load(books, monday, withdrawal('2', '8000', '2026-11-20'))
    await close(books, monday)
    await load(books, tuesday, deposit('3', account, '4000', '2026-11-20'))
    await close(books, tuesday)
    assert.deepEqual(await interestOf(books), [
      '2026-11-23 / 2026-11-20: 0 > 3000 = 9',
      '2026-11-23 / 2026-11-23: 3000 = 3',
      '2026-11-24 / 2026-11-20: 3000 > 0 = -9',
      '2026-11-24 / 2026-11-23: 3000 > 0 = -3',
    ])
    assert.equal(await accruedOf(books), 0)
  })

  it('changes no nights of closes that had not seen the account', async () => {
    await using books = await openBooks()
    await close(books, friday)
    await load(books, monday, withdrawal('1', '5000', '2026-11-20'))
    await close(books, monday)
    assert.deepEqual(await interestOf(books), ['2026-11-23 / 2026-11-23: 5000 = 5'])
  })

  it('counts a trade from its settlement, and other account types not at all', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '5000', '2026-11-20'))
    await close(books, friday)
    const bought = (externalId: string, tradeDate: string) => purchase(externalId, account, '20', tradeDate)
    const inCash = { ...withdrawal('4', '700', '2026-11-19'), acctType: '1' }
    await load(books, monday, bought('2', '2026-11-19'), bought('3', '2026-11-20'), inCash)
    await close(books, monday)
    assert.deepEqual(await interestOf(books), [
      '2026-11-20 / 2026-11-20: 5000 = 15',
      '2026-11-23 / 2026-11-20: 5000 > 6000 = 3',
      '2026-11-23 / 2026-11-23: 7000 = 7',
    ])
  })
})

describe('a late short sale', () => {
  it('counts its shares at the prices of the closes that have passed', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '5000', '2026-11-20'))
    await setPrice(books, stock, '2026-11-20T21:00:00Z', '60')
    await close(books, friday)
    await setPrice(books, stock, '2026-11-23T21:00:00Z', '70')
    const short = {
      ...purchase('2', account, '200', '2026-11-19'),
      acctType: '3',
      buySell: 'SSL',
      secFee: '0',
    }
    await load(books, monday, short)
    await close(books, monday)
    // The proceeds of 10,000 do not reduce the debit; the loss of 2,000 until Friday does.
    assert.deepEqual(await interestOf(books), [
      '2026-11-20 / 2026-11-20: 5000 = 15',
      '2026-11-23 / 2026-11-20: 5000 > 7000 = 6',
      '2026-11-23 / 2026-11-23: 9000 = 9',
    ])
  })
})

describe('a late short sale of a security without a price at the close', () => {
  it('counts its shares at the first price that is known since', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '20000', '2026-11-20'))
    await close(books, friday)
    await asSuperuser(books, [
      `insert into clearing.security (sec_no, symbol, sec_type_name, created_at, updated_at)
       values (9, 'LATE', 'Common Stock', '2020-01-01', '2020-01-01')`,
      `insert into clearing.price (sec_no, priced_at, price_type, price, entered_on)
       values (9, '2026-11-20T21:00:00Z', 'LastClose', 60, '2026-11-23')`,
    ])
    const short = { ...purchase('2', account, '200', '2026-11-19'), symbol: 'LATE', acctType: '3' }
    await load(books, monday, { ...short, buySell: 'SSL', secFee: '0' })
    await close(books, monday)
    assert.equal((await interestOf(books))[1], '2026-11-23 / 2026-11-20: 20000 > 22000 = 6')
  })
})

describe('a short position in worthless shares', () => {
  it('counts at the price of 0 that the close knew, whatever the shares are worth now', async () => {
    await using books = await openBooks()
    const short = {
      ...purchase('2', account, '200', '2026-11-19'),
      acctType: '3',
      buySell: 'SSL',
      secFee: '0',
    }
    await load(books, friday, withdrawal('1', '30000', '2026-11-20'), short)
    await setPrice(books, stock, '2026-11-20T21:00:00Z', '0')
    await close(books, friday)
    await setPrice(books, stock, '2026-11-23T21:00:00Z', '5')
    await load(books, monday, withdrawal('3', '1000', '2026-11-20'))
    await close(books, monday)
    assert.deepEqual((await interestOf(books)).slice(0, 2), [
      '2026-11-20 / 2026-11-20: 20000 = 60',
      '2026-11-23 / 2026-11-20: 20000 > 21000 = 3',
    ])
  })
})

describe('a cancelled purchase', () => {
  it('leaves a refund of the interest that was charged, which later interest or a payment uses up', async () => {
    await using books = await openBooks()
    await load(books, friday, purchase('1', account, '400', '2026-11-19'))
    await close(books, friday)
    assert.equal(await accruedOf(books), 60)
    const charge = { ...deposit('2', account, '-60', '2026-11-23'), transType: 'Interest' }
    await load(books, monday, charge, { externalId: '3', acctNo: account, cancelType: 'C', tagNo: '1' })
    await close(books, monday)
    assert.deepEqual(await interestOf(books), [
      '2026-11-20 / 2026-11-20: 20000 = 60',
      '2026-11-23 / 2026-11-20: 20000 > 0 = -60',
      '2026-11-23 / 2026-11-23: 60 = 0.06',
    ])
    assert.equal(await accruedOf(books), -59.94)
    await load(books, tuesday, { ...deposit('4', account, '40', '2026-11-24'), transType: 'Interest' })
    await close(books, tuesday)
    // 60 less 40 are owed for a night: 0.02.
    assert.equal(await accruedOf(books), -19.92)
    await load(books, tuesday, { ...deposit('5', account, '100', '2026-11-25'), transType: 'Interest' })
    await close(books, new Date('2026-11-25T22:00:00Z'))
    assert.equal(await accruedOf(books), 0, 'more than the refund is interest of another kind')
  })
})

describe('interest lines of the day of a late line', () => {
  const interest = (externalId: string, netAmount: string, tradeDate: string) => {
    return { ...deposit(externalId, account, netAmount, tradeDate), transType: 'Interest' }
  }
  const cancel = (tagNo: string) => ({ externalId: `${tagNo}C`, acctNo: account, cancelType: 'C', tagNo })

  it('charge and refund its difference', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '5000', '2026-11-20'))
    await close(books, friday)
    const late = withdrawal('2', '10000', '2026-11-20')
    await load(
      books,
      monday,
      late,
      interest('3', '-45', '2026-11-23'),
      deposit('4', account, '45', '2026-11-23'),
    )
    await close(books, monday)
    // 15 and 30 are charged; the night on 15,000 is left.
    assert.equal(await accruedOf(books), 15)
    await load(books, tuesday, interest('5', '-15', '2026-11-24'), deposit('6', account, '15', '2026-11-24'))
    await close(books, tuesday)
    assert.equal(await accruedOf(books), 15)
    const wednesday = new Date('2026-11-25T22:00:00Z')
    // Late nights cost 30 and 10 and 10 less. Of these, 15 are not charged, and 35 are paid at once.
    const paid = [interest('7', '35', '2026-11-25'), withdrawal('8', '35', '2026-11-25')]
    await load(books, wednesday, cancel('2'), ...paid)
    await close(books, wednesday)
    // Thanksgiving: two nights on 5,000.
    assert.equal(await accruedOf(books), 10)
    await load(books, new Date('2026-11-27T18:00:00Z'), cancel('7'), cancel('8'))
    await close(books, new Date('2026-11-27T22:00:00Z'))
    assert.equal(await accruedOf(books), 10 - 35 + 15, 'the refund is owed again')
  })
})

describe('a night that is computed again', () => {
  it('has the rates at which it was computed, whatever the setting is now', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '20000', '2026-11-20'))
    await close(books, friday)
    await load(books, monday, deposit('2', account, '20000', '2026-11-20'))
    await closeDay(books, monday, makeBusinessDay(books, { marginRates: parseMarginRates('72') ?? [] }))
    assert.deepEqual(await interestOf(books), [
      '2026-11-20 / 2026-11-20: 20000 = 60',
      '2026-11-23 / 2026-11-20: 20000 > 0 = -60',
    ])
  })

  it('has its debit on record: a portion of an earlier release has none', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '20000', '2026-11-20'))
    await close(books, friday)
    await asSuperuser(books, ['delete from clearing.margin_interest'])
    await load(books, monday, withdrawal('2', '1000', '2026-11-20'))
    await close(books, monday)
    assert.deepEqual(await interestOf(books), ['2026-11-23 / 2026-11-23: 21000 = 21'])
  })

  it('is of a close of this release', async () => {
    await using books = await openBooks()
    await load(books, friday, withdrawal('1', '20000', '2026-11-20'))
    await close(books, friday)
    await asSuperuser(books, ['update clearing.business_day_close set counts_late_nights = false'])
    await load(books, monday, deposit('2', account, '20000', '2026-11-20'))
    await close(books, monday)
    assert.equal(await accruedOf(books), 60)
  })
})

describe('lines in any order', () => {
  it('cost the same as in the order of their dates', async () => {
    await using books = await openBooks()
    const [inOrder = '', late = ''] = accounts
    const days = ['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-27', '2026-11-30']
    const random = makeRandom(20261130)
    const arriving = days.map((): TestLine[] => [])
    let number = 0
    const book = (line: TestLine, on: number) => {
      const known = { ...line, secFee: '0' }
      arriving[on]?.push({ ...known, externalId: `a${number}`, acctNo: inOrder })
      const lateBy = random(3) === 0 ? 0 : random(days.length - on)
      arriving[on + lateBy]?.push({ ...known, externalId: `b${number}`, acctNo: late })
      number += 1
    }
    for (const acctNo of [inOrder, late])
      arriving[0]?.push(withdrawal(`first${acctNo}`, '4000', '2026-11-20', acctNo))
    for (const [on, tradeDate] of days.entries()) {
      for (let lines = 0; lines < 4; lines += 1) {
        const amount = String(1 + random(6_000))
        const moved = { acctType: '2', transType: 'Deposit', netAmount: amount, tradeDate }
        const traded = purchase('', '', String(1 + random(90)), tradeDate)
        const kinds = [moved, { ...moved, transType: 'Withdrawal', netAmount: `-${amount}` }, traded]
        const shorts = ['SSL', 'BCV'].map((buySell) => ({ ...traded, acctType: '3', buySell }))
        const line = [...kinds, ...shorts][random(5)]
        if (line !== undefined) book(line, on)
      }
    }
    for (const [on, day] of days.entries()) {
      const at = new Date(`${day}T22:00:00Z`)
      await setPrice(books, stock, `${day}T21:00:00Z`, String(40 + random(20)))
      await load(books, at, ...(arriving[on] ?? []))
      await close(books, at)
    }
    const sums = await rows<{ of_date: string; a: number; b: number }>(
      books,
      `select of_date, (sum(interest) filter (where account_number = '${inOrder}'))::float as a,
         (sum(interest) filter (where account_number = '${late}'))::float as b
       from clearing.margin_interest group by of_date order by of_date`,
    )
    assert.ok(sums.some(({ a }) => a > 0))
    for (const { of_date, a, b } of sums) assert.equal(b ?? 0, a ?? 0, of_date)
    assert.equal(await accruedOf(books, late), await accruedOf(books, inOrder))
    assert.ok((await interestOf(books, late)).some((text) => text.includes('>')))
  })
})

/** Numbers from 0 to below `count`, the same for every run. */
function makeRandom(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * count)
  }
}
