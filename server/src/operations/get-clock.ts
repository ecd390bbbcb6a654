/** get-clock: the sandbox's time and its open business day. */
import type { Handler } from './context.ts'
import { renderClock } from './sandbox-clock.ts'

export const getClock: Handler<'get-clock'> = (_request, context) => renderClock(context)
