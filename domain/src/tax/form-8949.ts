/**
 * The sales of a year as Form 1099-B and Form 8949 have them: a row for each line, box and side of what it closed, and
 * totals by box. Instructions for Form 1099-B; Instructions for Form 8949; IRS Publication 550.
 */
import { type Decimal, ZERO } from '../decimal.ts'
import { isOption } from '../market/security-kind.ts'
import { namedDebt } from '../market/type-name.ts'
import { isCovered, isShortTermDebt, type TaxedSecurity } from './covered.ts'
import type { ExemptRecipient } from './exempt-recipients.ts'
import type { GainSums, RealizedGain } from './realized-gain.ts'

/**
 * Part I, short: A basis reported, B not reported, C no Form 1099-B. Part II, long: D, E and F likewise. Since 2025
 * boxes G to L are for digital assets, which the books do not hold.
 */
type Form8949Box = 'A' | 'B' | 'C' | 'D' | 'E' | 'F'

/** One row of Form 8949, one Form 1099-B. Amounts are in US dollars; `salesAmounts` states those of a short sale. */
export interface SaleRow {
  readonly box: Form8949Box
  readonly security: TaxedSecurity
  readonly term: 'Long' | 'Short'
  readonly covered: boolean
  /** Never negative; zero if cash was received without a surrender of shares. */
  readonly quantity: Decimal
  readonly short: boolean
  /** `VARIOUS` when the lots were acquired on several days. */
  readonly dateAcquired: string
  readonly dateSold: string
  readonly proceeds: Decimal
  readonly cost: Decimal
  readonly noCost: boolean
  /** W, and the loss that is disallowed; empty and zero without one. */
  readonly code: 'W' | ''
  readonly washDisallowedAmt: Decimal
  /** Proceeds less cost plus the adjustment. */
  readonly gainLoss: Decimal
  readonly closedBy: string
}

interface BoxTotals {
  readonly box: Form8949Box
  readonly count: number
  readonly proceeds: Decimal
  readonly cost: Decimal
  readonly washDisallowedAmt: Decimal
  readonly gainLoss: Decimal
}

/**
 * What a closing is for the forms:
 * - Sale: a Form 1099-B.
 * - NoForm: on Form 8949 alone, as a distribution beyond the cost, which Form 1099-DIV tells (Publication 550,
 *   Nondividend Distributions), or shares of a money-market fund (26 CFR 1.6045-1(c)(3)(vi)).
 * - Section1256: an option on a broad index, in the aggregate of boxes 8 to 11 and on Form 6781 (26 USC 1256(b)(1)(C)).
 * - None: an option that became the basis or the proceeds of shares (Publication 550, Options), and a money-market fund
 *   without a gain. An option that settles in cash is sold for that cash (26 USC 1234(c)(2)), also when there is no
 *   gain.
 *
 * A short-term obligation that is retired has no Form 1099-B (26 CFR 1.6045-1(c)(3)), unless a state or municipality
 * issued it. Its discount is interest, which Form 1099-INT reports (Publication 1212, Short-Term Obligations Redeemed
 * at Maturity; 26 USC 1271(a)(3) and (4)). A premium that the holder paid is a loss, which is on Form 8949 alone.
 */
type FormOfClosing = 'Sale' | 'NoForm' | 'Section1256' | 'None'

function formOfClosing(
  { closing, gainLoss }: RealizedGain,
  security: TaxedSecurity,
  delivered: boolean,
): FormOfClosing {
  if (delivered && isExercise(closing)) return 'None'
  if (security.kind === 'IndexOption') return 'Section1256'
  if (security.moneyMarket) return gainLoss === ZERO ? 'None' : 'NoForm'
  if (isRetirement(closing) && isTaxableShortTermDebt(security)) return gainLoss < 0n ? 'NoForm' : 'None'
  return closing.kind === 'ReturnOfCapital' ? 'NoForm' : 'Sale'
}

/** An exercise or an assignment, which the underlying or cash settles. */
export function isExercise({ kind }: Pick<RealizedGain['closing'], 'kind'>): boolean {
  return kind === 'Exercise' || kind === 'Assignment'
}

function isTaxableShortTermDebt(security: TaxedSecurity): boolean {
  return isShortTermDebt(security) && namedDebt(security.secTypeName) !== 'Municipal'
}

function isRetirement({ kind }: RealizedGain['closing']): boolean {
  return kind === 'Maturity' || kind === 'Redemption'
}

const boxes = {
  Short: { covered: 'A', noncovered: 'B', noForm: 'C' },
  Long: { covered: 'D', noncovered: 'E', noForm: 'F' },
} as const

const various = 'VARIOUS'

/** Turns the gains of a year, with those of one line adjacent, into rows and totals. */
export class TaxYear {
  readonly #recipient: ExemptRecipient
  readonly #totals = new Map<Form8949Box, BoxTotals>()
  #open: SaleRow[] = []
  #section1256: Decimal = ZERO

  constructor(recipient: ExemptRecipient) {
    this.#recipient = recipient
  }

  /**
   * Adds one gain. Returns the complete rows, which are those of earlier lines. `delivered`: its line delivers
   * another security.
   */
  add(gain: RealizedGain, security: TaxedSecurity, delivered: boolean): SaleRow[] {
    const form = this.#formOf(gain, security, delivered)
    // Wash sales do not exist for these contracts (26 USC 1256(f)(5)): an earlier loss counted in full and is not part
    // of the cost.
    if (form === 'Section1256') this.#section1256 += gain.gainLoss + gain.washAdded
    if (form === 'Section1256' || form === 'None') return []
    const row = rowOf(gain, security, form)
    const whole = this.#open[0]?.closedBy === row.closedBy ? [] : this.end()
    const at = this.#open.findIndex((other) => isOneRow(other, row))
    if (at < 0) this.#open.push(row)
    else this.#open[at] = join(this.#open[at] as SaleRow, row)
    return whole
  }

  /** The rows of the last line. */
  end(): SaleRow[] {
    const whole = this.#open
    this.#open = []
    for (const row of whole) this.#count(row)
    return whole
  }

  /** By box, those that have rows. */
  totals(): BoxTotals[] {
    return [...this.#totals.values()].sort((a, b) => (a.box < b.box ? -1 : 1))
  }

  /** Profit or loss realized on closed contracts, box 8 of Form 1099-B. */
  get section1256(): Decimal {
    return this.#section1256
  }

  /** A sale for an exempt recipient has no form, and is on Form 8949 alone. */
  #formOf(gain: RealizedGain, security: TaxedSecurity, delivered: boolean): FormOfClosing {
    const form = formOfClosing(gain, security, delivered)
    if (form !== 'Sale') return form
    return this.#recipient.hasForm(security, gain.closing.openDate, !gain.noCost) ? 'Sale' : 'NoForm'
  }

  #count(row: SaleRow): void {
    const { box, proceeds, cost, washDisallowedAmt, gainLoss } = row
    const sums = this.#totals.get(box)
    this.#totals.set(box, {
      box,
      count: (sums?.count ?? 0) + 1,
      proceeds: (sums?.proceeds ?? ZERO) + proceeds,
      cost: (sums?.cost ?? ZERO) + cost,
      washDisallowedAmt: (sums?.washDisallowedAmt ?? ZERO) + washDisallowedAmt,
      gainLoss: (sums?.gainLoss ?? ZERO) + gainLoss,
    })
  }
}

function rowOf(gain: RealizedGain, security: TaxedSecurity, form: 'Sale' | 'NoForm'): SaleRow {
  const { closing, noCost } = gain
  const short = isShort(gain)
  const covered = isCovered(security, closing.openDate, !noCost)
  const byForm = form === 'NoForm' ? 'noForm' : covered ? 'covered' : 'noncovered'
  return {
    box: boxes[closing.term][byForm],
    security,
    term: closing.term,
    covered,
    quantity: short ? -closing.quantity : closing.quantity,
    short,
    // The date acquired of a short sale is the day on which the shares that close it are bought (box 1b).
    dateAcquired: short ? closing.closeDate : closing.openDate,
    dateSold: dateSold(gain, security),
    ...salesAmounts(gain, security, short),
    noCost,
    code: codeOf(gain.washDisallowedAmt),
    washDisallowedAmt: gain.washDisallowedAmt,
    gainLoss: gain.gainLossAllowed,
    closedBy: closing.lineId,
  }
}

/**
 * Boxes 1d and 1e. A short sale has the cash that it brought, even if the cost of the shares that close it is unknown.
 * Its cost is that of the cover, and the losses that earlier wash sales moved into it. A written option has the premium
 * less the amount paid to close it, negative for a loss, and no other cost (Instructions for Form 1099-B, box 1d; 26
 * CFR 1.6045-1(d)(5) and (m); T.D. 9616, 78 FR 23116).
 */
function salesAmounts(
  gain: RealizedGain,
  { kind }: Pick<TaxedSecurity, 'kind'>,
  short: boolean,
): Pick<SaleRow, 'proceeds' | 'cost'> {
  const { proceeds, cost, washAdded, shortProceeds, noCost } = gain
  if (!short) return { proceeds, cost }
  if (isOption(kind) && !noCost) return { proceeds: shortProceeds + proceeds, cost: washAdded }
  return { proceeds: shortProceeds, cost: washAdded - proceeds }
}

/** The amounts of a closing as Form 1099-B states them. The gain is that of the closing. */
export function statedGain(gain: RealizedGain, security: Pick<TaxedSecurity, 'kind'>): GainSums {
  return { ...gain, ...salesAmounts(gain, security, isShort(gain)) }
}

/**
 * The date of box 1c, which also determines the year. A short sale is not reported until the security that closes it is
 * delivered, with a gain as with a loss: Form 1099-B, Instructions for Recipient, box 1c; Instructions for Form 1099-B,
 * Short sales; 26 CFR 1.1233-1(a)(1) and (4); Instructions for Form 8949, column (c). The grantor of an option delivers
 * nothing in a closing transaction (26 USC 1234(b)).
 */
export function dateSold(
  { closing }: Pick<RealizedGain, 'closing'>,
  { kind }: Pick<TaxedSecurity, 'kind'>,
): string {
  return closing.kind === 'Cover' && !isOption(kind) ? closing.settleDate : closing.closeDate
}

/** If cash came without a surrender of shares, only the sign of the amount shows its direction. */
function isShort({ closing, proceeds }: RealizedGain): boolean {
  return (closing.quantity === ZERO ? proceeds : closing.quantity) < 0n
}

/**
 * A line sells from one side on one day. A merger pays cash for shares of one security, and cash in lieu for those of
 * another: they are two rows.
 */
function isOneRow(a: SaleRow, b: SaleRow): boolean {
  return a.box === b.box && a.noCost === b.noCost && a.security.secNo === b.security.secNo
}

function join(a: SaleRow, b: SaleRow): SaleRow {
  const washDisallowedAmt = a.washDisallowedAmt + b.washDisallowedAmt
  return {
    ...a,
    quantity: a.quantity + b.quantity,
    dateAcquired: a.dateAcquired === b.dateAcquired ? a.dateAcquired : various,
    proceeds: a.proceeds + b.proceeds,
    cost: a.cost + b.cost,
    code: codeOf(washDisallowedAmt),
    washDisallowedAmt,
    gainLoss: a.gainLoss + b.gainLoss,
  }
}

function codeOf(washDisallowedAmt: Decimal): SaleRow['code'] {
  return washDisallowedAmt === ZERO ? '' : 'W'
}
