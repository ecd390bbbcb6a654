/**
 * load-securities: adds securities and changes their facts. Identifiers are unique and their check digits are valid.
 * The facts on which the books depend (currency, multiplier, price divisor, lot method, option terms, whether it is a
 * fund) are fixed once activity names the security.
 */
import { renderDecimal, wholeDecimal } from '@clearing/domain/decimal'
import {
  checkCusip,
  checkIsin,
  checkSedol,
  findCurrency,
  type IdentifierCheck,
  isBroadIndex,
  namedDebt,
} from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { findUnknownUnderlyings } from '../../store/books/prices/loaded-underlyings.ts'
import { keepNamedUnderlyings } from '../../store/books/prices/named-underlyings.ts'
import {
  kindOfSecurity,
  lockSecurityNames,
  putSecurities,
  type SecurityFact,
  type SecurityFacts,
  type SecurityRow,
  securityFacts,
  takeSecurityNumbers,
} from '../../store/books/securities.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { type SecurityValues, securityShape } from '../lines/shapes.ts'
import { securitiesGivingUp } from './passed-symbols.ts'
import { type ReadLines, readLinesOf } from './read-lines.ts'
import type { Load, Loader } from './run-load.ts'
import { type Draft, Drafts, findDraft, idNames } from './security-drafts.ts'
import { UnderlyingsInUse } from './underlyings-in-use.ts'

export function securitiesLoader(load: Load): Loader<ReadLines<SecurityValues>> {
  const underlyings = new Set<string>()
  return {
    prepare: (raw) => Promise.resolve(readLinesOf(securityShape, raw)),
    async write(tx, { lines, refused }) {
      const rejected: RefusedLine[] = [...refused]
      await lockSecurityNames(tx)
      const given = lines.map(({ values }) => values)
      const drafts = new Drafts()
      await drafts.learn(tx, given)
      const inUse = await UnderlyingsInUse.of(tx, drafts, given)
      drafts.giveUp(
        securitiesGivingUp(drafts, given, (draft, values) => refuseFacts(draft, values, inUse).length === 0),
      )
      const [later = [], first = []] = partition(lines, ({ values }) => inUse.concerns(values))
      let accepted = 0
      let duplicates = 0
      for (const { source, values } of [...first, ...later]) {
        const rejections = takeLine(drafts, values, inUse)
        if (typeof rejections !== 'string') rejected.push({ line: source, rejections })
        else if (rejections === 'changed') accepted += 1
        else duplicates += 1
        noteUnderlying(underlyings, values)
      }
      await writeDrafts(tx, load, drafts)
      inUse.keep(tx)
      return { accepted, duplicates, conflicts: [], refused: rejected.sort((a, b) => a.line - b.line) }
    },
    conclude: () => nameUnknown(load.pool, [...underlyings]),
  }
}

/** The names of underlyings of one load that are looked for at its end. */
const underlyingsMax = 100_000
/** The names that the message lists. */
const namedMax = 10

function noteUnderlying(names: Set<string>, { underlying, convertsTo }: SecurityValues): void {
  const name = underlying ?? convertsTo
  if (name !== undefined && !isBroadIndex(name) && names.size < underlyingsMax) names.add(name)
}

/** Securities may follow their options in a load, so their names are looked for at its end. */
async function nameUnknown(pool: Pool, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined
  const settings = { firm: null, readOnly: true, repeatable: true } as const
  const unknown = await inTransaction(pool, settings, (tx) => findUnknownUnderlyings(tx, names))
  if (unknown.length === 0) return undefined
  const more = unknown.length - namedMax
  const listed = unknown.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `No security is known by the underlying or convertsTo ${listed}: load it, or correct the line.`
}

function partition<One>(all: readonly One[], isFirst: (one: One) => boolean): One[][] {
  const parts: One[][] = [[], []]
  for (const one of all) parts[isFirst(one) ? 0 : 1]?.push(one)
  return parts
}

/** Adds the line to the drafts. Returns whether it changed anything, or why it is refused. */
function takeLine(
  drafts: Drafts,
  values: SecurityValues,
  inUse: UnderlyingsInUse,
): 'changed' | 'same' | readonly Rejection[] {
  const rejections: Rejection[] = []
  if (idNames.every((name) => values[name] === undefined)) {
    rejections.push(reject('ERR.1000', 'cusip', 'At least one of cusip, isin, sedol and symbol is required.'))
  }
  const draft = findDraft(drafts, values, rejections)
  rejections.push(...refuseFacts(draft, values, inUse))
  if (rejections.length > 0) return rejections
  const facts = factsAfter(draft, values)
  if (draft === undefined) {
    drafts.add({ row: undefined, facts, changed: true })
    return 'changed'
  }
  const isSame = securityFacts.every((name) => sameFact(draft.facts[name], facts[name]))
  if (isSame) return 'same'
  draft.facts = facts
  draft.changed = true
  drafts.index(draft)
  return 'changed'
}

function factsAfter(draft: Draft | undefined, values: SecurityValues): Draft['facts'] {
  return { ...(draft?.facts ?? defaultsOf(values)), ...factsOf(values) }
}

/** Why the line is refused, apart from its identifiers. */
function refuseFacts(draft: Draft | undefined, values: SecurityValues, inUse: UnderlyingsInUse): Rejection[] {
  const rejections = checkValues(values)
  const facts = factsAfter(draft, values)
  if (draft?.row?.in_use === true)
    rejections.push(...refuseFixed(draft, facts), ...inUse.refuse(draft, facts))
  return [...rejections, ...checkOption(facts), ...checkConversion(facts), ...checkDates(values, facts)]
}

const defaults: Draft['facts'] = {
  cusip: null,
  isin: null,
  sedol: null,
  symbol: null,
  description: '',
  sec_type_code: '',
  sec_type_name: '',
  type_class_code: '',
  new_sec_code: '',
  industry_group_code: 0,
  industry_group_name: '',
  currency: 'USD',
  is_off_shore: false,
  offshore_share_class: '',
  current_factor: '1',
  marginable: true,
  multiplier: '1',
  price_divisor: '1',
  coupon_rate: null,
  coupon_frequency: null,
  day_count: null,
  issue_date: null,
  maturity_date: null,
  underlying: null,
  put_call: null,
  strike: null,
  expiration: null,
  money_market: false,
  lot_method: null,
  house_long_percent: null,
  converts_to: null,
  conversion_ratio: null,
}

/** A new security whose type is a debt type is priced in percent, even without a coupon and a maturity. */
function defaultsOf({ secTypeName, putCall }: SecurityValues): Draft['facts'] {
  const isDebt = putCall === undefined && namedDebt(secTypeName ?? '') !== undefined
  return isDebt ? { ...defaults, price_divisor: '100' } : defaults
}

/**
 * The facts that the line gives. The default multiplier of an option is 100, and so is the default price divisor of a
 * bond.
 */
function factsOf(values: SecurityValues): Partial<Draft['facts']> {
  const amount = (given: { readonly value: bigint } | undefined) =>
    given === undefined ? undefined : renderDecimal(given.value)
  const isBond =
    values.couponRate !== undefined || (values.maturityDate !== undefined && values.putCall === undefined)
  const facts: { readonly [Fact in SecurityFact]: string | number | boolean | undefined } = {
    cusip: values.cusip,
    isin: values.isin,
    sedol: values.sedol,
    symbol: values.symbol,
    description: values.description,
    sec_type_code: values.secTypeCode,
    sec_type_name: values.secTypeName,
    type_class_code: values.typeClassCode,
    new_sec_code: values.newSecCode,
    industry_group_code: values.industryGroupCode,
    industry_group_name: values.industryGroupName,
    currency: values.currency,
    is_off_shore: values.isOffShore,
    offshore_share_class: values.offshoreShareClass,
    current_factor: amount(values.currentFactor),
    marginable: values.marginable,
    multiplier: amount(values.multiplier) ?? (values.putCall === undefined ? undefined : '100'),
    price_divisor: amount(values.priceDivisor) ?? (isBond ? '100' : undefined),
    coupon_rate: amount(values.couponRate),
    coupon_frequency: values.couponFrequency === undefined ? undefined : Number(values.couponFrequency),
    day_count: values.dayCount,
    issue_date: values.issueDate,
    maturity_date: values.maturityDate,
    underlying: values.underlying,
    put_call: values.putCall,
    strike: amount(values.strike),
    expiration: values.expiration,
    money_market: values.moneyMarket,
    lot_method: values.lotMethod,
    house_long_percent: amount(values.houseLongPercent),
    converts_to: values.convertsTo,
    conversion_ratio: amount(values.conversionRatio),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

function checkValues(values: SecurityValues): Rejection[] {
  const rejections: Rejection[] = []
  const refuse = (field: string, check: IdentifierCheck) => {
    if (!check.valid) rejections.push(reject('ERR.1016', field, check.reason))
  }
  if (values.cusip !== undefined) refuse('cusip', checkCusip(values.cusip))
  if (values.isin !== undefined) refuse('isin', checkIsin(values.isin))
  if (values.sedol !== undefined) refuse('sedol', checkSedol(values.sedol))
  if (values.currency !== undefined && findCurrency(values.currency) === undefined) {
    rejections.push(reject('ERR.1015', 'currency', 'currency must be an ISO 4217 code such as USD.'))
  }
  for (const field of ['multiplier', 'priceDivisor', 'currentFactor', 'conversionRatio'] as const) {
    if (values[field]?.value === 0n)
      rejections.push(reject('ERR.1015', field, `${field} must be above zero.`))
  }
  const house = values.houseLongPercent?.value
  if (house !== undefined && (house === 0n || house > wholeDecimal(100))) {
    rejections.push(
      reject('ERR.1015', 'houseLongPercent', 'houseLongPercent must be above 0 and at most 100.'),
    )
  }
  return rejections
}

function checkOption(facts: Draft['facts']): Rejection[] {
  const terms = [
    ['putCall', facts.put_call],
    ['strike', facts.strike],
    ['expiration', facts.expiration],
  ] as const
  if (terms.every(([, value]) => value === null)) return []
  return terms
    .filter(([, value]) => value === null)
    .map(([field]) => reject('ERR.1000', field, 'An option needs putCall, strike and expiration.'))
}

function checkConversion(facts: Draft['facts']): Rejection[] {
  const terms = [
    ['convertsTo', facts.converts_to],
    ['conversionRatio', facts.conversion_ratio],
  ] as const
  const missing = terms.filter(([, value]) => value === null)
  if (missing.length !== 1) return []
  return missing.map(([field]) =>
    reject('ERR.1000', field, 'A security that converts needs convertsTo and conversionRatio.'),
  )
}

/**
 * Only of a line that gives one of the two dates, so that a security with wrong dates can still be changed otherwise.
 */
function checkDates({ issueDate, maturityDate }: SecurityValues, facts: Draft['facts']): Rejection[] {
  const { issue_date: issued, maturity_date: matures } = facts
  if ((issueDate ?? maturityDate) === undefined || issued === null || matures === null) return []
  return String(matures) > String(issued)
    ? []
    : [reject('ERR.1024', 'maturityDate', 'maturityDate must be after issueDate.')]
}

const fixed: readonly (readonly [SecurityFact, field: string])[] = [
  ['currency', 'currency'],
  ['multiplier', 'multiplier'],
  ['price_divisor', 'priceDivisor'],
  ['lot_method', 'lotMethod'],
  ['put_call', 'putCall'],
  ['strike', 'strike'],
]

function refuseFixed({ facts: before, row }: Draft, after: Draft['facts']): Rejection[] {
  const rejections = fixed
    .filter(([fact]) => !sameFact(before[fact], after[fact]))
    .map(([, field]) => reject('ERR.1021', field, `${field} cannot change once activity names the security.`))
  const isFund = (facts: Draft['facts']) => kindOfSecurity({ ...row, ...facts } as SecurityRow) === 'Fund'
  if (isFund(before) !== isFund(after)) {
    rejections.push(
      reject(
        'ERR.1021',
        'secTypeName',
        'A security cannot become or cease to be a fund once activity names it.',
      ),
    )
  }
  return rejections
}

/** Numeric columns are returned with the digits with which they were written. */
function sameFact(a: string | number | boolean | null, b: string | number | boolean | null): boolean {
  if (a === b) return true
  return typeof a === 'string' && typeof b === 'string' && trimZeros(a) === trimZeros(b)
}

function trimZeros(text: string): string {
  return /^\d+\.\d*$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

async function writeDrafts(tx: Tx, load: Load, drafts: Drafts): Promise<void> {
  const changed = drafts.all.filter((draft) => draft.changed)
  if (changed.length === 0) return
  const fresh = changed.filter(({ row }) => row === undefined)
  const numbers = fresh.length === 0 ? [] : await takeSecurityNumbers(tx, fresh.length)
  const now = load.now()
  const securities = changed.map(({ row, facts }) => ({ ...facts, sec_no: row?.sec_no ?? numbers.shift() }))
  const renamed = changed.filter(({ row, facts }) =>
    idNames.some((name) => row !== undefined && row[name] !== null && row[name] !== facts[name]),
  )
  keepNamedUnderlyings(
    tx,
    renamed.flatMap(({ row }) => row?.sec_no ?? []),
  )
  putSecurities(tx, securities as unknown as SecurityFacts[], now, renamed.length > 0)
  writeAuditRow(tx, {
    firmId: clearingFirmId,
    at: now,
    actor: load.clientId,
    action: 'load-securities',
    target: load.loadId,
    traceId: load.traceId,
    detail: { added: fresh.length, changed: changed.length - fresh.length },
  })
}
