/** The account's value at the ends of the last twelve months, from the books. */
import { useQueries } from '@tanstack/react-query'
import { call } from '../client.ts'
import { useToday } from '../design/service-clock.ts'
import { Empty, Loading } from '../design/states.tsx'
import { Values } from './charts.tsx'

const monthsShown = 12
const pointsMin = 5

/** The last days of the months before that of `today`, the oldest first. */
function monthEnds(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: monthsShown }, (_, index) =>
    new Date(Date.UTC(year, month - monthsShown + index, 0)).toISOString().slice(0, 10),
  )
}

export function ValueOverTime({ accountNumber }: { readonly accountNumber: string }) {
  const today = useToday()
  const reads = useQueries({
    queries: monthEnds(today).map((asOf) => ({
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
  if (values.length < pointsMin) return <Empty what="The books have no earlier days." />
  return <Values values={values} />
}
