/**
 * Which positions of an account the feed itself has paid for an announced action. The feed can credit the cash to
 * another account type than that of the position, or pay several account types with one line. Books 10.
 */
import { abs, type Decimal, decimal, sum, ZERO } from '../../decimal.ts'
import type { AcctType, TransType } from '../activity.ts'
import type { EntitledPosition } from './announcement.ts'

export interface FeedPayment {
  readonly externalId: string
  readonly acctType: AcctType
  readonly transType: TransType
  readonly quantity: Decimal
  readonly netAmount: Decimal
  /** Whether it is a payment of another announcement. */
  readonly isOfOther: boolean
}

export interface PayablePosition extends EntitledPosition {
  /** The cash that the action pays for the position; negative if the position pays it. */
  readonly cash: Decimal
}

export interface PaidByFeed {
  /** By account type: the line that counts instead of those of the announcement. */
  readonly lines: ReadonlyMap<AcctType, string>
  /** The first line that pays cash and belongs to no position. */
  readonly unmatched: string | undefined
}

/** Kinds whose lines need no position in their account type. */
const CASH: ReadonlySet<TransType> = new Set<TransType>(['Dividend', 'CapitalGain', 'Interest'])
const cent = decimal('0.01')

/**
 * A line belongs to the position of its own account type if it has the quantity or the cash of this position. Otherwise
 * it belongs to another position, or to several together, whose quantity or cash it has. A line that has neither
 * belongs to the position of its account type.
 */
export function matchPayments(
  payments: readonly FeedPayment[],
  positions: readonly PayablePosition[],
): PaidByFeed {
  const lines = new Map<AcctType, string>()
  const left = new Set(payments)
  const unpaid = () => positions.filter(({ acctType, quantity }) => quantity !== ZERO && !lines.has(acctType))
  const take = (payment: FeedPayment, paid: readonly PayablePosition[] | undefined) => {
    if (paid === undefined) return
    left.delete(payment)
    for (const { acctType } of paid) lines.set(acctType, payment.externalId)
  }
  const isOf = ({ acctType }: FeedPayment) => {
    return (position: PayablePosition) => position.acctType === acctType
  }
  for (const payment of left) {
    const own = unpaid().filter(isOf(payment))
    take(payment, own.length > 0 && (hasQuantity(payment, own) || hasCash(payment, own)) ? own : undefined)
  }
  for (const payment of left) {
    const others = unpaid().map((position) => [position])
    const byQuantity = others.find((some) => hasQuantity(payment, some))
    // The cash of its own account type may be less a tax, and then be that of another position by chance.
    const mayBeLess = unpaid().some(isOf(payment))
    take(payment, byQuantity ?? (mayBeLess ? undefined : others.find((some) => hasCash(payment, some))))
  }
  for (const payment of left) {
    const together = severalOf(unpaid())
    take(
      payment,
      together.find((some) => hasQuantity(payment, some)) ?? together.find((some) => hasCash(payment, some)),
    )
  }
  const inParts = new Set(unpaid().map(({ acctType }) => acctType))
  for (const { acctType, externalId } of left) if (!lines.has(acctType)) lines.set(acctType, externalId)
  const unmatched = [...left].find(
    (payment) => paysCash(payment) && !payment.isOfOther && !inParts.has(payment.acctType),
  )
  return { lines, unmatched: unmatched?.externalId }
}

function paysCash({ transType, netAmount }: FeedPayment): boolean {
  return CASH.has(transType) && netAmount !== ZERO
}

function hasQuantity(payment: FeedPayment, positions: readonly PayablePosition[]): boolean {
  const quantity = sum(positions.map((position) => position.quantity))
  const hasSign = payment.netAmount > ZERO ? quantity > ZERO : quantity < ZERO
  return paysCash(payment) && hasSign && abs(payment.quantity) === abs(quantity)
}

function hasCash(payment: FeedPayment, positions: readonly PayablePosition[]): boolean {
  const cash = sum(positions.map((position) => position.cash))
  return paysCash(payment) && cash !== ZERO && abs(payment.netAmount - cash) <= cent
}

/** All positions together, and then each two of three. */
function severalOf(positions: readonly PayablePosition[]): (readonly PayablePosition[])[] {
  if (positions.length < 2) return []
  if (positions.length === 2) return [positions]
  return [positions, ...positions.map((without) => positions.filter((position) => position !== without))]
}
