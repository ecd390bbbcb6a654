import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderDecimal } from '@clearing/domain/decimal'
import { pricesLoader } from '../books/loads/quotes.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
} from '../books/testing/books-database.ts'
import { parseMarginRates } from '../config/margin-rate.ts'
import { inTransaction } from '../database/transaction.ts'
import { readPendingFundInterest } from '../store/margin-ledger.ts'
import { addFund, addSecurities, closeDay, makeBusinessDay, setPrice, stock } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, purchase, rows, tuesday } from './test-closes.ts'

describe('the rate on margin debits', () => {
  it('is the rate of the day on which each night begins', async () => {
    await using books = await openTestBooks(accounts, firmId)
    const loaded = await loadActivityLines(books, [
      { ...deposit('1', 'A0000001', '-36000'), transType: 'Withdrawal' },
    ])
    assert.deepEqual(loaded.rejects, [])
    const marginRates = parseMarginRates('8.5,2026-11-21=9,2026-11-22=10')
    assert.ok(marginRates)
    await closeDay(books, friday, makeBusinessDay(books, { marginRates }))
    // 36,000 for three nights: 8.50, 9.00 and 10.00.
    assert.deepEqual(
      await rows(books, 'select margin_interest::float as interest from clearing.day_accrual'),
      [{ interest: 27.5 }],
    )
  })

  it('is read from a list of ascending days whose first entry has no day', () => {
    for (const wrong of [
      '',
      '8,5',
      '2026-07-01=8',
      '8.5,2026-07-01',
      '8.5,2026-07-01=9,2026-06-01=8',
      '-1',
      '8.5%',
    ])
      assert.equal(parseMarginRates(wrong), undefined, wrong)
    assert.deepEqual(
      parseMarginRates('8.5, 2026-07-01=8.25')?.map(({ from }) => from),
      ['1900-01-01', '2026-07-01'],
    )
  })
})

describe('the margin debit', () => {
  it('is not reduced by the proceeds of short sales, whose shares count at the market from settlement to settlement', async () => {
    await using books = await openTestBooks(accounts, firmId)
    await addSecurities(books)
    const short = { ...purchase('3', 'A0000001', '200'), acctType: '3', buySell: 'SSL', secFee: '0' }
    const loaded = await loadActivityLines(books, [
      deposit('1', 'A0000001', '5000'),
      purchase('2', 'A0000001', '400'),
      short,
    ])
    assert.deepEqual(loaded.rejects, [])
    const day = makeBusinessDay(books, { marginRates: parseMarginRates('36') ?? [] })
    const interests = () =>
      rows(
        books,
        'select close_date, margin_interest::float as interest from clearing.day_accrual order by 1',
      )
    await closeDay(books, friday, day)
    assert.deepEqual(await interests(), [], 'nothing has settled, so no shares are borrowed')
    await setPrice(books, stock, '2026-11-23T21:00:00Z', '60')
    const cover = { ...short, externalId: '4', buySell: 'BCV', price: '60', tradeDate: '2026-11-23' }
    assert.deepEqual((await loadActivityLines(books, [cover], { now: monday })).rejects, [])
    await closeDay(books, monday, day)
    // The deposit of 5,000 and the proceeds of 10,000 less the purchase of 20,000 and the borrowed shares at 12,000.
    assert.deepEqual(await interests(), [{ close_date: '2026-11-23', interest: 17 }])
    await closeDay(books, tuesday, day)
    // The cover cost 12,000.
    assert.deepEqual((await interests())[1], { close_date: '2026-11-24', interest: 17 })
  })

  it('counts shares borrowed in account type 2 until their cover settles', async () => {
    await using books = await openTestBooks(accounts, firmId)
    await addSecurities(books)
    const short = { ...purchase('2', 'A0000001', '200'), buySell: 'SSL', secFee: '0' }
    const withdrawal = { ...deposit('1', 'A0000001', '-5000'), transType: 'Withdrawal' }
    assert.deepEqual((await loadActivityLines(books, [withdrawal, short])).rejects, [])
    const day = makeBusinessDay(books, { marginRates: parseMarginRates('36') ?? [] })
    await closeDay(books, friday, day)
    await setPrice(books, stock, '2026-11-23T21:00:00Z', '60')
    const cover = { ...short, externalId: '3', buySell: 'BCV', price: '60', tradeDate: '2026-11-23' }
    assert.deepEqual((await loadActivityLines(books, [cover], { now: monday })).rejects, [])
    await closeDay(books, monday, day)
    await closeDay(books, tuesday, day)
    const interests = await rows(
      books,
      'select margin_interest::float as interest from clearing.day_accrual order by close_date',
    )
    // Three nights on 5,000. Then 5,000 less the proceeds of 10,000, and the borrowed shares or their cover at 12,000.
    assert.deepEqual(interests, [{ interest: 15 }, { interest: 7 }, { interest: 7 }])
  })
})

describe('interest of a money-market fund', () => {
  it('is pending from the close of each day until the fund pays, and again after the payment is cancelled', async () => {
    await using books = await openTestBooks(accounts, firmId)
    await addFund(books)
    const price = (priceDate: string, fundYield: string) => ({
      symbol: 'FUND',
      price: '1',
      priceType: 'LastClose',
      priceDate,
      yield: fundYield,
    })
    const loaded = await runTestLoad(
      books,
      'load-prices',
      pricesLoader,
      bodyOf(ndjsonOf([price('2026-11-20T21:00:00Z', '5.11'), price('2026-11-23T21:00:00Z', '3.65')])),
    )
    assert.deepEqual(loaded.rejects, [])
    const shares = { ...purchase('1', 'A0000003', '100000', '2026-11-19'), acctType: '1', symbol: 'FUND' }
    await loadActivityLines(books, [{ ...shares, price: '1' }])
    const pending = (asOf: string | null = null) =>
      inTransaction(books.database.app, { firm: firmId, readOnly: true }, async (tx) =>
        renderDecimal(await readPendingFundInterest(tx, 'A0000003', asOf)),
      )
    assert.equal(await pending(), '0')
    await closeDay(books, friday)
    // 100,000 × 5.11 % ÷ 365 is 14 per night, until Monday three nights. Monday's night is at 3.65 %.
    assert.equal(await pending(), '42')
    await closeDay(books, monday)
    assert.equal(await pending(), '52')
    const payment = {
      externalId: '2',
      acctNo: 'A0000003',
      transType: 'Dividend',
      symbol: 'FUND',
      netAmount: '52',
      tradeDate: '2026-11-24',
    }
    await loadActivityLines(books, [payment], { now: monday })
    assert.equal(await pending(), '0')
    assert.equal(await pending('2026-11-20'), '42')
    await closeDay(books, new Date('2026-11-24T22:00:00Z'))
    assert.equal(await pending(), '10', 'the night after the payment is accrued')
    const cancel = { ...payment, externalId: '3', cancelType: 'C', tagNo: '2', netAmount: undefined }
    assert.deepEqual((await loadActivityLines(books, [cancel], { now: monday })).rejects, [])
    assert.equal(await pending(), '62')
    const other = await inTransaction(books.database.app, { firm: books.otherFirmId, readOnly: true }, (tx) =>
      readPendingFundInterest(tx, 'A0000003', null),
    )
    assert.equal(other, 0n, 'another firm cannot see the interest')
  })
})
