/** The columns of overdue calls: the amount that meets each call now, and the day on which positions are sold. */
import type { ReactNode } from 'react'
import type { Answered } from '../client.ts'
import { Money } from '../design/money.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { type Call, callColumns } from './call-columns.tsx'

type OpenCall = Answered<'balance-summary'>['calls'][number]

interface NowProps {
  readonly call: Call
  readonly show: (open: OpenCall) => ReactNode
}

/** The call by the account's current figures. A deposit since the last close may have met it. */
function Now({ call: { accountNumber, kind, issuedOn }, show }: NowProps) {
  const { data } = useRead('balance-summary', { accountNumber })
  if (data === undefined) return null
  const open = data.calls.find((one) => one.kind === kind && one.issuedOn === issuedOn)
  return open === undefined ? <span className="quiet">met</span> : show(open)
}

const shared = ['kind', 'due', 'age']

export const liquidationColumns: readonly Column<Call>[] = [
  ...callColumns.filter(({ key }) => shared.includes(key)),
  {
    key: 'deposit',
    header: 'Deposit, USD',
    right: true,
    cell: (call) => <Now call={call} show={({ outstanding }) => <Money amount={outstanding} />} />,
  },
  {
    key: 'sell',
    header: 'Or sell, USD',
    right: true,
    cell: (call) => (
      <Now
        call={call}
        show={({ sellAmount }) => (sellAmount === null ? 'not enough held' : <Money amount={sellAmount} />)}
      />
    ),
  },
  {
    key: 'sellOut',
    header: 'Liquidation',
    cell: (call) => (
      <Now call={call} show={({ sellOutOn }) => (sellOutOn === null ? 'none' : <Day on={sellOutOn} />)} />
    ),
  },
]
