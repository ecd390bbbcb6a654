/** create-staff: a person with a password that is valid for one sign-in within 72 hours. */
import { reject, type StaffRole } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { recordAccess } from '../changes/give-access.ts'
import { isEmail } from '../identity/staff/email.ts'
import { hashPassword, makePassword } from '../identity/staff/password.ts'
import { renderStaff } from '../identity/staff/render-staff.ts'
import { whyOfSandbox } from '../identity/staff/sandbox-staff.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { insertStaff, readStaffByEmail } from '../store/staff.ts'
import type { Handler } from './context.ts'

export const createStaff: Handler<'create-staff'> = async (request, context) => {
  const { tx, parts } = context
  const { email, name } = request
  const role = request.role as StaffRole
  if (!isEmail(email)) return new Rejected([reject('ERR.1016', 'email', 'This is not an e-mail address.')])
  const ofSandbox = parts.sandbox ? undefined : whyOfSandbox(email)
  if (ofSandbox !== undefined) return new Rejected([reject('ERR.1015', 'email', ofSandbox)])
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  const at = parts.identity.now()
  const made = await insertStaff(tx, {
    staffId: newId(at),
    email,
    name,
    role,
    passwordHash,
    passwordTemporary: true,
    at,
  })
  if (!made) return new Rejected([reject('ERR.1014', 'email', 'Another person has this e-mail address.')])
  const staff = await readStaffByEmail(tx, email)
  if (staff === undefined) throw new Error('the person was inserted but not found')
  await recordAccess(context, staff, [`created as ${role}`])
  writeAudit(context, { action: 'create-staff', target: staff.email, changes: { name, role } })
  return { ...renderStaff(staff), password }
}
