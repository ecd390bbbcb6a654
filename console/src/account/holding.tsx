/** What positions and lots have in common: held away or not, known cost, factor. Costs are in US dollars. */
import type { ReactNode } from 'react'
import type { Answered } from '../client.ts'
import { Money, Quantity, renderDecimal } from '../design/money.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'

export type Holding = Answered<'position-summary'>['portfolios'][number]

/** Whether another custodian holds the position. Such a position is a row of its own. */
function isHeldAway({ quantity, unrealizedGainLoss }: Holding): boolean {
  return Number(quantity) !== 0 && Number(unrealizedGainLoss.safekeepFirmQuantity) === 0
}

export function keyOfHolding(holding: Holding): string {
  const { acctType, secNo, currency } = holding
  return `${acctType} ${secNo} ${currency}${isHeldAway(holding) ? ' away' : ''}`
}

/** Marks a position that is no part of the custody of the firm. */
export function HeldAway({ of: holding }: { readonly of: Holding | undefined }) {
  return holding !== undefined && isHeldAway(holding) && <Status of="Held away" tone="quiet" />
}

/** The quantity; for a pool that has repaid a part, with the factor by which its value is computed. */
export function QuantityHeld({ of: { quantity, currentFactor } }: { readonly of: Holding }) {
  return (
    <>
      <Quantity of={quantity} />
      {Number(currentFactor) !== 1 && <div className="quiet">factor {renderDecimal(currentFactor)}</div>}
    </>
  )
}

/** A column of amounts that follow from the cost. The service answers 0 for an unknown cost. */
export function costColumn(
  key: string,
  header: string,
  amountOf: (holding: Holding) => string | number,
): Column<Holding> {
  return {
    key,
    header: `${header}, USD`,
    right: true,
    by: (holding) => Number(amountOf(holding)),
    cell: (holding) => ofCost(holding, <Money amount={amountOf(holding)} />),
  }
}

function ofCost({ unrealizedGainLoss: { noCost, noCostLot } }: Holding, amount: ReactNode): ReactNode {
  if (noCost === 'Y') return <span className="quiet">unknown</span>
  if (noCostLot !== 'Y') return amount
  return (
    <>
      {amount}
      <div className="quiet">lots of unknown cost left out</div>
    </>
  )
}
