/** The account's value at the ends of the last twelve months, from the books. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../client.ts'
import { canBeRepeated } from '../design/fault.ts'
import { useToday } from '../design/service-clock.ts'
import { Empty, Shown } from '../design/states.tsx'
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

/**
 * The months are read one after another. A past day of an account with many lines takes the service about a second, and
 * the other reads of the screen would wait for all of them.
 */
export function ValueOverTime({ accountNumber }: { readonly accountNumber: string }) {
  const today = useToday()
  const queries = useQueryClient()
  const read = useQuery({
    queryKey: ['position-summary', { accountNumber }, 'values', today],
    queryFn: async ({ signal }) => {
      const values: DayValue[] = []
      for (const asOf of monthEnds(today)) {
        if (signal.aborted) break
        const value = await queries.fetchQuery(valueAt(accountNumber, asOf, signal)).catch(noneIfRejected)
        if (value !== undefined) values.push(value)
      }
      return values
    },
    ...past,
  })
  return (
    <Shown read={read}>
      {(values) =>
        values.length < pointsMin ? (
          <Empty what="The books have no earlier days." />
        ) : (
          <Values values={values} />
        )
      }
    </Shown>
  )
}

/** A day that the service rejects has no value. Any other fault is one of the whole chart. */
function noneIfRejected(fault: unknown): undefined {
  if (canBeRepeated(fault)) throw fault
}

/** Changes of the service rarely concern past days, so that the days are not read again at each of them. */
const past = { staleTime: 60_000, meta: { isPast: true } }

interface DayValue {
  readonly day: string
  readonly value: string
}

function valueAt(accountNumber: string, asOf: string, signal: AbortSignal) {
  return {
    queryKey: ['position-summary', { accountNumber, asOf }, 'value'],
    queryFn: async (): Promise<DayValue> => {
      const { data } = await call('position-summary', { accountNumber, asOf }, { signal })
      return { day: asOf, value: data.totalAccountValue }
    },
    ...past,
  }
}
