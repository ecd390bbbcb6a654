/** A webhook of Alpha whose deliveries fail, as Home shows it. */
import { until } from '../../server/src/database/test-waiting.ts'
import type { RunningService } from '../acceptance/running-service.ts'
import { waitingApplication } from './waiting-work.ts'

/** Nothing listens there. */
const url = 'http://127.0.0.1:9/clearing'
const attempts = 4

/** Returns the id of the webhook. The next attempt comes after the test. */
export async function makeFailingWebhook({ alpha, query, eventsReported }: RunningService): Promise<string> {
  // A webhook begins at the events that are reported, so it would also send older ones.
  await eventsReported()
  const { webhookId } = (
    await alpha.createWebhook({ url, types: ['application.*'], description: 'Order desk' })
  ).data
  await waitingApplication(alpha)
  const failed = async () =>
    (
      await query(
        `update clearing.webhook_delivery set attempt_count = $2, next_attempt_at = now() + interval '1 hour'
         where webhook_id = $1 and attempt_count > 0`,
        [webhookId, attempts],
      )
    ).rowCount
  await until('the first attempt fails', async () => (await failed()) === 1)
  return webhookId
}
