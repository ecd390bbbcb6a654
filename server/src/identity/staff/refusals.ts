/**
 * Refused sign-ins in the clearing firm's audit trail. Their number per person and hour is limited, so that
 * an attacker cannot fill the trail; the log contains all of them. The typed name is not stored, because it
 * may be a password.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { countOnce } from '../../store/counted-guesses.ts'
import { clearingFirmId } from '../../store/firms.ts'

export interface RefusedSignIn {
  /** The person, if one has the typed name. */
  readonly email: string | undefined
  readonly address: string
  readonly why: string
}

/** The limits for one person, and for all unknown names together. */
const refusalsAnHourMax = { known: 20, unknown: 60 } as const

export function noteRefusal(operations: Pool, now: Date, refused: RefusedSignIn): Promise<void> {
  return inTransaction(operations, { firm: null }, async (tx) => {
    const { email, address, why } = refused
    const most = email === undefined ? refusalsAnHourMax.unknown : refusalsAnHourMax.known
    const hour = now.toISOString().slice(0, 13)
    const count = await countOnce(tx, `refused ${hour} ${email ?? ''}`, now)
    if (count > most) return
    const detail = {
      address,
      why,
      ...(count === most ? { more: 'Further refusals of this hour are in the log.' } : {}),
    }
    const row = { actor: 'sign-in', action: 'sign-in-refused', target: email ?? '', traceId: '', detail }
    writeAuditRow(tx, { firmId: clearingFirmId, at: now, ...row })
  })
}
