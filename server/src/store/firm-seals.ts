/** Seals of a business day: one for each firm, and one of the day over all firms. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { AccountRange } from './business-day.ts'
import type { FirmDigest } from './range-digests.ts'

export interface FirmSeal {
  readonly firm_id: string
  readonly close_date: string
  /** The closed day before; null for the first. */
  readonly since: string | null
  /** True for a seal made later from the records of a day that was closed without seals of firms. */
  readonly afterwards: boolean
  readonly previous_digest: Buffer
  readonly digest: Buffer
  readonly key_id: string
  readonly signature: Buffer
}

export interface DayFirms {
  readonly close_date: string
  readonly since: string | null
  /** The number of facts that all firms share. */
  readonly facts: bigint
  readonly facts_digest: Buffer
  readonly firms: bigint
  readonly digest: Buffer
  readonly key_id: string
  readonly signature: Buffer
}

// One text for each portion.
const portionText = `concat_ws(' ', up_to, ${['entries', 'balances', 'lines', 'facts']
  .map((name) => `${name}, encode(${name}_digest, 'hex')`)
  .join(', ')}) || E'\\n'`
function digestOfFirm(firm: string, previous: string): string {
  return `sha256(convert_to(concat_ws(' ', 'business day', to_char($1::date, 'YYYY-MM-DD'), 'of firm', ${firm}, encode(${previous}, 'hex')) || E'\\n' || coalesce((
     select string_agg(${portionText}, '' order by up_to) from clearing.firm_seal_portion as portion
     where portion.firm_id = ${firm} and close_date = $1
   ), ''), 'UTF8'))`
}
function previousOf(firm: string, afterwards: string): string {
  return `coalesce((
     select digest from clearing.firm_seal as earlier
     where earlier.firm_id = ${firm} and earlier.close_date < $1 and earlier.afterwards = ${afterwards}
     order by close_date desc limit 1
   ), '')`
}

const selectToSeal = statement<Pick<FirmSeal, 'firm_id' | 'previous_digest' | 'digest'>>(
  'select-firms-to-seal',
  `select firm_id, previous as previous_digest, ${digestOfFirm('sealing.firm_id', 'previous')} as digest
   from (
     select firm_id, ${previousOf('firm.firm_id', '$2::boolean')} as previous from clearing.firm
     where exists (select from clearing.account_books as books where books.firm_id = firm.firm_id)
       and not exists (select from clearing.firm_seal as seal where seal.firm_id = firm.firm_id and close_date = $1) offset 0
   ) as sealing order by firm_id`,
)
const selectCloseBefore = statement<{ since: string | null }>(
  'select-close-before',
  'select max(close_date) as since from clearing.business_day_close where close_date < $1',
)
const insertSeals = statement(
  'insert-firm-seals',
  `insert into clearing.firm_seal (close_date, since, afterwards, key_id, firm_id, previous_digest, digest, signature)
   select $1::date, $2::date, $3, $4, * from unnest($5::uuid[], $6::bytea[], $7::bytea[], $8::bytea[])`,
)
const insertDay = statement(
  'insert-day-firms',
  `insert into clearing.day_firms (close_date, since, facts, facts_digest, firms, digest, key_id, signature)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** The previous closed day; null for the first. */
export async function readCloseBefore(tx: Tx, closeDate: string): Promise<string | null> {
  return (await tx.row(selectCloseBefore, [closeDate]))?.since ?? null
}

/** The firms that have books and no seal of the day, with the digests that their seals must have. */
export function readFirmsToSeal(
  tx: Tx,
  closeDate: string,
  afterwards: boolean,
): Promise<Pick<FirmSeal, 'firm_id' | 'previous_digest' | 'digest'>[]> {
  return tx.rows(selectToSeal, [closeDate, afterwards])
}

export function insertFirmSeals(tx: Tx, seals: readonly FirmSeal[]): void {
  const [first] = seals
  if (first === undefined) return
  tx.later(insertSeals, [
    first.close_date,
    first.since,
    first.afterwards,
    first.key_id,
    seals.map(({ firm_id }) => firm_id),
    seals.map(({ previous_digest }) => previous_digest),
    seals.map(({ digest }) => digest),
    seals.map(({ signature }) => signature),
  ])
}

export function insertDayFirms(tx: Tx, day: DayFirms): void {
  const { close_date, since, facts, facts_digest, firms, digest, key_id, signature } = day
  tx.later(insertDay, [close_date, since, facts, facts_digest, firms, digest, key_id, signature])
}

const selectDays = statement<DayFirms>(
  'select-days-by-firm',
  `select close_date, since, facts, facts_digest, firms, digest, key_id, signature from clearing.day_firms order by close_date`,
)
const selectSeals = statement<FirmSeal & { expected_previous: Buffer }>(
  'select-firm-seals-of-day',
  `select firm_id, close_date, since, afterwards, previous_digest, digest, key_id, signature,
     ${previousOf('seal.firm_id', 'seal.afterwards')} as expected_previous
   from clearing.firm_seal as seal where close_date = $1 order by firm_id`,
)
const selectSealedDays = statement<{ close_date: string }>(
  'select-days-of-firm-seals',
  'select distinct close_date from clearing.firm_seal order by close_date',
)
const selectDigest = statement<{ digest: Buffer }>(
  'digest-portions-of-firm',
  `select ${digestOfFirm('sealing.firm_id', 'previous')} as digest from (values ($2::uuid, $3::bytea)) as sealing (firm_id, previous)`,
)
const selectPortion = statement<FirmDigest>(
  'select-firm-digests-of-portion',
  `select firm_id, entries, entries_digest, balances, balances_digest, lines, lines_digest, facts, facts_digest
   from clearing.firm_seal_portion where close_date = $1 and up_to = $2 order by firm_id`,
)
const selectPortionsOf = statement<{ up_to: string }>(
  'select-portions-of-firm',
  'select up_to from clearing.firm_seal_portion where firm_id = $1 and close_date = $2 order by up_to',
)
const selectSpan = statement<{ first: string | null; last: string | null }>(
  'select-span-of-accounts-of-firm',
  'select min(account_number) as first, max(account_number) as last from clearing.account where firm_id = $1',
)

/** The days that were sealed by firm in this cell, in order. */
export function readDaysByFirm(tx: Tx): Promise<DayFirms[]> {
  return tx.rows(selectDays)
}

const selectDaysNotByFirm = statement<{ close_date: string }>(
  'select-days-not-by-firm',
  `select close_date from clearing.day_seal left join clearing.day_firms as firms using (close_date)
   where firms.digest is null order by close_date`,
)
/** The days that this cell sealed for all firms together only, in order. */
export async function readDaysNotByFirm(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectDaysNotByFirm)).map(({ close_date }) => close_date)
}

/** Every day of which a firm has a seal, including seals of other cells. */
export async function readDaysOfFirmSeals(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectSealedDays)).map(({ close_date }) => close_date)
}

/** The seals of a day by firm, each with the digest of the previous seal. */
export function readFirmSeals(
  tx: Tx,
  closeDate: string,
): Promise<(FirmSeal & { expected_previous: Buffer })[]> {
  return tx.rows(selectSeals, [closeDate])
}

/** The digest that a seal must have, computed from its portions. */
export async function digestPortionsOf(tx: Tx, seal: FirmSeal): Promise<Buffer> {
  const row = await tx.row(selectDigest, [seal.close_date, seal.firm_id, seal.previous_digest])
  if (row === undefined) throw new Error('the digest has no row')
  return row.digest
}

/** The sealed digests of each firm in a portion. */
export function readFirmDigests(tx: Tx, closeDate: string, upTo: string): Promise<FirmDigest[]> {
  return tx.rows(selectPortion, [closeDate, upTo])
}

/**
 * The ranges of account numbers that together contain all accounts of a firm. They end where the firm's
 * portions of the day end.
 */
export async function readRangesOfFirm(
  tx: Tx,
  { firm_id, close_date }: Pick<FirmSeal, 'firm_id' | 'close_date'>,
): Promise<AccountRange[]> {
  const [span, portions] = await Promise.all([
    tx.row(selectSpan, [firm_id]),
    tx.rows(selectPortionsOf, [firm_id, close_date]),
  ])
  const ends = portions.map(({ up_to }) => up_to)
  if (ends.at(-1) !== afterAll) ends.push(afterAll)
  return ends.map((upTo, index) => [ends[index - 1] ?? span?.first?.slice(0, -1) ?? '', upTo])
}

/**
 * Sorts after every account number. It is the end of the portion for accounts after the last account of a
 * close.
 */
export const afterAll = 'ZZZZZZZZZZZZ'
