/** Securities whose positions at depositories and custodian banks differ from the customers' settled positions. */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Listed } from '../design/listed.tsx'
import { Quantity } from '../design/money.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { renderDay } from '../design/time.tsx'
import { usePages } from '../reads.ts'

type Difference = Answered<'list-location-differences'>['differences'][number]

export function LocationsScreen() {
  const pages = usePages('list-location-differences', 'differences', {})
  const day = pages.data?.pages[0]?.businessDate
  return (
    <Page
      title="Locations"
      note="The reports of depositories, custodian banks and clearing houses for the business day, beside the settled positions of the customers."
    >
      <Panel title="Differences" {...(day === undefined ? {} : { note: renderDay(day) })} flush>
        <Listed
          label="Differences with locations"
          pages={pages}
          columns={columns}
          keyOf={({ secNo }) => secNo}
          empty={`No report${day === undefined ? '' : ` for ${renderDay(day)}`} differs from the positions, or no report has come.`}
          emptyHint="Positions can be compared only with a report for the day."
        />
      </Panel>
    </Page>
  )
}

const columns: readonly Column<Difference>[] = [
  {
    key: 'security',
    header: 'Security',
    by: ({ symbol, secNo }) => symbol || secNo,
    cell: ({ symbol, secNo }) => (
      <Link to="/books/stock-record" search={() => ({ security: symbol || secNo })}>
        {symbol || secNo}
      </Link>
    ),
  },
  { key: 'description', header: 'Description', cell: ({ description }) => description },
  { key: 'booked', header: 'Customers', right: true, cell: ({ booked }) => <Quantity of={booked} /> },
  { key: 'reported', header: 'Locations', right: true, cell: ({ reported }) => <Quantity of={reported} /> },
  {
    key: 'difference',
    header: 'Difference',
    right: true,
    by: ({ difference }) => Number(difference),
    cell: ({ difference }) => <Quantity of={difference} />,
  },
  {
    key: 'locations',
    header: 'By location',
    cell: ({ locations }) =>
      locations.map(({ location, quantity }) => (
        <div key={location}>
          {location} <Quantity of={quantity} />
        </div>
      )),
  },
]
