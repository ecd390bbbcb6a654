/**
 * The lines of a day for its confirmation: trades, those of options and bonds with the terms of the security, and
 * exercises and assignments with the option and what it delivered. A cancel is of the day on which it takes effect: if
 * it came before its original, that of its original. A feed may state a later process date. A
 * transaction is confirmed before it settles (17 CFR 240.10b-10(a)), so its entry counts.
 */
import type { AcctType } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { readAmounts } from '../books/positions/moved-amounts.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { pageConfirmed } from '../store/books/activity.ts'
import { findKnownSecurities } from '../store/books/known-securities.ts'
import type { SecurityRow } from '../store/books/securities.ts'
import { type RowOfTrade, readClosed } from '../store/closed-by-trades.ts'
import { type BookedLine, bookedLine, pageRows } from './read-booked.ts'

export interface ConfirmedLine extends BookedLine {
  /** The option that was traded, exercised or assigned. */
  readonly option?: SecurityRow
  /** The bond that was traded. */
  readonly bond?: SecurityRow
  /** The security that an exercise or assignment delivered; absent if the option was settled in cash. */
  readonly delivered?: SecurityRow
  /** The part of a trade of an option that closed a position; absent for a cancel. */
  readonly closed?: Decimal
}

export async function readConfirmed(
  tx: Tx,
  accountNumber: string,
  day: string,
  { known, day: until }: View,
): Promise<ConfirmedLine[]> {
  const lines = known?.lines ?? null
  const pages = { accountNumber, day, lines, knownOn: known?.on ?? null, until }
  const confirmed: ConfirmedLine[] = []
  for await (const rows of pageConfirmed(tx, pages, pageRows)) {
    const secNos = new Set(rows.flatMap(({ sec_no, to_sec_no }) => [sec_no, to_sec_no ?? sec_no]))
    const found = await findKnownSecurities(tx, { secNo: [...secNos].map(String), symbol: [] }, known?.on)
    const securities = new Map(found.map((security) => [security.sec_no, security]))
    const trades: ConfirmedLine[] = []
    for (const line of await readAmounts(tx, rows, { accountNumber, lines })) {
      if (line.isWithoutEffect) continue
      const { trans_type, sec_no, to_sec_no } = line.row
      const security = securities.get(sec_no)
      const option = security?.put_call ? security : undefined
      const bond = trans_type === 'Trade' && security?.maturity_date ? security : undefined
      const delivered = trans_type !== 'Trade' && to_sec_no !== null ? securities.get(to_sec_no) : undefined
      const named = { ...(option && { option }), ...(bond && { bond }), ...(delivered && { delivered }) }
      trades.push({ ...bookedLine(line), ...named })
    }
    confirmed.push(...(await withClosed(tx, accountNumber, trades, lines)))
  }
  return confirmed
}

/** Adds to trades of options what they closed, as it was known at a line. */
async function withClosed(
  tx: Tx,
  accountNumber: string,
  confirmed: readonly ConfirmedLine[],
  lines: number | null,
): Promise<ConfirmedLine[]> {
  const rows = new Map<ConfirmedLine, RowOfTrade>()
  for (const line of confirmed) {
    if (line.option === undefined || line.transType !== 'Trade' || line.kind === 'Cancel') continue
    rows.set(line, {
      account_number: accountNumber,
      external_id: line.externalId,
      acct_type: Number(line.acctType) as AcctType,
      trans_type: 'Trade',
      to_sec_no: null,
      correction: null,
      tag_no: null,
      trade_date: line.tradeDate,
      up_to: BigInt(lines ?? Number.MAX_SAFE_INTEGER),
    })
  }
  const closed = await readClosed(tx, [...rows.values()], [])
  return confirmed.map((line) => {
    const row = rows.get(line)
    return row === undefined ? line : { ...line, closed: closed.get(row)?.closed ?? ZERO }
  })
}
