/** freeze-clock: stops the sandbox's clock, or lets it continue from its time. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderClock } from '../sandbox/clock-request.ts'
import { controlsOf } from '../sandbox/controls.ts'
import { writeAudit } from '../store/audit.ts'
import type { Handler } from './context.ts'

export const freezeClock: Handler<'freeze-clock'> = async ({ frozen = true }, context) => {
  const { mover } = controlsOf(context)
  if (mover.moving) {
    return new Rejected(
      [reject('ERR.2009', '', 'The clock is being advanced; stop it when the advance has ended.')],
      undefined,
      2,
    )
  }
  const now = await mover.freeze(frozen)
  writeAudit({ ...context, now }, { action: 'freeze-clock', changes: { frozen, now: now.toISOString() } })
  return renderClock(context, now)
}
