/**
 * The five key figures of an account. The place of figures that are loading is kept, so that the tabs below do not
 * move. A figure whose read has failed is not available; the others stay.
 */
import type { CSSProperties } from 'react'
import { useFilters } from '../address.ts'
import { Button } from '../design/button.tsx'
import { canBeRepeated } from '../design/fault.ts'
import { Money, renderDecimal } from '../design/money.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

interface Figure {
  readonly label: string
  readonly amount: string | number | undefined
  readonly state: 'read' | 'loading' | 'failed'
  readonly isBad?: boolean
}

const read = { keep: true }

export function KeyFigures({ accountNumber }: TabProps) {
  // The positions of a past day are shown below the figures of now.
  const [{ tab, asOf }] = useFilters()
  const when = tab === 'positions' && asOf ? ' now' : ''
  const positionsRead = useRead('position-summary', { accountNumber }, read)
  const balancesRead = useRead('balance-summary', { accountNumber }, read)
  const { data: positions } = positionsRead
  const { data: balances } = balancesRead
  // An application has no figures: the service rejects the request.
  if (positions === undefined && positionsRead.error && !canBeRepeated(positionsRead.error)) return null
  const due = balances === undefined ? undefined : largest(Object.values(balances.openCall))
  const figures: readonly Figure[] = [
    { label: 'Account value', amount: positions?.totalAccountValue, state: stateOf(positionsRead) },
    { label: 'Cash', amount: positions?.totalCash, state: stateOf(positionsRead) },
    { label: 'Unrealized gain', amount: positions?.gainLoss, state: stateOf(positionsRead) },
    { label: 'Buying power', amount: positions?.buyingPower, state: stateOf(positionsRead) },
    { label: 'Largest call', amount: due, state: stateOf(balancesRead), isBad: Number(due) > 0 },
  ]
  const failed = [positionsRead, balancesRead].filter((one) => stateOf(one) === 'failed')
  const isLoading = figures.some(({ state }) => state === 'loading')
  return (
    // biome-ignore lint/a11y/useSemanticElements: the figures are a group, no set of fields
    <div className="figures" role="group" aria-label="Key figures" aria-busy={isLoading}>
      {figures.map(({ label, amount, state, isBad = false }) => (
        <div key={label}>
          <span className="quiet">{`${label}${when}, USD`}</span>
          <strong className={isBad ? 'late' : undefined} style={widthOf(amount)}>
            {amount === undefined ? (
              <span className="quiet">{withoutAmount[state]}</span>
            ) : (
              <Money amount={amount} />
            )}
          </strong>
        </div>
      ))}
      {failed.length > 0 && (
        <div>
          <Button variant="default" onClick={() => failed.forEach((one) => void one.refetch())}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** Tells the styles how long the amount is. */
function widthOf(amount: string | number | undefined): CSSProperties | undefined {
  const style: Record<string, number> = { '--characters': renderDecimal(amount ?? '', 2).length }
  return amount === undefined ? undefined : style
}

const withoutAmount = { read: 'none', loading: '…', failed: 'not available' } as const

function stateOf({
  data,
  isPending,
}: {
  readonly data: unknown
  readonly isPending: boolean
}): Figure['state'] {
  return data !== undefined ? 'read' : isPending ? 'loading' : 'failed'
}

/** Amounts are compared as numbers and shown as the service wrote them. */
function largest(amounts: readonly (string | number)[]): string | number | undefined {
  return amounts.reduce<string | number | undefined>(
    (most, amount) => (most === undefined || Number(amount) > Number(most) ? amount : most),
    undefined,
  )
}
