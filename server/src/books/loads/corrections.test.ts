/** Corrections of rates, prices, positions held away and at locations: the last one counts, and each counts once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { bodyOf, ndjsonOf, openTestBooks, runTestLoad, type TestBooks } from '../testing/books-database.ts'
import { heldAwayLoader } from './held-away.ts'
import { locationPositionsLoader } from './location-positions.ts'
import { fxRatesLoader, pricesLoader } from './quotes.ts'
import type { Load, Loader } from './run-load.ts'
import { securitiesLoader } from './securities.ts'

const account = 'A0000001'
let books: TestBooks
before(async () => {
  books = await openTestBooks([account])
  await load('load-securities', securitiesLoader, { symbol: 'STK' })
})
after(() => books?.[Symbol.asyncDispose]())

type Line = Readonly<Record<string, unknown>>
async function load<Ready>(kind: string, loader: (load: Load) => Loader<Ready>, ...lines: Line[]) {
  const { loadId, accepted, duplicates, conflicts, rejected, rejects } = await runTestLoad(
    books,
    kind,
    loader,
    bodyOf(ndjsonOf(lines)),
  )
  return { loadId, counts: [accepted, duplicates, conflicts, rejected], rejects }
}
function rows<Row>(text: string, firm: string | null = null): Promise<Row[]> {
  const pool = firm === null ? books.database.operations : books.database.app
  return inTransaction(pool, { firm, readOnly: true }, (tx) => tx.rows(unprepared<Row>(text)))
}

const kinds = [
  {
    ...{ kind: 'load-fx-rates', loader: fxRatesLoader, table: 'fx_rate', field: 'rate' },
    line: { currency: 'NOK', date: '2026-11-19' },
  },
  {
    ...{ kind: 'load-prices', loader: pricesLoader, table: 'price', field: 'price' },
    line: { symbol: 'STK', priceType: 'LastClose', priceDate: '2026-11-19T21:00:00Z' },
  },
  {
    ...{ kind: 'load-held-away', loader: heldAwayLoader, table: 'held_away', field: 'quantity' },
    line: { acctNo: account, symbol: 'STK', custodian: 'OB', asOfDate: '2026-11-19' },
  },
  {
    kind: 'load-location-positions',
    ...{ loader: locationPositionsLoader, table: 'location_position', field: 'quantity' },
    line: { location: 'DTC', symbol: 'STK', asOfDate: '2026-11-19' },
  },
] as const

for (const { kind, loader, table, field, line } of kinds) {
  describe(kind, () => {
    const send = (...lines: Line[]) =>
      load(kind, loader as (load: Load) => Loader<never>, ...lines.map((values) => ({ ...line, ...values })))
    const versions = async () =>
      (
        await rows<{ text: string }>(
          `select concat_ws(' ', version, correction_id, trim_scale(${field})) as text
           from clearing.${table}_correction order by version`,
        )
      ).map(({ text }) => text)

    test('takes a fact and its corrections in one batch, in the order of the lines', async () => {
      const lines = [
        { [field]: '3', correctionId: 'A' },
        { [field]: '2' },
        { [field]: '4', correctionId: 'B' },
        { [field]: '3', correctionId: 'A' },
        { [field]: '5', correctionId: 'A' },
        { [field]: '9' },
      ]
      const { loadId, counts, rejects } = await send(...lines)
      assert.deepEqual(counts, [3, 1, 2, 0])
      assert.deepEqual(
        rejects.map((one) => [one.line, one.code, one.field]),
        [
          [5, 'ERR.2018', field],
          [6, 'ERR.2018', field],
        ],
      )
      assert.deepEqual(await versions(), ['1 A 3', '2 B 4'])
      const audited = await rows<{ detail: string }>(
        `select detail from clearing.audit where action = '${kind}' and target = '${loadId}'`,
      )
      const details = audited.map(({ detail }) => JSON.parse(detail))
      assert.deepEqual(
        details.map(({ corrected, facts }) => [corrected, facts.map((fact: string) => fact.at(-1))]),
        [[2, ['A', 'B']]],
      )
      assert.deepEqual((await send(...lines)).counts, [0, 4, 2, 0])
      assert.deepEqual(await versions(), ['1 A 3', '2 B 4'])
    })

    test('takes one of several loads of the same correction at once, and each of different ones', async () => {
      const before = await versions()
      const same = await Promise.all([1, 2, 3].map(() => send({ [field]: '6', correctionId: 'C' })))
      assert.deepEqual(same.map(({ counts }) => counts.join(' ')).sort(), ['0 1 0 0', '0 1 0 0', '1 0 0 0'])
      const different = await Promise.all(
        ['D', 'E', 'F'].map((correctionId) => send({ [field]: '7', correctionId })),
      )
      assert.deepEqual(
        different.map(({ counts }) => counts[0]),
        [1, 1, 1],
      )
      const after = await versions()
      assert.deepEqual(after.slice(0, 3), [...before, '3 C 6'])
      assert.deepEqual(
        after.slice(3).map((text) => text.slice(0, 1)),
        ['4', '5', '6'],
      )
    })
  })
}

test('a firm sees no corrections of positions that accounts of another firm hold away', async () => {
  const count = async (firm: string) =>
    (await rows<{ count: bigint }>('select count(*) from clearing.held_away_correction', firm))[0]?.count
  assert.ok(Number(await count(books.firmId)) > 0)
  assert.equal(await count(books.otherFirmId), 0n)
})
