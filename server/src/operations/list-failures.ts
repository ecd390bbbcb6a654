/** list-failures: failures that wait for a person, grouped by cause. */
import { readFailures } from '../store/failures.ts'
import type { Handler } from './context.ts'

export const listFailures: Handler<'list-failures'> = async (_request, { tx }) => ({
  failures: (await readFailures(tx)).map(({ source, cause, target, webhook, count, oldest, example }) => ({
    source,
    cause,
    target,
    webhookId: webhook,
    count: Number(count),
    oldestOn: oldest,
    example,
  })),
})
