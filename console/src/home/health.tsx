/** The health of the service in one line. */
import { useQuery } from '@tanstack/react-query'
import type { Answered } from '../client.ts'
import { countOf } from '../design/count.ts'
import { Status } from '../design/status.tsx'
import { renderAge } from '../design/time.tsx'

const readyEveryMs = 30_000

export function Health({ health }: { readonly health: Answered<'get-overview'>['health'] }) {
  const { jobsWaiting, oldestJobSeconds, deliveriesWaiting, loadsRunning } = health
  const oldest = oldestJobSeconds === 0 ? '' : ` (the oldest ${renderAge(oldestJobSeconds * 1_000)})`
  return (
    <p className="health quiet">
      Service <Ready /> · {countOf(jobsWaiting, 'job')} waiting{oldest},{' '}
      {countOf(deliveriesWaiting, 'delivery', 'deliveries')} waiting, {countOf(loadsRunning, 'load')} running.
    </p>
  )
}

/** The result of the service's own check of its components. */
function Ready() {
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) =>
      (await (await fetch('/health/ready', { signal })).json()) as { reason?: string },
    refetchInterval: readyEveryMs,
  })
  if (ready.isError) return <Status of="Not reachable" tone="bad" />
  if (ready.data === undefined) return null
  const { reason } = ready.data
  return reason === undefined ? <Status of="Ready" tone="good" /> : <Status of={reason} tone="bad" />
}
