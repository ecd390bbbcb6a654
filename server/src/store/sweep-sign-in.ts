/** Removes what expired of sign-ins: sessions, states of the OpenID provider, and counters of failed attempts. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const sweepings = [
  statement('sweep-staff-sessions', 'delete from clearing.staff_session where expires_at < $1'),
  statement('sweep-sign-in-state', 'delete from clearing.sign_in_state where expires_at < $1'),
  statement(
    'sweep-sign-in-guesses',
    "delete from clearing.sign_in_guess where last_at < $1::timestamptz - interval '1 day'",
  ),
]

/** Removes expired rows. */
export function sweepSignIn(tx: Tx, now: Date): void {
  for (const sweeping of sweepings) tx.later(sweeping, [now])
}
