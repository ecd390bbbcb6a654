/**
 * Journals that take money or securities out of an account while a restriction suspends withdrawals or transfers out.
 * Whether a journal leaves its account depends on the other journals of its day, which can arrive in another batch.
 * Therefore all journals of the restricted accounts of a batch are judged after it was written, and what the batch
 * changed is compared with what was known before it. A break that a person settled is not raised again by this.
 */
import { type Entitlement, type JournalLine, usedByJournals } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import { type CodeOf, suspendedBy } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { type NewBreak, raiseBreaks, readBreaksOfLines, resolveBreaks } from '../../store/books/breaks.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { type JournalRow, readJournalsSince } from '../../store/books/journals.ts'
import { readSuspensions, type Suspension } from '../../store/books/suspensions.ts'
import { fieldIndexOf, splitRecord } from '../activity-record.ts'
import { whySuspended } from './suspended.ts'

/** The lines of an account before a batch with journals: later lines have a higher sequence. */
export type LinesBefore = ReadonlyMap<string, bigint>

/** Judges the journals of the accounts. The lines of the batch are written, and the books are locked. */
export async function reviewJournals(tx: Tx, accounts: LinesBefore, at: Date): Promise<void> {
  if (accounts.size === 0) return
  const suspended = (await readSuspensions(tx, [...accounts.keys()])).filter(suspendsPayments)
  if (suspended.length === 0) return
  const first = suspended.map(({ from }) => from).reduce((a, b) => (a < b ? a : b))
  const restricted = Map.groupBy(suspended, ({ account_number }) => account_number)
  const rows = await readJournalsSince(tx, [...restricted.keys()], first)
  const raised: NewBreak[] = []
  for (const [accountNumber, journals] of Map.groupBy(rows, ({ account_number }) => account_number)) {
    const linesBefore = accounts.get(accountNumber) ?? 0n
    const { found, gone } = compare(journals, linesBefore, restricted.get(accountNumber) ?? [])
    raised.push(...found)
    if (gone.size === 0) continue
    const open = await readBreaksOfLines(tx, accountNumber, [...gone.keys()])
    const ended = open.filter((one) => one.kind === 'Suspended' && one.reason === gone.get(one.external_id))
    resolveBreaks(
      tx,
      ended.map(({ break_id: breakId }) => ({ accountNumber, breakId })),
      at,
    )
  }
  raiseBreaks(tx, raised, at)
}

/** The breaks of journals that leave the account. */
export function breaksOfJournals(
  journals: readonly JournalRow[],
  restrictions: readonly Suspension[],
): NewBreak[] {
  const used = usedByJournals(journals.map(journalOf))
  return journals.flatMap((journal) => {
    const reason = whyNot(journal, used, restrictions)
    return reason === undefined ? [] : [breakOf(journal, reason)]
  })
}

function suspendsPayments({ code }: Suspension): boolean {
  const suspends: readonly string[] = suspendedBy[code as CodeOf<'restrictionCode'>] ?? []
  return suspends.includes('Withdrawals') || suspends.includes('TransfersOut')
}

interface Compared {
  readonly found: readonly NewBreak[]
  /** The reasons of the breaks of lines whose other side has arrived, by the id of the line. */
  readonly gone: ReadonlyMap<string, string>
}

function compare(
  journals: readonly JournalRow[],
  linesBefore: bigint,
  restrictions: readonly Suspension[],
): Compared {
  const isNew = (sequence: bigint | null) => sequence !== null && sequence > linesBefore
  const now = journals.filter(({ cancelled_by }) => cancelled_by === null)
  const earlier = journals.filter(
    ({ sequence, cancelled_by }) => !isNew(sequence) && (cancelled_by === null || isNew(cancelled_by)),
  )
  const used = usedByJournals(now.map(journalOf))
  const usedBefore = usedByJournals(earlier.map(journalOf))
  const found: NewBreak[] = []
  const gone = new Map<string, string>()
  for (const journal of now) {
    const reason = whyNot(journal, used, restrictions)
    const reasonBefore = isNew(journal.sequence) ? undefined : whyNot(journal, usedBefore, restrictions)
    if (reason !== undefined && reasonBefore === undefined) found.push(breakOf(journal, reason))
    if (reason === undefined && reasonBefore !== undefined) gone.set(journal.external_id, reasonBefore)
  }
  return { found, gone }
}

function whyNot(
  { external_id, trade_date: tradeDate }: JournalRow,
  used: ReadonlyMap<string, readonly Entitlement[]>,
  restrictions: readonly Suspension[],
): string | undefined {
  const line = { tradeDate, transType: 'Journal', buySell: undefined } as const
  return whySuspended(line, used.get(external_id) ?? [], restrictions)
}

const offsetAt = fieldIndexOf('offsetAcctNo')

function journalOf(row: JournalRow): JournalLine {
  return {
    externalId: row.external_id,
    acctType: row.acct_type,
    securityKey: row.sec_no === null ? undefined : String(row.sec_no),
    quantity: decimalOfColumn(row.quantity),
    netAmount: row.net_amount === null ? ZERO : decimalOfColumn(row.net_amount),
    currency: row.currency,
    tradeDate: row.trade_date,
    elsewhere: isOfAnother(splitRecord(row.record)[offsetAt] ?? '', row.account_number),
  }
}

/** Feeds write the own account with a hyphen or the account type behind its number as well. */
function isOfAnother(offset: string, accountNumber: string): boolean {
  const plain = offset.replace(/[^\dA-Za-z]/g, '')
  return plain !== '' && !plain.startsWith(accountNumber)
}

function breakOf(row: JournalRow, reason: string): NewBreak {
  return {
    accountNumber: row.account_number,
    firmId: row.firm_id,
    kind: 'Suspended',
    externalId: row.external_id,
    secNo: row.sec_no === null ? undefined : String(row.sec_no),
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
    reason,
  }
}
