/** Terms that only some lines have, in one column: of a corporate action, a transfer or a pool. */
import type { ActivityLine } from '@clearing/domain/books'
import { decimal, renderDecimal } from '@clearing/domain/decimal'
import { quotedCell } from './bulk.ts'

export interface Terms {
  readonly openDate?: string
  readonly cost?: string
  readonly ratio?: readonly [received: string, held: string]
  readonly signedByRatio?: true
  readonly pairs?: true
  readonly soldShort?: true
  readonly besideShares?: true
  readonly startOfDay?: true
  readonly cashPerShare?: string
  readonly costShare?: string
  readonly taxable?: true
  readonly inherited?: true
  readonly cashInLieu?: string
  /** The factor of a pool on the day of entry. */
  readonly factor?: string
}

export function renderTerms(line: ActivityLine): string | null {
  const { openDate, cost, ratio, cashPerShare, costShare, cashInLieu, security } = line
  const { signedByRatio, pairs, soldShort, besideShares, startOfDay, taxable, inherited } = line
  const pooled = security !== undefined && security.factor !== decimal('1')
  if (
    !pooled &&
    openDate === undefined &&
    cost === undefined &&
    ratio === undefined &&
    pairs === undefined &&
    besideShares === undefined &&
    startOfDay === undefined &&
    cashPerShare === undefined &&
    costShare === undefined &&
    taxable === undefined &&
    inherited === undefined &&
    cashInLieu === undefined
  ) {
    return null
  }
  const text = (value: bigint | undefined) => (value === undefined ? undefined : renderDecimal(value))
  return quotedCell(
    JSON.stringify({
      openDate,
      cost: text(cost),
      ratio: ratio === undefined ? undefined : [renderDecimal(ratio.received), renderDecimal(ratio.held)],
      signedByRatio,
      pairs,
      soldShort,
      besideShares,
      startOfDay,
      cashPerShare: text(cashPerShare),
      costShare: text(costShare),
      taxable,
      inherited,
      cashInLieu: text(cashInLieu),
      factor: pooled ? renderDecimal(security.factor) : undefined,
    }),
  )
}
