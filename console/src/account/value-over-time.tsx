/** The account's value at the ends of the last twelve months and now, as the books have it. */
import { useQueries } from '@tanstack/react-query'
import { call } from '../client.ts'
import { Empty, Loading } from '../design/states.tsx'
import { Values } from './charts.tsx'

const monthsShown = 12
const pointsMin = 5

/** The last days of the months before `today`, the oldest first. */
export function monthEnds(today: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (count - 1 - index), 0))
      .toISOString()
      .slice(0, 10),
  )
}

export function ValueOverTime({ accountNumber }: { readonly accountNumber: string }) {
  const reads = useQueries({
    queries: monthEnds(new Date(), monthsShown).map((asOf) => ({
      queryKey: ['position-summary', { accountNumber, asOf }, 'value'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { data } = await call('position-summary', { accountNumber, asOf }, { signal })
        return { day: asOf, value: data.totalAccountValue }
      },
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  if (reads.some(({ isPending }) => isPending)) return <Loading />
  const values = reads.flatMap(({ data }) => (data === undefined ? [] : [data]))
  if (values.length < pointsMin) return <Empty what="The books do not reach back far enough." />
  return <Values values={values} />
}
