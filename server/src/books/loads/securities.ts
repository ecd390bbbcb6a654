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
  cusipOfIsin,
  findCurrency,
  type IdentifierCheck,
  isinOfCusip,
  namedDebt,
} from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import {
  findSecurities,
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
import { type ReadLines, readLinesOf } from './read-lines.ts'
import type { Load, Loader } from './run-load.ts'

const idNames = ['cusip', 'isin', 'sedol', 'symbol'] as const
type IdName = (typeof idNames)[number]

/** A security that is being written. A new security has no row. */
interface Draft {
  readonly row: SecurityRow | undefined
  facts: Record<SecurityFact, string | number | boolean | null>
  changed: boolean
}

export function securitiesLoader(load: Load): Loader<ReadLines<SecurityValues>> {
  return {
    prepare: (raw) => Promise.resolve(readLinesOf(securityShape, raw)),
    async write(tx, { lines, refused }) {
      const rejected: RefusedLine[] = [...refused]
      await lockSecurityNames(tx)
      const drafts = await findDrafts(
        tx,
        lines.map(({ values }) => values),
      )
      let accepted = 0
      let duplicates = 0
      for (const { source, values } of lines) {
        const rejections = takeLine(drafts, values)
        if (typeof rejections !== 'string') rejected.push({ line: source, rejections })
        else if (rejections === 'changed') accepted += 1
        else duplicates += 1
      }
      await writeDrafts(tx, load, drafts)
      return { accepted, duplicates, conflicts: [], refused: rejected.sort((a, b) => a.line - b.line) }
    },
  }
}

class Drafts {
  readonly all: Draft[] = []
  readonly #byId = new Map<string, Draft>()

  add(draft: Draft): void {
    this.all.push(draft)
    this.index(draft)
  }

  index(draft: Draft): void {
    for (const name of idNames) {
      const value = draft.facts[name]
      if (value !== null) this.#byId.set(`${name} ${value}`, draft)
    }
  }

  find(name: IdName, value: string): Draft | undefined {
    const found = this.#byId.get(`${name} ${value}`)
    if (found !== undefined) return found
    return alsoNamed(name, value)
      .map((also) => this.#byId.get(`${also.name} ${also.value}`))
      .find((draft) => draft?.facts[name] === null)
  }
}

/**
 * A US or Canadian ISIN contains the CUSIP, so each of the two finds a security that is known only by the
 * other.
 */
function alsoNamed(name: IdName, value: string): { readonly name: IdName; readonly value: string }[] {
  if (name === 'isin') return [{ name: 'cusip' as const, value: cusipOfIsin(value) }].flatMap(withValue)
  if (name !== 'cusip') return []
  return (['US', 'CA'] as const)
    .map((country) => ({ name: 'isin' as const, value: isinOfCusip(value, country) }))
    .flatMap(withValue)
}

function withValue<Name>({ name, value }: { readonly name: Name; readonly value: string | null }) {
  return value === null ? [] : [{ name, value }]
}

async function findDrafts(tx: Tx, lines: readonly SecurityValues[]): Promise<Drafts> {
  const given = idNames.flatMap((name) =>
    lines.flatMap((values) => {
      const value = values[name]
      return value === undefined ? [] : [{ name, value }, ...alsoNamed(name, value)]
    }),
  )
  const named = (wanted: IdName) => given.flatMap(({ name, value }) => (name === wanted ? [value] : []))
  const rows = await findSecurities(tx, {
    cusip: named('cusip'),
    isin: named('isin'),
    sedol: named('sedol'),
    symbol: named('symbol'),
    secNo: [],
  })
  const drafts = new Drafts()
  for (const row of rows) drafts.add({ row, facts: { ...row }, changed: false })
  return drafts
}

/** Adds the line to the drafts. Returns whether it changed anything, or why it is refused. */
function takeLine(drafts: Drafts, values: SecurityValues): 'changed' | 'same' | readonly Rejection[] {
  const rejections = checkValues(values)
  if (idNames.every((name) => values[name] === undefined)) {
    rejections.push(reject('ERR.1000', 'cusip', 'At least one of cusip, isin, sedol and symbol is required.'))
  }
  const draft = findDraft(drafts, values, rejections)
  const facts = { ...(draft?.facts ?? defaultsOf(values)), ...factsOf(values) }
  if (draft?.row?.in_use === true) rejections.push(...refuseFixed(draft, facts))
  rejections.push(...checkOption(facts), ...checkConversion(facts), ...checkDates(values, facts))
  if (rejections.length > 0) return rejections
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

/**
 * The security that the line describes. An identifier other than the symbol finds it alone. A symbol finds it
 * only if no other identifier contradicts.
 */
function findDraft(drafts: Drafts, values: SecurityValues, rejections: Rejection[]): Draft | undefined {
  let found: Draft | undefined
  for (const name of idNames) {
    const value = values[name]
    const draft = value === undefined ? undefined : drafts.find(name, value)
    if (draft === undefined) continue
    if (found !== undefined && found !== draft) {
      rejections.push(reject('ERR.1014', name, `Another security has this ${name}.`))
      continue
    }
    const contradicted = idNames.find((other) => {
      const its = draft.facts[other]
      return (
        other !== 'symbol' &&
        other !== name &&
        values[other] !== undefined &&
        its !== null &&
        its !== values[other]
      )
    })
    if (found === undefined && contradicted !== undefined) {
      rejections.push(
        reject('ERR.1014', name, `Another security has this ${name}: its ${contradicted} differs.`),
      )
      continue
    }
    found = draft
  }
  return found
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
  putSecurities(tx, securities as unknown as SecurityFacts[], now)
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
