/** Every reading of prices finds the same last price: at an instant, by what was known, in the units of the view. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { createTestDatabase, type TestDatabase } from '../../../database/test-database.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { endOfEasternDay, startOfEasternDay } from '../calendar.ts'
import { readNamedPrices, readPricedSecurities } from './priced-securities.ts'
import { readPricesAt } from './prices-at.ts'
import { readPricesOfDays } from './prices-of-days.ts'

const securities = { SEVERAL: '1', CORRECTED: '2', LATE: '3', SPLIT: '4', RETRADED: '5' }
type TestSymbol = keyof typeof securities

const rows = [
  `insert into clearing.security (sec_no, symbol, created_at, updated_at)
   select value::bigint, key, '2020-01-01', '2020-01-01' from json_each_text('${JSON.stringify(securities)}')`,
  `insert into clearing.price (sec_no, priced_at, price_type, price, entered_on) values
   (1, '2026-11-18T05:00:00Z', 'LastClose', 10, '2026-11-18'), (1, '2026-11-18T05:00:00Z', 'DelayedSnap', 12, '2026-11-18'),
   (1, '2026-11-18T05:00:00Z', 'CurrentSnap', 11, '2026-11-18'), (1, '2026-11-17T21:00:00Z', 'LastClose', 9, '2026-11-17'),
   (2, '2026-11-17T21:00:00Z', 'LastClose', 20, '2026-11-17'),
   (3, '2026-11-17T21:00:00Z', 'LastClose', 30, '2026-11-17'), (3, '2026-11-18T21:00:00Z', 'LastClose', 31, '2026-11-20'),
   (4, '2026-11-16T21:00:00Z', 'LastClose', 100, '2026-11-16'),
   (5, '2026-11-16T21:00:00Z', 'LastClose', 100, '2026-11-16'), (5, '2026-11-18T21:00:00Z', 'LastClose', 55, '2026-11-18')`,
  `insert into clearing.price_correction (sec_no, priced_at, price_type, version, correction_id, price, load_id, entered_on) values
   (2, '2026-11-17T21:00:00Z', 'LastClose', 1, 'C', 21, gen_random_uuid(), '2026-11-20')`,
  `insert into clearing.unit_change (firm_id, external_id, sec_no, to_sec_no, effective_on, received, held, is_stated, is_merger, entered_on)
   select gen_random_uuid(), 'split', sec_no, sec_no, '2026-11-17', 2, 1, true, false, '2026-11-18' from unnest(array[4, 5]) as sec_no`,
]

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
  const session = await database.superuser()
  for (const row of rows) await session.query(row)
})
after(async () => {
  await database?.[Symbol.asyncDispose]()
})

function reading<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(database.operations, { firm: null }, read)
}

const opened = '2026-11-18T05:00:00.000Z'
const moments: [name: string, symbol: TestSymbol, at: string, knownOn: string | null, price: string][] = [
  ['at the instant of several prices, the one nearest to the market', 'SEVERAL', opened, null, '11'],
  ['before that instant, the price before', 'SEVERAL', '2026-11-18T04:59:59.999Z', null, '9'],
  ['known before a correction, the price of the feed', 'CORRECTED', opened, '2026-11-19', '20'],
  ['known on the day of the correction, the corrected price', 'CORRECTED', opened, '2026-11-20', '21'],
  ['with all that is known, the corrected price', 'CORRECTED', opened, null, '21'],
  ['known before a late price, the earlier price', 'LATE', '2026-11-18T21:00:00Z', '2026-11-19', '30'],
  ['known on the day of a late price, the late price', 'LATE', '2026-11-18T21:00:00Z', '2026-11-20', '31'],
  ['on the day before a split, the price in the old units', 'SPLIT', '2026-11-17T04:59:59Z', null, '100'],
  ['on the day of a split, the price in the new units', 'SPLIT', '2026-11-17T15:00:00Z', null, '50'],
  ['known before the split was entered, the price in the old units', 'SPLIT', opened, '2026-11-17', '100'],
  ['with a price after a split, that price', 'RETRADED', '2026-11-18T21:00:00Z', null, '55'],
]

describe('the last price is', () => {
  for (const [name, symbol, at, knownOn, price] of moments) {
    test(name, async () => {
      const secNo = securities[symbol]
      const day = new Date(Date.parse(at) - 5 * 3_600_000).toISOString().slice(0, 10)
      const view = { at, day, knownOn }
      const [found, [named]] = await reading((tx) =>
        Promise.all([readPricesAt(tx, [secNo], view), readNamedPrices(tx, [BigInt(secNo)], view)]),
      )
      assert.equal(renderDecimal(found.get(secNo) ?? ZERO), price)
      assert.equal(Number(named?.price), Number(price))
    })
  }

  test('the same for positions now', async () => {
    const now = new Date('2026-11-20T21:00:00Z')
    const priced = await reading((tx) => readPricedSecurities(tx, Object.values(securities), now))
    const prices = Object.fromEntries(priced.map(({ symbol, price }) => [symbol, Number(price)]))
    assert.deepEqual(prices, { SEVERAL: 11, CORRECTED: 21, LATE: 31, SPLIT: 50, RETRADED: 55 })
  })
})

const days: [name: string, symbol: TestSymbol, day: string, price: string | undefined][] = [
  ['the last price before the day begins', 'SEVERAL', '2026-11-18', '9'],
  ['the price of the beginning, on the next day', 'SEVERAL', '2026-11-19', '11'],
  ['the price of the day, if there is none before it', 'SPLIT', '2026-11-16', '100'],
  ['missing on a day before the first price', 'SPLIT', '2026-11-15', undefined],
  ['in the new units on the day of a split', 'SPLIT', '2026-11-17', '50'],
  ['in the new units after a split, although the day has a price', 'RETRADED', '2026-11-18', '50'],
  ['that of the new units, on the next day', 'RETRADED', '2026-11-19', '55'],
]

describe('the price for trades of a day is', () => {
  for (const [name, symbol, day, price] of days) {
    test(name, async () => {
      const bounds = { opens: startOfEasternDay(day), ends: endOfEasternDay(day) }
      const wanted = {
        secNo: securities[symbol],
        day,
        opens: bounds.opens.toISOString(),
        ends: bounds.ends.toISOString(),
      }
      const [found] = await reading((tx) => readPricesOfDays(tx, [wanted], null))
      assert.equal(found && renderDecimal(found), price)
    })
  }
})
