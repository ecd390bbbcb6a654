/**
 * The five key figures of an account. The place of figures that are loading is kept, so that the tabs below do not
 * move.
 */
import type { CSSProperties, ReactNode } from 'react'
import { useFilters } from '../address.ts'
import { Money, renderDecimal } from '../design/money.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

type Figure = readonly [label: string, amount: string | number | undefined, isBad?: boolean]

const read = { keep: true }

export function KeyFigures({ accountNumber }: TabProps) {
  // The positions of a past day are shown below the figures of now.
  const [{ tab, asOf }] = useFilters()
  const when = tab === 'positions' && asOf ? ' now' : ''
  const { data: positions, isPending } = useRead('position-summary', { accountNumber }, read)
  const { data: balances, isPending: isLate } = useRead('balance-summary', { accountNumber }, read)
  if (positions === undefined && !isPending) return null
  const due = balances === undefined ? undefined : largest(Object.values(balances.openCall))
  const figures: readonly Figure[] = [
    ['Account value', positions?.totalAccountValue],
    ['Cash', positions?.totalCash],
    ['Unrealized gain', positions?.gainLoss],
    ['Buying power', positions?.buyingPower],
    ['Largest call', due, Number(due) > 0],
  ]
  const isLoading = isPending || isLate
  return (
    // biome-ignore lint/a11y/useSemanticElements: the figures are a group, no set of fields
    <div className="figures" role="group" aria-label="Key figures" aria-busy={isLoading}>
      {figures.map(([label, amount, isBad = false]) => (
        <div key={label}>
          <span className="quiet">{`${label}${when}, USD`}</span>
          <strong className={isBad ? 'late' : undefined} style={widthOf(amount)}>
            {shown(amount, isLoading)}
          </strong>
        </div>
      ))}
    </div>
  )
}

/** Tells the styles how long the amount is. */
function widthOf(amount: string | number | undefined): CSSProperties | undefined {
  const style: Record<string, number> = { '--characters': renderDecimal(amount ?? '', 2).length }
  return amount === undefined ? undefined : style
}

function shown(amount: string | number | undefined, isLoading: boolean): ReactNode {
  return amount === undefined ? (
    <span className="quiet">{isLoading ? '…' : 'none'}</span>
  ) : (
    <Money amount={amount} />
  )
}

/** Amounts are compared as numbers and shown as the service wrote them. */
function largest(amounts: readonly (string | number)[]): string | number | undefined {
  return amounts.reduce<string | number | undefined>(
    (most, amount) => (most === undefined || Number(amount) > Number(most) ? amount : most),
    undefined,
  )
}
