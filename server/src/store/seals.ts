/** Seals of days: digests of the day's entries and of positions and cash, and the keys that sign them. */
import type { AcctType } from '@clearing/domain/books'
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, Rows, rowsOf } from './books/bulk.ts'
import type { AccountRange } from './business-day.ts'
import type { CostedPosition, HeldCash } from './day-accounts.ts'
import type { PortionDigest } from './range-digests.ts'

// Holdings of an account that differ from its last seal. Accounts without lines since then are unchanged.
function otherThanSealed(day: string): string {
  return `
  left join lateral (
    select quantity, cost from clearing.sealed_balance as sealed
    where sealed.account_number = held.account_number and sealed.asset = held.asset and sealed.acct_type = held.acct_type
      and sealed.close_date < ${day}
    order by close_date desc limit 1
  ) as was on true
  where coalesce(was.quantity, 0) <> held.quantity or coalesce(was.cost, 0) <> held.cost
  on conflict do nothing`
}
const heldNow = `
     select account_number, sec_no::text collate "C" as asset, acct_type, sum(quantity) as quantity, sum(cost) as cost
     from account join clearing.lot using (account_number) group by account_number, sec_no, acct_type
     union all
     select account_number, currency collate "C", acct_type, amount, 0
     from account join clearing.cash_balance using (account_number)`
// Holdings that were sealed with a quantity and have no lot any more.
const heldNoMore = `
     select distinct account_number, asset, acct_type, 0::numeric, 0::numeric
     from account join clearing.sealed_balance as sealed using (account_number)
     where asset ~ '^[0-9]+$' and close_date < $1 and not exists (
       select from clearing.lot where lot.account_number = sealed.account_number
         and lot.sec_no = sealed.asset::bigint and lot.acct_type = sealed.acct_type)`
const sealHeld = statement(
  'seal-balances',
  `with account as (
     select account_number from clearing.day_account join clearing.account_books as books using (account_number)
     where close_date = $1 and account_number > $2 and account_number <= $3 and books.line_count = day_account.line_count
   ), held as (
     ${heldNow}
     union all
     ${heldNoMore}
   )
   insert into clearing.sealed_balance (account_number, asset, acct_type, close_date, quantity, cost)
   select held.account_number, held.asset, held.acct_type, $1::date, held.quantity, held.cost
   from held ${otherThanSealed('$1')}`,
)
// A holding of the last seal that the account no longer has counts as zero.
const sealGiven = statement(
  'seal-given-balances',
  `with given as (select * from ${rowsOf('sealed_balance')}), held as (
     select account_number, asset, acct_type, quantity, cost from given
     union all
     select distinct account_number, asset, acct_type, 0::numeric, 0::numeric from clearing.sealed_balance as sealed
     where close_date < $2 and account_number = $3 and not exists (
       select from given where given.asset = sealed.asset and given.acct_type = sealed.acct_type)
   )
   insert into clearing.sealed_balance (account_number, asset, acct_type, close_date, quantity, cost)
   select held.account_number, held.asset, held.acct_type, $2::date, held.quantity, held.cost
   from held ${otherThanSealed('$2')}`,
)
const noteSealed = statement(
  'note-sealed-lines',
  `update clearing.account_books as books set sealed_lines = day.line_count from clearing.day_account as day
   where day.close_date = $1 and day.account_number = books.account_number
     and books.account_number > $2 and books.account_number <= $3`,
)

const lockBooks = statement(
  'lock-books-to-seal',
  `select from clearing.account_books as books join clearing.day_account as day using (account_number)
   where close_date = $1 and account_number > $2 and account_number <= $3 order by account_number for no key update of books`,
)

/**
 * Locks the accounts of a range that are in the day's seal, so that they get no line until the transaction
 * ends.
 */
export function lockBooksToSeal(tx: Tx, closeDate: string, [after, upTo]: AccountRange): void {
  tx.later(lockBooks, [closeDate, after, upTo])
}

/** Stores the holdings of the accounts of a range that got no lines since the day ended. */
export function sealBalances(tx: Tx, closeDate: string, [after, upTo]: AccountRange): void {
  tx.later(sealHeld, [closeDate, after, upTo])
}

/** Stores the holdings of one account at the end of the day. */
export function sealGivenBalances(
  tx: Tx,
  closeDate: string,
  accountNumber: string,
  held: { readonly positions: readonly CostedPosition[]; readonly cash: readonly HeldCash[] },
): void {
  const rows = new Rows()
  for (const { secNo, acctType, quantity, cost } of held.positions) {
    rows.add(accountNumber, secNo, acctType, closeDate, renderDecimal(quantity), renderDecimal(cost))
  }
  for (const { acctType, currency, amount } of held.cash) {
    rows.add(accountNumber, currency, acctType, closeDate, renderDecimal(amount), '0')
  }
  tx.later(sealGiven, [rows.bytes(), closeDate, accountNumber])
}

/** Records that the seal covers the lines of the day. */
export function noteSealedLines(tx: Tx, closeDate: string, [after, upTo]: AccountRange): void {
  tx.later(noteSealed, [closeDate, after, upTo])
}

const selectPortions = statement<PortionDigest & { portion: number }>(
  'select-seal-portions',
  `select portion, entries, entries_digest, balances, balances_digest, lines, lines_digest from clearing.day_seal_portion
   where close_date = $1 order by portion`,
)

/** The digests of a sealed day, in the order of its portions. */
export function readPortionDigests(
  tx: Tx,
  closeDate: string,
): Promise<(PortionDigest & { portion: number })[]> {
  return tx.rows(selectPortions, [closeDate])
}

export interface DaySeal {
  readonly close_date: string
  readonly previous_digest: Buffer
  readonly entries: bigint
  readonly balances: bigint
  /** Facts that came since the previous close; null in older seals. */
  readonly facts: bigint | null
  readonly facts_digest: Buffer | null
  readonly digest: Buffer
  readonly key_id: string
  readonly signature: Buffer
}

const sealColumns =
  'close_date, previous_digest, entries, balances, facts, facts_digest, digest, key_id, signature'
const insertSeal = statement(
  'insert-day-seal',
  `insert into clearing.day_seal (${sealColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const selectSeals = statement<DaySeal & { portions: readonly string[] }>(
  'select-day-seals',
  `select ${sealColumns}, portions from clearing.day_seal join clearing.business_day_close using (close_date) order by close_date`,
)
const selectSeal = statement<DaySeal>(
  'select-day-seal',
  `select ${sealColumns} from clearing.day_seal where close_date = $1`,
)
const selectLastSeal = statement<DaySeal>(
  'select-last-day-seal',
  `select ${sealColumns} from clearing.day_seal where close_date < $1 order by close_date desc limit 1`,
)
const selectUnsealed = statement<{ close_date: string }>(
  'select-closes-without-seal',
  `select close_date from clearing.business_day_close left join clearing.day_seal using (close_date)
   where closed_at is not null and digest is null
     and (portions <> '{}' or close_date > (select min(close_date) from clearing.day_seal)) order by close_date`,
)

export function insertDaySeal(tx: Tx, seal: DaySeal): void {
  tx.later(insertSeal, [
    seal.close_date,
    seal.previous_digest,
    seal.entries,
    seal.balances,
    seal.facts,
    seal.facts_digest,
    seal.digest,
    seal.key_id,
    seal.signature,
  ])
}
/** All seals in the order of their days, each with its portions of accounts. */
export function readDaySeals(tx: Tx): Promise<(DaySeal & { portions: readonly string[] })[]> {
  return tx.rows(selectSeals)
}
export function readDaySeal(tx: Tx, closeDate: string): Promise<DaySeal | undefined> {
  return tx.row(selectSeal, [closeDate])
}
export function readSealBefore(tx: Tx, closeDate: string): Promise<DaySeal | undefined> {
  return tx.row(selectLastSeal, [closeDate])
}
/**
 * Closed days without a seal, whose seal was removed. The days before this cell, which came with a firm, have
 * no portions and are left out.
 */
export async function readUnsealedDays(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectUnsealed)).map(({ close_date }) => close_date)
}

const selectMoved = statement<{ account_number: string; asset: string; acct_type: number }>(
  'select-balances-other-than-sealed',
  `with account as (
     select account_number from clearing.account_books
     where account_number > $1 and account_number <= $2 and line_count = sealed_lines and firm_id <> all ($4::uuid[])
   ), held as (
     ${heldNow}
   ), sealed as (
     select distinct on (account_number, asset, acct_type) account_number, asset, acct_type, quantity, cost
     from account join clearing.sealed_balance using (account_number)
     order by account_number, asset, acct_type, close_date desc
   )
   select account_number, asset, acct_type from held full join sealed using (account_number, asset, acct_type)
   where coalesce(held.quantity, 0) <> coalesce(sealed.quantity, 0) or coalesce(held.cost, 0) <> coalesce(sealed.cost, 0)
   order by account_number, asset, acct_type limit $3`,
)

/**
 * Positions and cash that differ from the last seal, of accounts without lines since then. Accounts of the
 * firms `without` are left out.
 */
export function readMovedBalances(
  tx: Tx,
  [after, upTo]: AccountRange,
  most: number,
  without: readonly string[],
): Promise<{ account_number: string; asset: string; acct_type: number }[]> {
  return tx.rows(selectMoved, [after, upTo, most, without])
}

export interface SealedBalance {
  readonly closeDate: string
  readonly asset: string
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly cost: Decimal
}

const selectOfAccount = statement<{
  close_date: string
  asset: string
  acct_type: AcctType
  quantity: string
  cost: string
}>(
  'select-sealed-balances-of-account',
  `select close_date, asset, acct_type, quantity, cost from clearing.sealed_balance where account_number = $1
   order by close_date, asset, acct_type`,
)

/** The balances of an account in seals that differ from the previous seal, by day. */
export async function readSealedBalances(tx: Tx, accountNumber: string): Promise<SealedBalance[]> {
  return (await tx.rows(selectOfAccount, [accountNumber])).map((row) => ({
    closeDate: row.close_date,
    asset: row.asset,
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
    cost: decimalOfColumn(row.cost),
  }))
}

const selectDaysOfLines = statement<{ close_date: string }>(
  'select-sealed-days-of-lines',
  'select close_date from clearing.day_seal where facts_digest is not null order by close_date',
)
/** The days whose seals also contain lines and facts. */
export async function readDaysOfLines(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectDaysOfLines)).map(({ close_date }) => close_date)
}

export interface StoredSealKey {
  readonly keyId: string
  readonly publicKey: Buffer
  readonly wrapped: Buffer
  readonly masterKeyId: string
}

const lockKeys = statement('lock-seal-keys', 'lock table clearing.seal_key in share row exclusive mode')
const selectKeys = statement<StoredSealKey>(
  'select-seal-keys',
  `select key_id as "keyId", public_key as "publicKey", wrapped, master_key_id as "masterKeyId"
   from clearing.seal_key order by created_at desc, key_id`,
)
const insertKey = statement(
  'insert-seal-key',
  'insert into clearing.seal_key (key_id, public_key, wrapped, master_key_id, created_at) values ($1, $2, $3, $4, $5)',
)

const rewrapKey = statement(
  'rewrap-seal-key',
  'update clearing.seal_key set wrapped = $2, master_key_id = $3 where key_id = $1',
)
export function rewrapSealKey(
  tx: Tx,
  keyId: string,
  { wrapped, masterKeyId }: { readonly wrapped: Buffer; readonly masterKeyId: string },
): void {
  tx.later(rewrapKey, [keyId, wrapped, masterKeyId])
}

/** Blocks other processes from creating a key. */
export function lockSealKeys(tx: Tx): void {
  tx.later(lockKeys)
}
/** All seal keys, the newest first. */
export function readSealKeys(tx: Tx): Promise<StoredSealKey[]> {
  return tx.rows(selectKeys)
}
export function insertSealKey(tx: Tx, key: StoredSealKey, at: Date): void {
  tx.later(insertKey, [key.keyId, key.publicKey, key.wrapped, key.masterKeyId, at])
}
