/** Closes business days in the sandbox, each in its evening. Accepts all open items. */
import type { RunningService } from '../acceptance/running-service.ts'

const closedWithinMs = 120_000
const askedEveryMs = 50

export async function closeDays(service: RunningService, count: number): Promise<void> {
  const { operations } = service.operations
  for (let closed = 0; closed < count; closed += 1) {
    const { businessDate } = (await operations.getOverview({})).data
    // The service refuses this when the clock is already there.
    await service.alpha.sandbox.setClock({ now: `${businessDate}T22:00:00Z` }).catch(() => undefined)
    await operations.closeBusinessDay({ date: businessDate, acceptOpen: { reason: 'The desk knows of it.' } })
    const end = performance.now() + closedWithinMs
    while ((await operations.getOverview({})).data.lastClose?.closedDate !== businessDate) {
      if (performance.now() > end) throw new Error(`${businessDate} was not closed`)
      await new Promise((resolve) => setTimeout(resolve, askedEveryMs))
    }
  }
}
