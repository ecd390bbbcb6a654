/**
 * Versions of securities: their facts from each business date on which a load changed them. A security
 * without versions has not changed since the service stores versions.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { openDateOr } from '../business-day.ts'
import {
  conversionFacts,
  isOfConversion,
  type SecurityFact,
  securityColumn,
  securityFacts,
} from './security-facts.ts'

/** Numeric values as texts with their digits, as rows have them. */
const numeric: ReadonlySet<SecurityFact> = new Set([
  'current_factor',
  'multiplier',
  'price_divisor',
  'coupon_rate',
  'strike',
  'house_long_percent',
  'conversion_ratio',
])
/** The facts of a security in the form of a version, from its row. */
export const securityFactsNow = `${objectOf(securityFacts.filter((name) => !isOfConversion(name)))} || jsonb_strip_nulls(${objectOf(conversionFacts)})`

function objectOf(names: readonly SecurityFact[]): string {
  return `jsonb_build_object(${names.map((name) => `'${name}', ${securityColumn(name)}${numeric.has(name) ? '::text' : ''}`).join(', ')})`
}

const insertFirst = statement(
  'insert-first-security-versions',
  `insert into clearing.security_version (sec_no, entered_on, facts)
   select sec_no, '-infinity', ${securityFactsNow} from clearing.security
   where sec_no = any ($1) and not exists (
     select from clearing.security_version as version where version.sec_no = security.sec_no)`,
)
const upsert = statement(
  'upsert-security-versions',
  `insert into clearing.security_version (sec_no, entered_on, facts, factor_changed)
   select sec_no, open_date, ${securityFactsNow}, coalesce((
     select (facts ->> 'current_factor')::numeric <> security.current_factor from clearing.security_version as before
     where before.sec_no = security.sec_no and entered_on < open_date order by entered_on desc limit 1
   ), false)
   from clearing.security cross join (select ${openDateOr('$2')} as open_date) as day where sec_no = any ($1)
   on conflict (sec_no, entered_on) do update set facts = excluded.facts, factor_changed = excluded.factor_changed`,
)

type SecurityNumber = bigint

/** Stores the facts of securities before their first change. */
export function keepFirstVersions(tx: Tx, secNos: readonly SecurityNumber[]): void {
  tx.later(insertFirst, [secNos])
}

/**
 * Stores the facts of securities from the business date on. No other transaction moves that date until this one ends.
 */
export function keepVersions(tx: Tx, secNos: readonly SecurityNumber[], marketDay: string): void {
  tx.later(upsert, [secNos, marketDay])
}

const withoutConversion = Object.fromEntries(conversionFacts.map((name) => [name, null]))

interface VersionRow {
  readonly sec_no: bigint
  readonly facts: Readonly<Record<SecurityFact, string | number | boolean | null>>
}

// A security that arrived later has its first facts, because no line of an earlier day names it.
const selectKnown = statement<VersionRow>(
  'select-security-versions',
  `select distinct on (sec_no) sec_no, facts from clearing.security_version
   where sec_no = any ($1)
   order by sec_no, entered_on <= $2 desc, case when entered_on <= $2 then entered_on end desc, entered_on`,
)
const selectOfSymbols = statement<{ sec_no: bigint }>(
  'select-securities-of-past-symbols',
  `select distinct sec_no from clearing.security_version where facts ->> 'symbol' = any ($1)`,
)
const selectIdentifiers = statement<PastVersion>(
  'select-past-identifiers',
  `select sec_no, entered_on, facts ->> 'current_factor' as factor, facts ->> 'cusip' as cusip, facts ->> 'isin' as isin, facts ->> 'sedol' as sedol, facts ->> 'symbol' as symbol
   from clearing.security_version where sec_no = any ($1)`,
)

/** The identifiers of a security and the factor of a pool in one of its versions. */
export interface PastVersion {
  readonly sec_no: bigint
  /** The business date from which they hold, `-infinity` for the first version. */
  readonly entered_on: string
  readonly factor: string
  readonly cusip: string | null
  readonly isin: string | null
  readonly sedol: string | null
  readonly symbol: string | null
}

/** The identifiers and factors that securities have or have had at the end of a business day. */
export function readPastVersions(tx: Tx, secNos: readonly string[]): Promise<PastVersion[]> {
  return tx.rows(selectIdentifiers, [secNos])
}

// Symbols that no security has given up need no look at the day.
const selectOwners = statement<SymbolOwner>(
  'select-owners-of-passed-symbols',
  `with version as (
     select sec_no, entered_on, facts ->> 'symbol' as symbol, lead(entered_on) over later as until,
       lead(facts ->> 'symbol') over later as next_symbol
     from clearing.security_version
     where sec_no in (select sec_no from clearing.security_version where facts ->> 'symbol' = any ($1::text[]))
     window later as (partition by sec_no order by entered_on)
   )
   select symbol, sec_no::text as "secNo", entered_on as from, until from version
   where symbol in (select symbol from version where until is not null and next_symbol is distinct from symbol)
     and symbol = any ($1)
   order by symbol, entered_on`,
)

/** A time in which a security had a symbol. */
export interface SymbolOwner {
  readonly symbol: string
  readonly secNo: string
  /** The first business date, `-infinity` for the first version. */
  readonly from: string
  /** The business date from which another version counts. Null for the last one. */
  readonly until: string | null
}

/** Who had symbols that a security has given up. The earliest first. */
export function readSymbolOwners(tx: Tx, symbols: readonly string[]): Promise<SymbolOwner[]> {
  return tx.rows(selectOwners, [symbols])
}

/** The rows with the facts known at the close of a day. */
export async function asKnownOn<Row extends { readonly sec_no: bigint }>(
  tx: Tx,
  rows: readonly Row[],
  day: string,
): Promise<Row[]> {
  if (rows.length === 0) return []
  const known = await tx.rows(selectKnown, [rows.map(({ sec_no }) => sec_no), day])
  const facts = new Map(known.map((version) => [version.sec_no, version.facts]))
  return rows.map((row) => {
    const then = facts.get(row.sec_no)
    return then === undefined ? row : { ...row, ...withoutConversion, ...then }
  })
}

/** Numbers of the securities that have had one of the symbols since the service stores versions. */
export async function findPastSymbols(tx: Tx, symbols: readonly string[]): Promise<bigint[]> {
  return (await tx.rows(selectOfSymbols, [symbols])).map(({ sec_no }) => sec_no)
}
