/**
 * One part of the verification of the books and of the seals of the days: as much as one response can contain. The
 * accounts come first, then the seals.
 */
import type { Data, Request } from '@clearing/protocol'
import { Directory } from '../books/directory.ts'
import { type FoundBreak, verifyBooksOf } from '../books/verify/verify-books-of.ts'
import type { Tx } from '../database/transaction.ts'
import { eachBooks } from '../store/books/accounts-to-verify.ts'
import { readDaysOfLines } from '../store/seals.ts'
import type { BusinessDay } from './close-day.ts'

/**
 * The limit of the listed breaks of one response. The first breaks are listed, and all are counted in
 * `verified`.
 */
const breaksMax = 1_000

/** A part is returned before the caller or the service would time out. */
const partMs = 15_000

/** The prefix of a day in `after`, which is a day once all accounts are verified, and an account number before. */
export const ofDay = 'day:'

/** Verifies the part after a position; `next` is the start of the rest. */
export async function verifyPart(
  tx: Tx,
  { accountNumber, after }: Request<'verify-books'>,
  { now, businessDay }: { readonly now: Date; readonly businessDay: BusinessDay },
): Promise<Data<'verify-books'>> {
  const found: FoundBreak[] = []
  let breaks = 0
  const report = (some: readonly FoundBreak[]) => {
    breaks += some.length
    found.push(...some.slice(0, breaksMax - found.length))
  }
  const counts = { accounts: 0, entries: 0, positions: 0 }
  const directory = new Directory()
  const untilMs = performance.now() + partMs
  const isWhole = accountNumber === undefined
  const afterDay = after?.startsWith(ofDay) === true ? after.slice(ofDay.length) : undefined
  let next = ''
  if (afterDay === undefined) {
    const days = await readDaysOfLines(tx)
    for await (const books of eachBooks(tx, accountNumber ?? null, after)) {
      if (await businessDay.isElsewhere(tx, books.firmId)) continue
      const verified = await verifyBooksOf(tx, books, directory, { days, now })
      counts.accounts += 1
      counts.entries += verified.entries
      counts.positions += verified.positions
      report(verified.breaks)
      if (!isWhole || performance.now() < untilMs) continue
      next = books.accountNumber
      break
    }
  }
  if (isWhole && next === '') {
    const seals = await businessDay.verifySeals(tx, { after: afterDay ?? '', untilMs })
    report(seals.breaks)
    if (seals.next !== '') next = `${ofDay}${seals.next}`
  }
  return {
    verified: breaks === 0,
    ...counts,
    breaks: found.map(({ kind, accountNumber: number, secNo, reason }) => ({
      kind,
      accountNumber: number,
      secNo,
      reason,
      raisedOn: null,
    })),
    next,
  }
}
