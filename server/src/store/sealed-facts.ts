/**
 * The digest of the facts other than lines that were entered between two closes: prices, rates, reports of
 * other custodians, corrections of these, and changes of securities and of terms of accounts, with the values before
 * and after.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { securityFactsNow } from './books/security-versions.ts'

export interface FactsDigest {
  readonly facts: bigint
  readonly facts_digest: Buffer
}

/** The digest of all facts, and of the facts that all firms share. */
export interface FactsDigests {
  readonly every: FactsDigest
  readonly shared: FactsDigest
}

const closeBefore = '(select max(close_date) from clearing.business_day_close where close_date < $1)'
function came(on = 'entered_on', since = closeBefore): string {
  return `${on} > '-infinity' and ${on} <= $1 and ${on} > coalesce(${since}, '-infinity')`
}
function textOf(...columns: string[]): string {
  return `sha256(convert_to(row(${columns.join(', ')})::text, 'UTF8'))`
}
/** The digest of a changed fact contains the values before the change. */
function before(table: string, key: string, columns: string): string {
  return `left join lateral (
     select ${columns} from clearing.${table} as earlier
     where earlier.${key} = version.${key} and earlier.entered_on < version.entered_on order by entered_on desc limit 1
   ) as was on true`
}

const awayText = textOf(
  'account_number',
  'sec_no',
  'acct_type',
  'custodian',
  'as_of',
  'firm_id',
  'trim_scale(quantity)',
  'trim_scale(cost)',
  'open_date',
  'entered_on',
)
const awayCorrectionText = textOf(
  'account_number',
  'sec_no',
  'acct_type',
  'custodian',
  'as_of',
  'version',
  'correction_id',
  'firm_id',
  'trim_scale(quantity)',
  'trim_scale(cost)',
  'open_date',
  'entered_on',
)
const awayOrder = 'account_number collate "C", sec_no, acct_type, custodian collate "C", as_of'
const termsText = textOf(
  'version.account_number',
  'version.entered_on',
  ...['version', 'was'].flatMap((of) => [
    `${of}.lot_method`,
    `trim_scale(${of}.house_long_percent)`,
    `trim_scale(${of}.house_short_percent)`,
  ]),
)
const termsOfAccounts = `clearing.account_terms_version as version
  ${before('account_terms_version', 'account_number', 'lot_method, house_long_percent, house_short_percent')}`

/**
 * The facts of a range of accounts that were entered after `since` and until `$1`, each with its digest and
 * its position within its kind.
 */
export function factsOfRange(since: string): string {
  return `
  select 'away' as kind, firm_id, ${awayText} as digest,
    row_number() over (order by ${awayOrder}) as place
  from clearing.held_away where account_number > $2 and account_number <= $3 and ${came('entered_on', since)}
  union all
  select 'away-corrections', firm_id, ${awayCorrectionText}, row_number() over (order by ${awayOrder}, version)
  from clearing.held_away_correction where account_number > $2 and account_number <= $3 and ${came('entered_on', since)}
  union all
  select 'terms', version.firm_id, ${termsText}, row_number() over (order by version.account_number collate "C", version.entered_on)
  from ${termsOfAccounts}
  where version.account_number > $2 and version.account_number <= $3 and ${came('version.entered_on', since)}`
}

// Prices are digested by security first, because there may be very many.
function sharedFacts(since: string): string {
  return `
  select 'prices' as kind, count(*) as count, sha256(string_agg(digest, '' order by sec_no)) as digest, sum(prices) as facts from (
    select sec_no, count(*) as prices, sha256(string_agg(${textOf('sec_no', 'priced_at', 'price_type', 'trim_scale(price)', 'trim_scale(yield)', 'entered_on')},
      '' order by priced_at, price_type)) as digest
    from clearing.price where ${came('entered_on', since)} group by sec_no
  ) as priced
  union all
  select 'rates', 1, sha256(string_agg(${textOf('currency', 'rate_date', 'trim_scale(rate)', 'entered_on')},
      '' order by currency collate "C", rate_date)), count(*) from clearing.fx_rate where ${came('entered_on', since)}
  union all
  select 'price-corrections', 1, sha256(string_agg(${textOf('sec_no', 'priced_at', 'price_type', 'version', 'correction_id', 'trim_scale(price)', 'trim_scale(yield)', 'entered_on')},
      '' order by sec_no, priced_at, price_type, version)), count(*) from clearing.price_correction where ${came('entered_on', since)}
  union all
  select 'rate-corrections', 1, sha256(string_agg(${textOf('currency', 'rate_date', 'version', 'correction_id', 'trim_scale(rate)', 'entered_on')},
      '' order by currency collate "C", rate_date, version)), count(*) from clearing.fx_rate_correction where ${came('entered_on', since)}
  union all
  select 'securities', 1, sha256(string_agg(${textOf('version.sec_no', 'version.entered_on', 'version.facts', 'was.facts')},
      '' order by version.sec_no, version.entered_on)), count(*)
  from clearing.security_version as version ${before('security_version', 'sec_no', 'facts')} where ${came('version.entered_on', since)}`
}
const factsOfFirms = `
  select 'away', 1, sha256(string_agg(${awayText},
      '' order by ${awayOrder})), count(*)
  from clearing.held_away where ${came()}
  union all
  select 'away-corrections', 1, sha256(string_agg(${awayCorrectionText}, '' order by ${awayOrder}, version)), count(*)
  from clearing.held_away_correction where ${came()}
  union all
  select 'terms', 1, sha256(string_agg(${termsText}, '' order by version.account_number collate "C", version.entered_on)), count(*)
  from ${termsOfAccounts} where ${came('version.entered_on')}`
function totalOf([facts, digest]: readonly [facts: string, digest: string], kinds = 'true'): string {
  return `coalesce(sum(facts) filter (where ${kinds}), 0)::bigint as ${facts},
     sha256(coalesce(string_agg(digest, '' order by kind) filter (where facts > 0 and ${kinds}), '')) as ${digest}`
}
const digestFacts = statement<FactsDigest & { shared_facts: bigint; shared_digest: Buffer }>(
  'digest-facts-of-day',
  `select ${totalOf(['facts', 'facts_digest'])}, ${totalOf(['shared_facts', 'shared_digest'], "kind not in ('away', 'away-corrections', 'terms')")}
   from (${sharedFacts(closeBefore)} union all ${factsOfFirms}) as kinds`,
)
const digestShared = statement<FactsDigest>(
  'digest-shared-facts-of-day',
  `select ${totalOf(['facts', 'facts_digest'])} from (${sharedFacts('$2::date')}) as kinds`,
)

/** The digest of the facts that a day knows and the previous close did not, computed from the tables. */
export async function digestFactsOf(tx: Tx, closeDate: string): Promise<FactsDigests> {
  const row = await tx.row(digestFacts, [closeDate])
  if (row === undefined) throw new Error('the digest has no row')
  const { facts, facts_digest, shared_facts, shared_digest } = row
  return { every: { facts, facts_digest }, shared: { facts: shared_facts, facts_digest: shared_digest } }
}

/** The digest of the shared facts: prices, rates and securities. `since` is the previous close. */
export async function digestSharedFacts(
  tx: Tx,
  { close_date, since }: { readonly close_date: string; readonly since: string | null },
): Promise<FactsDigest> {
  const row = await tx.row(digestShared, [close_date, since])
  if (row === undefined) throw new Error('the digest has no row')
  return row
}

const selectMovedSecurities = statement<{ sec_no: bigint }>(
  'select-securities-other-than-known',
  `select sec_no from clearing.security join lateral (
     select facts from clearing.security_version as version where version.sec_no = security.sec_no
     order by entered_on desc limit 1
   ) as latest on true
   where facts <> (${securityFactsNow}) order by sec_no limit $1`,
)
const selectMovedTerms = statement<{ account_number: string }>(
  'select-account-terms-other-than-known',
  `select account_number from clearing.account_books as books join lateral (
     select lot_method, house_long_percent, house_short_percent from clearing.account_terms_version as version
     where version.account_number = books.account_number order by entered_on desc limit 1
   ) as latest on true
   where (books.lot_method, books.house_long_percent, books.house_short_percent)
     is distinct from (latest.lot_method, latest.house_long_percent, latest.house_short_percent)
     and firm_id <> all ($2::uuid[])
   order by account_number limit $1`,
)

/**
 * Securities and accounts whose facts differ from the last version that a load stored. Accounts of the firms
 * `without` are left out.
 */
export async function readMovedFacts(
  tx: Tx,
  most: number,
  without: readonly string[],
): Promise<{ readonly secNos: string[]; readonly accountNumbers: string[] }> {
  const [securities, terms] = await Promise.all([
    tx.rows(selectMovedSecurities, [most]),
    tx.rows(selectMovedTerms, [most, without]),
  ])
  return {
    secNos: securities.map(({ sec_no }) => String(sec_no)),
    accountNumbers: terms.map(({ account_number }) => account_number),
  }
}
