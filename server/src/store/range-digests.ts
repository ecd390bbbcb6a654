/**
 * Digests of the rows that a range of accounts got on a business day: entries, changed balances, lines and
 * facts. There is one digest of all accounts and one of each firm. Each row is hashed once for both.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { AccountRange } from './business-day.ts'
import { factsOfRange } from './sealed-facts.ts'

export interface PortionDigest {
  readonly entries: bigint
  readonly entries_digest: Buffer
  readonly balances: bigint
  readonly balances_digest: Buffer
  /** Lines that came since the previous close; null in older seals. */
  readonly lines: bigint | null
  readonly lines_digest: Buffer | null
}

/** The digests of one firm in a range. Its facts are reports of other custodians and terms of accounts. */
export interface FirmDigest extends PortionDigest {
  readonly firm_id: string
  readonly facts: bigint
  readonly facts_digest: Buffer
}

// The load of a line is not part of the books. The digest of entries contains the entries of the line.
const lineDigest = `sha256(convert_to(row(account_number, firm_id, process_date, sequence, external_id, acct_type, trans_type, buy_sell,
      sec_no, to_sec_no, quantity, price, commission, sec_fee, interest, net_amount, currency, trade_date, settle_date, as_of_date,
      lot_id, order_id, correction, tag_no, fx_rate, terms, entered_on, record)::text, 'UTF8'))`
const entryDigest = `sha256(convert_to(concat_ws('|', account_number, firm_id, entry_date, entry_no, of_line, caused_by, kind,
      acct_type, ledger, asset, amount), 'UTF8'))`
const inRange = 'account_number > $2 and account_number <= $3'

// The first close includes all earlier rows, without a filter on their time.
function hashed(isFirst: string): string {
  return `entry as materialized (
    select firm_id, account_number, entry_no, ${entryDigest} as digest from clearing.journal where entry_date = $1 and ${inRange}
  ), balance as materialized (
    select firm_id, account_number, asset, acct_type, clearing.balance_digest(balance) as digest
    from clearing.sealed_balance as balance join clearing.account_books using (account_number)
    where close_date = $1 and ${inRange}
  ), line as materialized (
    select firm_id, account_number, sequence, ${lineDigest} as digest from (
      select * from clearing.activity where entered_on = $1 and ${inRange}
      union all
      select * from clearing.activity where entered_on < $1 and ${inRange} and ${isFirst}
    ) as known
  )`
}
const entryOrder = 'account_number collate "C", entry_no'
const balanceOrder = 'account_number collate "C", asset, acct_type'
const lineOrder = 'account_number collate "C", sequence'
function joined(order: string): string {
  return `sha256(coalesce(string_agg(digest, '' order by ${order}), ''))`
}

const whole = `
  select entries.count as entries, entries.digest as entries_digest, balances.count as balances,
    balances.digest as balances_digest, lines.count as lines, lines.digest as lines_digest
  from (select count(*) as count, ${joined(entryOrder)} as digest from entry) as entries,
    (select count(*) as count, ${joined(balanceOrder)} as digest from balance) as balances,
    (select count(*) as count, ${joined(lineOrder)} as digest from line) as lines`

const none = "coalesce(digest, sha256(''))"
function ofFirms(since: string): string {
  const part = (name: string, from: string, order: string) =>
    `(select firm_id, count(*) as ${name}, ${joined(order)} as ${name}_digest from ${from} group by firm_id) as ${name}`
  const digestOf = (name: string) =>
    `coalesce(${name}, 0) as ${name}, ${none.replace('digest', `${name}_digest`)} as ${name}_digest`
  return `
  select firm_id, ${['entries', 'balances', 'lines', 'facts'].map(digestOf).join(', ')}
  from ${part('entries', 'entry', entryOrder)}
  full join ${part('balances', 'balance', balanceOrder)} using (firm_id)
  full join ${part('lines', 'line', lineOrder)} using (firm_id)
  full join ${part('facts', `(${factsOfRange(since)}) as fact`, 'kind, place')} using (firm_id)`
}

const isFirstClose = 'not exists (select from clearing.business_day_close where close_date < $1)'
const closeBefore = '(select max(close_date) from clearing.business_day_close where close_date < $1)'
const digestPortion = statement<PortionDigest>('digest-portion', `with ${hashed(isFirstClose)} ${whole}`)
const digestFirms = statement<FirmDigest>(
  'digest-firms-of-range',
  `with ${hashed('$4::date is null')} ${ofFirms('$4::date')} order by firm_id`,
)
const insertOfFirms = `
   insert into clearing.firm_seal_portion (close_date, up_to, firm_id, entries, entries_digest, balances, balances_digest,
     lines, lines_digest, facts, facts_digest)
   select $1::date, $3, * from (${ofFirms(closeBefore)}) as digest on conflict do nothing`
const insertDigests = statement(
  'seal-portion',
  `with ${hashed(isFirstClose)}, portion as (
     insert into clearing.day_seal_portion (close_date, portion, entries, entries_digest, balances, balances_digest, lines, lines_digest)
     select $1::date, $4::integer, * from (${whole}) as digest
   ) ${insertOfFirms}`,
)
const insertFirmsAlone = statement('seal-portion-by-firm', `with ${hashed(isFirstClose)} ${insertOfFirms}`)

/** The digests of a range of accounts, computed from the tables. */
export async function digestRange(
  tx: Tx,
  closeDate: string,
  [after, upTo]: AccountRange,
): Promise<PortionDigest> {
  const row = await tx.row(digestPortion, [closeDate, after, upTo])
  if (row === undefined) throw new Error('the digest has no row')
  return row
}

/**
 * The digests of each firm that got rows in a range on a day, computed from the tables. `since` is the
 * previous close.
 */
export function digestFirmsOf(
  tx: Tx,
  day: { readonly close_date: string; readonly since: string | null },
  [after, upTo]: AccountRange,
): Promise<FirmDigest[]> {
  return tx.rows(digestFirms, [day.close_date, after, upTo, day.since])
}

export function insertPortionDigests(
  tx: Tx,
  closeDate: string,
  [after, upTo]: AccountRange,
  portion: number,
): void {
  tx.later(insertDigests, [closeDate, after, upTo, portion])
}

/** Stores the digests of the firms only. */
export function insertFirmDigests(tx: Tx, closeDate: string, [after, upTo]: AccountRange): void {
  tx.later(insertFirmsAlone, [closeDate, after, upTo])
}
