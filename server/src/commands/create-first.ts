/**
 * Commands that run on the machine of the service and create credentials that are shown once: the first
 * credential of operations, and the first admin of the staff.
 */
import type { Config } from '../config/config.ts'
import { createFirstOperationsCredential } from '../identity/first-credential.ts'
import { createFirstAdmin } from '../identity/staff/first-admin.ts'
import { initialPasswordHours } from '../identity/staff/password.ts'
import { onDatabase } from './on-database.ts'

export function createCredential(config: Config, force: boolean): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const made = await createFirstOperationsCredential({ operations, masterKeys, now: new Date(), force })
    if (made.kind === 'exists')
      return refuse(
        `Operations can sign in already (${made.clientIds.join(', ')}); --force makes another credential.`,
      )
    console.log(
      `client_id      ${made.clientId}\nclient_secret  ${made.clientSecret}\n\nThe secret is not shown again.`,
    )
  })
}

export function createAdmin(config: Config, email: string, name: string, force: boolean): Promise<void> {
  return onDatabase(config, async (operations, masterKeys) => {
    const made = await createFirstAdmin({ operations, masterKeys, email, name, force, now: new Date() })
    if (made.kind === 'refused') return refuse(made.why)
    if (made.kind === 'exists')
      return refuse(`An admin exists already (${made.emails.join(', ')}); --force makes another.`)
    console.log(
      `e-mail    ${made.email}\npassword  ${made.password}\n\nIt works once and for ${initialPasswordHours} hours, at ${config.issuer}/console/, where another is chosen. Finish the sign-in: after that, only an admin or --force makes another.`,
    )
  })
}

function refuse(why: string): void {
  console.error(why)
  process.exitCode = 1
}
