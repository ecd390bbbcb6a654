/** The interest that closes accrued on the debit of an account, and the nights that they computed again. */
import type { Answered } from '../client.ts'
import { Listed } from '../design/listed.tsx'
import { Money, renderDecimal } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { usePages } from '../reads.ts'

type Interest = Answered<'list-margin-interest'>['interest'][number]

const columns: readonly Column<Interest>[] = [
  {
    key: 'nights',
    header: 'Nights from',
    by: ({ ofDate }) => ofDate,
    cell: ({ nights }) =>
      nights.map(({ from, nights: count }) => (
        <div key={from}>
          <Day on={from} /> <span className="quiet">{count === 1 ? '1 night' : `${count} nights`}</span>
        </div>
      )),
  },
  {
    key: 'debit',
    header: 'Debit, USD',
    right: true,
    cell: ({ debit, debitBefore }) => (
      <>
        <Money amount={debit} />
        {debitBefore !== null && (
          <div className="quiet">
            instead of <Money amount={debitBefore} />
          </div>
        )}
      </>
    ),
  },
  {
    key: 'rate',
    header: 'Rate',
    right: true,
    cell: ({ nights }) => nights.map(({ from, rate }) => <div key={from}>{renderDecimal(rate)} %</div>),
  },
  {
    key: 'interest',
    header: 'Interest, USD',
    right: true,
    by: ({ interest }) => Number(interest),
    cell: ({ interest }) => <Money amount={interest} />,
  },
  {
    key: 'closed',
    header: 'Computed at the close of',
    by: ({ closeDate }) => closeDate,
    cell: ({ closeDate, ofDate }) => (
      <>
        <Day on={closeDate} />
        {closeDate !== ofDate && <div className="quiet">after later lines</div>}
      </>
    ),
  },
]

export function MarginInterestPanel({ accountNumber }: { readonly accountNumber: string }) {
  const pages = usePages('list-margin-interest', 'interest', { accountNumber })
  return (
    <Panel
      title="Interest"
      note="accrued at the closes of business days; each night: debit × rate ÷ 360, rounded to the cent"
      flush
    >
      <Listed
        label="Interest"
        pages={pages}
        keyOf={({ closeDate, ofDate }) => `${closeDate} ${ofDate}`}
        empty="No close has accrued interest."
        columns={columns}
      />
    </Panel>
  )
}
