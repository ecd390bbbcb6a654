/** list-failures: failures that wait for a person, grouped by cause. */
import { readFailures } from '../store/failures.ts'
import type { Handler } from './context.ts'

export const listFailures: Handler<'list-failures'> = async (_request, { tx }) => ({
  failures: (await readFailures(tx)).map((row) => ({
    source: row.source,
    cause: row.cause,
    target: row.target,
    webhookId: row.webhook,
    webhookName: row.webhook_name,
    count: Number(row.count),
    oldestOn: row.oldest,
    example: row.example,
  })),
})
