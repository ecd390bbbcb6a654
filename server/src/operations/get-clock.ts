/** get-clock: the sandbox's time and its open business day. */

import { renderClock } from '../sandbox/clock-request.ts'
import type { Handler } from './context.ts'

export const getClock: Handler<'get-clock'> = (_request, context) => renderClock(context)
