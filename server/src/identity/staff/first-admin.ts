/**
 * Creates the first admin by a command on the machine of the service. Admins add all later persons in the
 * console.
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { MasterKeys } from '../../encryption/master-key.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { insertStaff, readStaff } from '../../store/staff.ts'
import { ensureClearingFirm } from '../first-credential.ts'
import { isEmail } from './email.ts'
import { hashPassword, makePassword } from './password.ts'
import { whyOfSandbox } from './sandbox-staff.ts'

export type FirstAdmin =
  | { readonly kind: 'made'; readonly email: string; readonly password: string }
  | { readonly kind: 'exists'; readonly emails: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Creates an admin with a password that works once, for 72 hours. Refuses if there is an admin, unless forced. */
export async function createFirstAdmin(settings: {
  operations: Pool
  masterKeys: MasterKeys
  email: string
  name: string
  force: boolean
  now: Date
}): Promise<FirstAdmin> {
  const { operations, masterKeys, name, force, now: at } = settings
  const email = settings.email.toLowerCase()
  if (!isEmail(email)) return { kind: 'refused', why: 'Give the e-mail address of the admin.' }
  const ofSandbox = whyOfSandbox(email)
  if (ofSandbox !== undefined) return { kind: 'refused', why: ofSandbox }
  await ensureClearingFirm({ operations, masterKeys, now: at })
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  return inTransaction(operations, { firm: null }, async (tx): Promise<FirstAdmin> => {
    const admins = (await readStaff(tx)).filter(
      (staff) => staff.role === 'admin' && staff.disabledAt === null,
    )
    if (admins.length > 0 && !force) return { kind: 'exists', emails: admins.map((admin) => admin.email) }
    const person = { staffId: randomUUID(), email, name, role: 'admin' as const }
    if (!(await insertStaff(tx, { ...person, passwordHash, passwordTemporary: true, at })))
      return { kind: 'refused', why: 'Another person has this e-mail address.' }
    writeAuditRow(tx, {
      firmId: clearingFirmId,
      at,
      actor: 'command line',
      action: 'create-staff',
      target: email,
      traceId: '',
      detail: { role: 'admin', forced: force },
    })
    return { kind: 'made', email, password }
  })
}
