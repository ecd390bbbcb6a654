/**
 * Refused sign-ins in the clearing firm's audit trail. Their number an hour is limited for each person, and for
 * unknown e-mail addresses for each network and for all, so that an attacker cannot fill the trail and one network
 * cannot use up the rows of the others. The log contains all of them. The typed name is not stored, because it may be
 * a password.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { countOnce } from '../../store/counted-guesses.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { networkOf } from './guesses.ts'

export interface RefusedSignIn {
  /** The person, if one has the typed name. */
  readonly email: string | undefined
  /** What was typed, if no person has the name. */
  readonly typed?: 'an unknown e-mail address' | 'not an e-mail address' | undefined
  readonly address: string
  readonly why: string
}

const refusalsAnHourMax = { ofPerson: 20, unknownFromNetwork: 20, unknown: 200 } as const

export function noteRefusal(operations: Pool, now: Date, refused: RefusedSignIn): Promise<void> {
  return inTransaction(operations, { firm: null }, async (tx) => {
    const { email, address, why, typed } = refused
    const hour = now.toISOString().slice(0, 13)
    let last = false
    for (const [key, most] of limitsOf(email, address)) {
      const count = await countOnce(tx, ['Refused sign-in', hour, ...key], now)
      if (count > most) return
      last ||= count === most
    }
    const detail = {
      address,
      why,
      ...(typed === undefined ? {} : { typed }),
      ...(last ? { more: 'Further refusals of this hour are in the log.' } : {}),
    }
    const row = { actor: 'sign-in', action: 'sign-in-refused', target: email ?? '', traceId: '', detail }
    writeAuditRow(tx, { firmId: clearingFirmId, at: now, ...row })
  })
}

function limitsOf(email: string | undefined, address: string): readonly [key: string[], most: number][] {
  const { ofPerson, unknownFromNetwork, unknown } = refusalsAnHourMax
  if (email !== undefined) return [[['person', email], ofPerson]]
  return [
    [['unknown from network', networkOf(address)], unknownFromNetwork],
    [['unknown'], unknown],
  ]
}
