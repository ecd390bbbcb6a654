/**
 * Entries of the ledger. A line's posting is stored in the line's row. Reversals, corrections and settlements are rows
 * of their own. The database refuses both when they do not balance.
 */

import {
  type AcctType,
  type Asset,
  type Entry,
  type Ledger,
  type Leg,
  makeEntry,
} from '@clearing/domain/books'
import { renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn, type GatheredRows, insertRows, type Rows } from './bulk.ts'
import type { StoredLine } from './lines.ts'

/** P posts a line, C reverses a cancelled line, A adjusts for a late line, S settles. */
export type EntryKind = 'P' | 'C' | 'A' | 'S'

export interface NewEntry {
  readonly accountNumber: string
  readonly firmId: string
  readonly entryNo: bigint
  /** Sequence of the line to which the posting belongs. */
  readonly ofLine: number
  /** Sequence of the line that caused it. */
  readonly causedBy: number
  readonly kind: EntryKind
  readonly entry: Entry
}

const insertEntries = insertRows('insert-entries', 'entry')

function nameOfAsset(asset: Asset): string {
  return asset.kind === 'cash' ? asset.currency : asset.securityKey
}

/** Adds the cells of an entry's legs: ledgers, assets and amounts. */
export function addLegs(row: Rows, entry: Entry): void {
  const legs = sortedByAsset(entry.legs)
  addList(row, legs, ({ ledger }) => ledger)
  addList(row, legs, ({ asset }) => nameOfAsset(asset))
  addList(row, legs, ({ amount }) => renderDecimal(amount))
}

function addList(row: Rows, legs: readonly Leg[], textOf: (leg: Leg) => string): void {
  row.beginQuoted()
  for (let at = 0; at < legs.length; at += 1) {
    row.part(at === 0 ? '{' : ',')
    row.part(textOf(legs[at] as Leg))
  }
  row.part('}')
  row.endQuoted()
}

/** Appends entries that are not part of a line's row, on the business date. */
export function appendEntries(to: GatheredRows, entries: readonly NewEntry[], entryDate: string): void {
  for (const { accountNumber, firmId, entryNo, ofLine, causedBy, kind, entry } of entries) {
    const first = entry.legs[0]
    if (first === undefined) throw new Error(`entry of line ${ofLine} has no legs`)
    const row = to.of(insertEntries)
    row.begin()
    row.plain(accountNumber, firmId, entryDate, entryNo, ofLine, causedBy, kind, first.acctType)
    addLegs(row, entry)
    row.end()
  }
}

/** Orders the legs by asset, as the constraint requires. */
function sortedByAsset(legs: readonly Leg[]): readonly Leg[] {
  for (let at = 1; at < legs.length; at += 1) {
    if (nameOfAsset((legs[at - 1] as Leg).asset) > nameOfAsset((legs[at] as Leg).asset)) {
      return legs.toSorted((a, b) => (nameOfAsset(a.asset) < nameOfAsset(b.asset) ? -1 : 1))
    }
  }
  return legs
}

interface EntryRow {
  readonly of_line: bigint
  readonly acct_type: AcctType
  readonly ledger: readonly Ledger[] | string
  readonly asset: readonly string[]
  readonly amount: readonly string[]
}

const entryColumns = 'of_line, acct_type, ledger::text[] as ledger, asset, amount'
const selectOfLines = statement<EntryRow>(
  'select-postings-of-lines',
  `select sequence as of_line, acct_type, ledger::text[] as ledger, asset, amount
   from unnest($2::bigint[], $3::date[]) as named (sequence, process_date)
   join clearing.activity using (sequence, process_date) where account_number = $1 and entry_no is not null
   union all
   select ${entryColumns} from clearing.entry where account_number = $1 and of_line = any ($2)`,
)
const selectOfAccount = statement<EntryRow>(
  'select-postings-of-account',
  `select ${entryColumns} from clearing.journal where account_number = $1`,
)

const isCurrency = /^[A-Z]{3}$/

function parseLegs(row: EntryRow): Leg[] {
  const ledgers = row.ledger as readonly Ledger[]
  return ledgers.map((ledger, at) => {
    const name = row.asset[at] as string
    return {
      ledger,
      acctType: row.acct_type,
      asset: isCurrency.test(name)
        ? { kind: 'cash', currency: name }
        : { kind: 'security', securityKey: name },
      amount: decimalOfColumn(row.amount[at] as string),
    }
  })
}

/** The postings of each line so far, including corrections, by sequence. */
export async function readPostings(
  tx: Tx,
  accountNumber: string,
  lines: readonly StoredLine[],
): Promise<Map<number, Entry>> {
  if (lines.length === 0) return new Map()
  const sequences = lines.map(({ line }) => line.sequence)
  const days = lines.map(({ processDate }) => processDate)
  return sumByLine(await tx.rows(selectOfLines, [accountNumber, sequences, days]))
}

function sumByLine(rows: Iterable<EntryRow>): Map<number, Entry> {
  const sums = new Map<number, Map<string, Leg>>()
  for (const row of rows) {
    const ofLine = Number(row.of_line)
    let legs = sums.get(ofLine)
    if (legs === undefined) {
      legs = new Map()
      sums.set(ofLine, legs)
    }
    for (const leg of parseLegs(row)) {
      const name = `${leg.ledger} ${leg.acctType} ${nameOfAsset(leg.asset)}`
      const before = legs.get(name)
      legs.set(name, before === undefined ? leg : { ...leg, amount: before.amount + leg.amount })
    }
  }
  return new Map([...sums].map(([line, legs]) => [line, makeEntry(String(line), [...legs.values()])]))
}

const pageRowsMax = 5_000

/** The postings of every line of an account. */
export async function readAccountPostings(tx: Tx, accountNumber: string): Promise<Map<number, Entry>> {
  const rows: EntryRow[] = []
  for await (const page of tx.pages(selectOfAccount, [accountNumber], pageRowsMax)) rows.push(...page)
  return sumByLine(rows)
}
