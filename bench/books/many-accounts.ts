/**
 * Measures the value of an account, read and rendered, with the activity of a million accounts in the books,
 * compared with that of ten thousand. BENCH_ACCOUNTS and BENCH_FEW set the two numbers. At full size it needs
 * 9 GB of disk in the temporary folder and four minutes.
 */
import { valueAccount } from '../../server/src/books/positions/account-positions.ts'
import { renderAmounts } from '../../server/src/books/positions/render-amounts.ts'
import { createTestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { median, type Row } from '../measure.ts'
import { accountNumberOf, randomOf } from './feed.ts'
import { benchFirmId, fillBooks, positionsEach } from './fill.ts'

const few = Number(process.env.BENCH_FEW ?? 10_000)
const many = Number(process.env.BENCH_ACCOUNTS ?? 1_000_000)
const reads = 4_000
const growthMax = 1.3

export async function rows(): Promise<Row[]> {
  await using small = await open(few)
  await using large = await open(many)
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round += 1) {
    times[0].push(await small.medianMs(round))
    times[1].push(await large.medianMs(round))
  }
  const [before, after] = [median(times[0]), median(times[1])]
  return [
    {
      name: `position-summary with the activity of ${many.toLocaleString('en-US')} accounts`,
      measured: `${after.toFixed(2)} ms`,
      floor: `${before.toFixed(2)} ms with ${few.toLocaleString('en-US')}`,
      figure: after / before,
      target: `≤ ${growthMax}`,
      met: after / before <= growthMax,
      note: `median of reads of random accounts of ${positionsEach} positions, one at a time, without HTTP`,
    },
  ]
}

async function open(accounts: number) {
  const database = await createTestDatabase()
  await fillBooks(database.urls.superuser, accounts)
  const now = new Date('2026-11-20T22:00:00Z')
  const read = async (accountNumber: string): Promise<void> => {
    const valued = await inTransaction(database.app, { firm: benchFirmId, readOnly: true }, (tx) =>
      valueAccount(tx, accountNumber, { now }),
    )
    if (valued?.lines.length !== positionsEach)
      throw new Error(`${accountNumber} differs from the filled data`)
    JSON.stringify(renderAmounts(valued.summary))
  }
  return {
    async medianMs(seed: number): Promise<number> {
      const random = randomOf(seed + 1)
      const times: number[] = []
      for (let done = 0; done < reads / 5; done += 1) {
        const accountNumber = accountNumberOf(1 + random(accounts))
        const startedMs = performance.now()
        await read(accountNumber)
        times.push(performance.now() - startedMs)
      }
      return median(times)
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
