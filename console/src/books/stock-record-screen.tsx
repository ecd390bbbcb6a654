/**
 * The holders of a security: every position of every firm, long and short. Together with the depository they add up to
 * zero.
 */
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { labelOf } from '../design/codes.ts'
import { Facts } from '../design/facts.tsx'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Quantity } from '../design/money.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty } from '../design/states.tsx'
import { usePages } from '../reads.ts'

export function StockRecordScreen() {
  const [{ security = '' }] = useFilters()
  return (
    <Page title="Stock record" note="The holders of a security, across all firms.">
      <Filters
        filters={[{ name: 'security', label: 'Symbol, CUSIP, ISIN, SEDOL or number', kind: 'text' }]}
      />
      {security === '' ? (
        <Panel title="Holders">
          <Empty what="Enter a security." />
        </Panel>
      ) : (
        <Record security={security} />
      )}
    </Page>
  )
}

function Record({ security }: { readonly security: string }) {
  const pages = usePages('stock-record', 'holders', { security })
  const record = pages.data?.pages[0]
  return (
    <>
      {record !== undefined && (
        <Panel title={record.symbol || record.secNo} note={record.description}>
          <Facts
            facts={[
              ['Number', record.secNo],
              ['CUSIP', record.cusip],
              ['Long', <Quantity key="long" of={record.longQuantity} />],
              ['Short', <Quantity key="short" of={record.shortQuantity} />],
            ]}
          />
        </Panel>
      )}
      <Panel title="Holders" flush>
        <Listed
          label="Holders"
          pages={pages}
          keyOf={({ accountNumber, acctType }, index) => `${accountNumber} ${acctType} ${index}`}
          empty="No account holds it."
          columns={[
            {
              key: 'account',
              header: 'Account',
              by: ({ accountNumber }) => accountNumber,
              cell: ({ accountNumber }) => (
                <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'positions' })}>
                  {accountNumber}
                </Link>
              ),
            },
            {
              key: 'name',
              header: 'Title',
              by: ({ accountName }) => accountName,
              cell: ({ accountName }) => accountName,
            },
            { key: 'firm', header: 'Firm', by: ({ firmName }) => firmName, cell: ({ firmName }) => firmName },
            {
              key: 'type',
              header: 'Type',
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
          ]}
        />
      </Panel>
    </>
  )
}
