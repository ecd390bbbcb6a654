/** Columns of entitlements, of a corporate action and of an account. */
import { Link } from '@tanstack/react-router'
import { labelOf } from '../design/codes.ts'
import { Money, Quantity, renderDecimal } from '../design/money.tsx'
import { reasonInWords } from '../design/reasons.ts'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import type { Entitlement } from './action.ts'

/** The latest day on which a line can have been processed is today or the business date. */
export function entitlementColumns(latestDay: string): readonly Column<Entitlement>[] {
  return [
    {
      key: 'acctType',
      header: 'Account type',
      by: ({ acctType }) => acctType,
      cell: ({ acctType }) => labelOf('activityAcctType', acctType),
    },
    {
      key: 'quantity',
      header: 'Quantity',
      right: true,
      by: ({ quantity }) => Number(quantity),
      cell: ({ quantity }) => <Quantity of={quantity} />,
    },
    { key: 'election', header: 'Election', cell: (row) => <Election of={row} /> },
    {
      key: 'state',
      header: 'State',
      by: ({ state }) => state,
      cell: (row) => (
        <>
          <Status of={row.state} />
          <div className="quiet">
            <Reason of={row} />
          </div>
        </>
      ),
    },
    {
      key: 'lines',
      header: 'Lines',
      cell: ({ accountNumber, lines }) =>
        lines.map((line) => (
          <div key={line.externalId}>
            <Link
              to={`/accounts/${accountNumber}`}
              search={() => ({
                tab: 'activity',
                kind: 'other',
                from: line.tradeDate,
                to: line.tradeDate > latestDay ? line.tradeDate : latestDay,
              })}
              title="Activity of the account from the day of the line"
            >
              {labelOf('transType', line.transType)}
            </Link>{' '}
            {line.netAmount !== '' && <Money amount={line.netAmount} />}
            <div className="mono quiet">{line.externalId}</div>
          </div>
        )),
    },
  ]
}

function Election({ of: { elections, electedBy, electedOn } }: { readonly of: Entitlement }) {
  return (
    <>
      {elections.map(({ option, quantity, void: reason }) => (
        <div key={`${option} ${quantity}`}>
          {quantity === '' ? 'All that are left' : renderDecimal(quantity)} × {option}
          {reason !== '' && (
            <div>
              <Status of="Void" tone="attention" /> <span className="quiet">{reason}</span>
            </div>
          )}
        </div>
      ))}
      {elections.length > 0 && (
        <div className="quiet">
          {electedBy} <Time at={electedOn} />
        </div>
      )}
    </>
  )
}

function Reason({ of: { state, reason } }: { readonly of: Entitlement }) {
  switch (state) {
    case 'ByFeed':
      return (
        <>
          The feed reported the action in <span className="mono">{reason}</span>.
        </>
      )
    case 'Booked':
      return reason === '' ? null : (
        <>
          The line <span className="mono">{reason}</span> of the feed may pay the same.
        </>
      )
    case 'Nothing':
      return 'No position, or the option that changes nothing.'
    default:
      return reasonInWords(reason)
  }
}
