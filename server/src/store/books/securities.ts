/** Stored securities: their facts for the books and for the values of positions. */

import type { Security } from '@clearing/domain/books'
import { type Decimal, multiplyDivide, ONE, wholeDecimal } from '@clearing/domain/decimal'
import {
  type BondTerms,
  cusipOfIsin,
  findCurrency,
  isBroadIndex,
  isOption,
  namedDebt,
  type SecurityKind,
  securityKind,
  type UnitsOfStrike,
  type ValuedSecurity,
} from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { holdBusinessDay, marketDayOf } from '../business-day.ts'
import { decimalOfColumn, insertRows, Rows } from './bulk.ts'
import { isOfConversion, type SecurityFact, securityColumn, securityFacts } from './security-facts.ts'
import { keepFirstVersions, keepVersions } from './security-versions.ts'

export { type SecurityFact, securityFacts }

export interface SecurityRow {
  readonly sec_no: bigint
  readonly cusip: string | null
  readonly isin: string | null
  readonly sedol: string | null
  readonly symbol: string | null
  readonly description: string
  readonly sec_type_code: string
  readonly sec_type_name: string
  readonly type_class_code: string
  readonly new_sec_code: string
  readonly industry_group_code: number
  readonly industry_group_name: string
  readonly currency: string
  readonly is_off_shore: boolean
  readonly offshore_share_class: string
  readonly current_factor: string
  readonly marginable: boolean
  readonly multiplier: string
  readonly price_divisor: string
  readonly coupon_rate: string | null
  readonly coupon_frequency: number | null
  readonly day_count: string | null
  readonly issue_date: string | null
  readonly maturity_date: string | null
  readonly underlying: string | null
  readonly put_call: 'Put' | 'Call' | null
  readonly strike: string | null
  readonly expiration: string | null
  readonly money_market: boolean
  readonly lot_method: 'FIFO' | 'LIFO' | 'HIFO' | 'Average' | null
  readonly house_long_percent: string | null
  readonly converts_to: string | null
  readonly conversion_ratio: string | null
  readonly in_use: boolean
  readonly updated_at: string
}

/** The underlying of an option or a convertible in a view, which `withUnderlyings` finds. */
export interface UnderlyingOfRow {
  /** Null if no security is known by what the row names. */
  readonly underlying_no?: string | null | undefined
  /** It changed its units, and the contract has not been adjusted. */
  readonly strike_units?: UnitsOfStrike | undefined
}

export const securityColumns = ['sec_no', ...securityFacts, 'in_use', 'updated_at']
  .map((name) => (isOfConversion(name) ? `${securityColumn(name)} as ${name}` : securityColumn(name)))
  .join(', ')

export interface Identifiers {
  readonly cusip: readonly string[]
  readonly isin: readonly string[]
  readonly sedol: readonly string[]
  readonly symbol: readonly string[]
  readonly secNo: readonly string[]
}

const selectByIdentifiers = statement<SecurityRow>(
  'select-securities-by-identifiers',
  `select ${securityColumns} from clearing.security
   where cusip = any ($1) or isin = any ($2) or sedol = any ($3) or symbol = any ($4) or sec_no = any ($5)`,
)

/** The securities that have any of the identifiers. */
export function findSecurities(tx: Tx, by: Identifiers): Promise<SecurityRow[]> {
  return tx.rows(selectByIdentifiers, [by.cusip, by.isin, by.sedol, by.symbol, by.secNo])
}

const lockSecurities = statement(
  'lock-securities',
  'lock table clearing.security in share row exclusive mode',
)

/**
 * Allows one load of securities at a time to compare its lines with the stored securities. It also makes the
 * start of a close wait.
 */
export function lockSecurityNames(tx: Tx): Promise<number> {
  holdBusinessDay(tx)
  return tx.run(lockSecurities)
}

const ownFacts = securityFacts.filter((name) => !isOfConversion(name))
const upsertSecurities = insertRows(
  'upsert-securities',
  'security',
  `on conflict (sec_no) do update set ${[...ownFacts, 'updated_at'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
)
const removeConversions = statement(
  'remove-conversion-terms',
  'delete from clearing.conversion_terms where sec_no = any ($1)',
)
const insertConversions = statement(
  'insert-conversion-terms',
  `insert into clearing.conversion_terms (sec_no, converts_to, conversion_ratio)
   select * from unnest($1::bigint[], $2::text[], $3::numeric[])`,
)
const takeNumbers = statement<{ sec_no: bigint }>(
  'take-security-numbers',
  `select nextval(pg_get_serial_sequence('clearing.security', 'sec_no')) as sec_no from generate_series(1, $1)`,
)

/** Numbers for new securities. */
export async function takeSecurityNumbers(tx: Tx, count: number): Promise<bigint[]> {
  return (await tx.rows(takeNumbers, [count])).map(({ sec_no }) => sec_no)
}

// Two securities of one statement may exchange their symbols, which are unique at each moment.
const releaseSymbols = statement(
  'release-symbols',
  `update clearing.security set symbol = null from unnest($1::bigint[], $2::text[]) as given (sec_no, symbol)
   where security.symbol = given.symbol and security.sec_no <> given.sec_no and security.sec_no = any ($1)
     and coalesce(cusip, isin, sedol) is not null`,
)

export type SecurityFacts = Omit<SecurityRow, 'in_use' | 'updated_at'>

/**
 * Writes the facts of new and of known securities. Earlier facts stay readable for the days that knew them.
 * `passSymbols`: symbols of some may be those of others.
 */
export function putSecurities(
  tx: Tx,
  securities: readonly SecurityFacts[],
  at: Date,
  passSymbols = false,
): void {
  if (securities.length === 0) return
  const rows = new Rows()
  const time = at.toISOString()
  for (const security of securities) {
    // `in_use` does not come from a feed: it stays unchanged for a known security.
    const facts = ownFacts.map((name) => security[name])
    rows.add(security.sec_no, ...facts, false, time, time)
  }
  const numbers = securities.map(({ sec_no }) => sec_no)
  keepFirstVersions(tx, numbers)
  if (passSymbols) tx.later(releaseSymbols, [numbers, securities.map(({ symbol }) => symbol)])
  tx.later(upsertSecurities, [rows.bytes()])
  putConversions(tx, securities, numbers)
  keepVersions(tx, numbers, marketDayOf(at))
}

function putConversions(tx: Tx, securities: readonly SecurityFacts[], numbers: readonly bigint[]): void {
  tx.later(removeConversions, [numbers])
  const converted = securities.filter(({ converts_to }) => converts_to !== null)
  if (converted.length === 0) return
  tx.later(insertConversions, [
    converted.map(({ sec_no }) => sec_no),
    converted.map(({ converts_to }) => converts_to),
    converted.map(({ conversion_ratio }) => conversion_ratio),
  ])
}

const markInUse = statement<{ sec_no: bigint; updated_at: string }>(
  'mark-securities-in-use',
  `with named as (
     select sec_no from clearing.security where sec_no = any ($1) and not in_use order by sec_no for no key update
   )
   update clearing.security set in_use = true from named where security.sec_no = named.sec_no
   returning security.sec_no, security.updated_at`,
)

/** Fixes the facts on which the books rely. Returns the securities for which this is new, with their current facts. */
export function markSecuritiesInUse(
  tx: Tx,
  secNos: readonly string[],
): Promise<{ sec_no: bigint; updated_at: string }[]> {
  return tx.rows(markInUse, [secNos])
}

function orNull(text: string | null): Decimal | undefined {
  return text === null ? undefined : decimalOfColumn(text)
}

export function kindOfSecurity(row: SecurityRow): SecurityKind {
  return securityKind({
    cusip: row.cusip ?? cusipOfIsin(row.isin ?? '') ?? undefined,
    isin: row.isin ?? undefined,
    currency: row.currency,
    secTypeName: row.sec_type_name,
    putCall: row.put_call ?? undefined,
    underlying: row.underlying ?? undefined,
    couponRate: row.coupon_rate ?? undefined,
    maturityDate: row.maturity_date ?? undefined,
    moneyMarket: row.money_market,
  })
}

const usualMoneyPlaces = 2
const ratioPlaces = 10

/** The security in the form of the books; its key is the secNo. */
export function bookedSecurity(row: SecurityRow, kind: SecurityKind): Security {
  return {
    key: String(row.sec_no),
    currency: row.currency,
    moneyPlaces: findCurrency(row.currency)?.places ?? usualMoneyPlaces,
    multiplier: decimalOfColumn(row.multiplier),
    priceDivisor: decimalOfColumn(row.price_divisor),
    factor: decimalOfColumn(row.current_factor),
    fund: kind === 'Fund',
    lotMethod: row.lot_method ?? undefined,
    option:
      isOption(kind) && row.put_call !== null && row.strike !== null
        ? { putCall: row.put_call, strike: decimalOfColumn(row.strike) }
        : undefined,
  }
}

/** The security in the form of positions and values. */
export function valuedSecurity(row: SecurityRow & UnderlyingOfRow): ValuedSecurity {
  const kind = kindOfSecurity(row)
  const secNo = String(row.sec_no)
  return {
    secNo,
    kind,
    symbolId: row.symbol ?? row.cusip ?? row.isin ?? row.sedol ?? secNo,
    symbol: row.symbol ?? '',
    cusip: row.cusip ?? '',
    isin: row.isin ?? '',
    sedol: row.sedol ?? '',
    description: row.description,
    secTypeCode: row.sec_type_code,
    secTypeName: row.sec_type_name,
    typeClassCode: row.type_class_code,
    newSecCode: row.new_sec_code,
    industryGroupCode: row.industry_group_code,
    industryGroupName: row.industry_group_name,
    currency: row.currency,
    isOffShore: row.is_off_shore,
    offshoreShareClass: row.offshore_share_class,
    moneyMarket: row.money_market,
    marginable: row.marginable,
    multiplier: decimalOfColumn(row.multiplier),
    priceDivisor: decimalOfColumn(row.price_divisor),
    currentFactor: decimalOfColumn(row.current_factor),
    bond: bondTerms(row, kind),
    maturityDate: row.maturity_date ?? undefined,
    converts: conversionOf(row, kind),
    ...familyOf(row),
    option:
      isOption(kind) && row.put_call !== null && row.strike !== null && row.expiration !== null
        ? {
            putCall: row.put_call,
            strike: decimalOfColumn(row.strike),
            expiration: row.expiration,
            underlying: row.underlying ?? '',
            units: row.strike_units,
          }
        : undefined,
  }
}

/** The securities whose positions combine: those on one underlying, and it. */
function familyOf(row: SecurityRow & UnderlyingOfRow): Pick<ValuedSecurity, 'family' | 'unknownUnderlying'> {
  const name = row.put_call === null ? row.converts_to : row.underlying
  if (name === null) return { family: String(row.sec_no) }
  const { underlying_no: known } = row
  const isUnknown = known === null && !isBroadIndex(name)
  return { family: known ?? `named ${name}`, unknownUnderlying: isUnknown ? name : undefined }
}

/** The ratio of a bond is per 1,000 of face value. */
const faceOfRatio = wholeDecimal(1_000)

/** A ratio that has not been adjusted to a change of the units of the stock counts in the units after it. */
export function conversionOf(
  row: SecurityRow & UnderlyingOfRow,
  kind: SecurityKind,
): ValuedSecurity['converts'] {
  if (row.converts_to === null || row.conversion_ratio === null) return undefined
  const stated = decimalOfColumn(row.conversion_ratio)
  const { received = ONE, held = ONE } = row.strike_units ?? {}
  const ratio = multiplyDivide(stated, received, held, ratioPlaces)
  if (kind !== 'Bond') return { symbol: row.converts_to, ratio }
  const forUnit = multiplyDivide(ratio, decimalOfColumn(row.price_divisor), faceOfRatio, ratioPlaces)
  return { symbol: row.converts_to, ratio: forUnit }
}

function usualDayCount(row: SecurityRow, kind: SecurityKind): BondTerms['dayCount'] {
  if (kind === 'Treasury') return 'ActAct'
  return namedDebt(row.sec_type_name) === 'Municipal' ? '30/360 Bond Basis' : '30/360'
}

/**
 * Undefined for a security that bears no interest. Unless the feed states a method, Treasuries count the
 * actual days of the coupon period (31 CFR 356 Appendix B), municipal bonds 30/360 without a rule for the end of
 * February (MSRB Rule G-33(e)), and other bonds 30/360.
 */
export function bondTerms(row: SecurityRow, kind: SecurityKind): BondTerms | undefined {
  const couponRate = orNull(row.coupon_rate)
  if (couponRate === undefined || row.maturity_date === null || row.put_call !== null) return undefined
  return {
    couponRate,
    couponFrequency: (row.coupon_frequency ?? 2) as BondTerms['couponFrequency'],
    dayCount: (row.day_count ?? usualDayCount(row, kind)) as BondTerms['dayCount'],
    maturityDate: row.maturity_date,
    issueDate: row.issue_date ?? undefined,
  }
}
