/**
 * An announced corporate action: what an issuer does for every holder of a security, and the choices that it leaves to
 * them. Books 10.
 */
import type { CodeOf } from '@clearing/protocol'
import type { Decimal } from '../../decimal.ts'
import type { AcctType, Ratio } from '../activity.ts'

/** The kinds of lines that an announcement can make. */
export type AnnouncedType = CodeOf<'corporateActionType'>

/** Kinds that give something for the shares held before the ex-date. The others replace the shares themselves. */
const DISTRIBUTIONS: ReadonlySet<AnnouncedType> = new Set<AnnouncedType>([
  'Dividend',
  'CapitalGain',
  'Interest',
  'ReturnOfCapital',
  'StockDividend',
  'Split',
  'Spinoff',
])

export function isDistribution(type: AnnouncedType): boolean {
  return DISTRIBUTIONS.has(type)
}

export interface ActionTerms {
  /** New : old; of a StockDividend and a Spinoff, added : held. */
  readonly ratio?: Ratio | undefined
  /** Key of the security received. */
  readonly toSecurity?: string | undefined
  /** Cash for each share, in the currency of the security. */
  readonly cashPerShare?: Decimal | undefined
  /** The part of the cost that moves to the security received, from 0 to 1. */
  readonly costShare?: Decimal | undefined
  /** A merger closes the lots, and the shares received have the value `price` as their cost. */
  readonly taxable?: true | undefined
  /** The price at which a security is redeemed, or the value of a share received. */
  readonly price?: Decimal | undefined
  /** The price of a whole share at which fractions are paid in cash. Without it fractions are delivered. */
  readonly cashInLieuPrice?: Decimal | undefined
}

/** What a holder can choose. A mandatory action has one option. */
export interface ActionOption extends ActionTerms {
  readonly option: string
  /** `None`: the holder keeps the shares and gets nothing. */
  readonly type: AnnouncedType | 'None'
}

export interface Announcement {
  readonly externalId: string
  readonly type: AnnouncedType
  /** Key of the security. */
  readonly security: string
  readonly recordDate: string | undefined
  /** Who holds the security at the beginning of this day is entitled. */
  readonly exDate: string
  readonly payDate: string
  readonly options: readonly ActionOption[]
  /** The option of every share without an election. */
  readonly defaultOption: string
  /** The last business day on which holders can elect; undefined for a mandatory action. */
  readonly deadline: string | undefined
}

/** Kinds that change the shares held. A Merger can also pay cash for each share. */
const SHARE_CHANGES: ReadonlySet<ActionOption['type']> = new Set<AnnouncedType>([
  'StockDividend',
  'Split',
  'Spinoff',
  'Merger',
  'NameChange',
])

type TermsOfBooking = Pick<Announcement, 'exDate' | 'payDate' | 'deadline' | 'options'>

/**
 * The first business day on which the books can have the lines of an announcement. From the ex-date on, the price is
 * that of the shares without the action, so shares that leave no choice are booked then (decision 257). Cash counts
 * from the pay date, and choices are known after the deadline.
 */
export function bookingDay({ exDate, payDate, deadline, options }: TermsOfBooking): string {
  const isOfShares =
    deadline === undefined &&
    options.every(({ type, cashPerShare }) => SHARE_CHANGES.has(type) && cashPerShare === undefined)
  return isOfShares || exDate > payDate ? exDate : payDate
}

/** What the holder wants for some of the shares. Without a quantity: for all that are left. */
export interface Election {
  readonly option: string
  /** Without a sign. */
  readonly quantity?: Decimal | undefined
  /** Why the election does not count since an amendment. Its shares get the default option. */
  readonly void?: string | undefined
}

/** The position of one account type at the beginning of the ex-date; negative for a short position. */
export interface EntitledPosition {
  readonly acctType: AcctType
  readonly quantity: Decimal
}
