/** The events of the account as its firm gets them, in their order. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../client.ts'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Time } from '../design/time.tsx'
import type { TabProps } from './account-screen.tsx'

export const EventsTab = ({ accountNumber }: TabProps) => {
  const read = useInfiniteQuery({
    queryKey: ['list-events', accountNumber],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(
          'list-events',
          { accountNumber, size: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          { signal },
        )
      ).data,
    initialPageParam: '',
    getNextPageParam: (page) => (page.more ? page.nextCursor : undefined),
  })
  const rows = useMemo(() => (read.data?.pages ?? []).flatMap(({ events }) => events), [read.data])
  const more = () => {
    if (read.hasNextPage && !read.isFetching) void read.fetchNextPage()
  }
  return (
    <Panel title="Events" note="as the firm pulls, streams or is sent them" flush>
      <Listed
        label="Events"
        pages={{ ...read, rows, more }}
        keyOf={({ id }) => id}
        empty="Nothing has happened to the account."
        columns={[
          { key: 'sequence', header: 'No.', right: true, cell: ({ sequence }) => sequence ?? '' },
          { key: 'time', header: 'When', cell: ({ time }) => <Time at={time} /> },
          { key: 'type', header: 'Event', cell: ({ type }) => <span className="mono">{type}</span> },
          {
            key: 'data',
            header: 'Data',
            cell: ({ data }) => (
              <span className="mono detail" title={JSON.stringify(data)}>
                {JSON.stringify(data)}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}
