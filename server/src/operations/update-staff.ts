/**
 * update-staff: changes the name, role, password or second factor of a person, or disables the person. It never removes
 * the last admin, and no person changes their own role or resets their own password.
 */
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { recordAccess } from '../changes/give-access.ts'
import { hashPassword, makePassword } from '../identity/staff/password.ts'
import { renderStaff } from '../identity/staff/render-staff.ts'
import { whyOfSandbox } from '../identity/staff/sandbox-staff.ts'
import { writeAudit } from '../store/audit.ts'
import {
  endSessions as endSessionsOf,
  lockStaff,
  lockStaffByEmail,
  type StoredStaff,
  updateStaffRow,
  writePassword,
  writeSecondFactor,
} from '../store/staff.ts'
import type { Handler } from './context.ts'

export const updateStaff: Handler<'update-staff'> = async (request, context) => {
  const { tx, caller, parts } = context
  // Two admins who remove each other at once must not both count the other as the admin who remains.
  const all = await lockStaff(tx)
  const staff = await lockStaffByEmail(tx, request.email)
  if (staff === undefined)
    return new Rejected([reject('ERR.1015', 'email', 'No member of the staff has this e-mail address.')])
  const { role, disabled, resetPassword = false, resetSecondFactor = false, endSessions = false } = request
  // An empty name counts as absent (Reading 1.2).
  const name = request.name || undefined
  const ofSandbox = parts.sandbox || disabled !== false ? undefined : whyOfSandbox(staff.email)
  const rejections = [
    ...(ofSandbox === undefined ? [] : [reject('ERR.1015', 'disabled', ofSandbox)]),
    ...checkOwn(staff, request, caller.clientId),
    ...checkLastAdmin(staff, request, all),
  ]
  if (rejections.length > 0) return new Rejected(rejections)
  const at = parts.identity.now()
  await updateStaffRow(tx, staff.staffId, { name, role, disabled, at })
  const password = resetPassword ? makePassword() : ''
  if (resetPassword) await writePassword(tx, staff.staffId, await hashPassword(password), true)
  if (endSessions) await endSessionsOf(tx, staff.staffId, null)
  if (resetSecondFactor) await writeSecondFactor(tx, staff.staffId, null, 0)
  const acts = [
    ...(role === undefined || role === staff.role ? [] : [`role ${role}`]),
    ...(disabled === false && staff.disabledAt !== null ? ['enabled'] : []),
    ...(resetPassword ? ['password reset'] : []),
    ...(resetSecondFactor ? ['second factor removed'] : []),
  ]
  if (acts.length > 0) await recordAccess(context, staff, acts)
  const changed = await lockStaffByEmail(tx, request.email)
  if (changed === undefined) throw new Error('the person was locked but not found')
  writeAudit(context, {
    action: 'update-staff',
    target: staff.email,
    changes: {
      name,
      role,
      disabled,
      resetPassword,
      resetSecondFactor,
      endSessions,
      before: { role: staff.role },
    },
  })
  return { ...renderStaff(changed), password }
}

/** Persons cannot change their own role, lock themselves out, or reset their own password or second factor. */
function checkOwn(staff: StoredStaff, request: Request<'update-staff'>, me: string): Rejection[] {
  if (staff.email !== me.toLowerCase()) return []
  const own: Rejection[] = []
  if (request.role !== undefined && request.role !== staff.role)
    own.push(reject('ERR.1015', 'role', 'Only another admin can change your role.'))
  if (request.disabled === true)
    own.push(reject('ERR.1015', 'disabled', 'Only another admin can disable you.'))
  // A stolen session alone must not suffice to take over the account: both are changed with the password.
  if (request.resetPassword === true)
    own.push(reject('ERR.1015', 'resetPassword', 'Change your password under your name in the console.'))
  if (request.resetSecondFactor === true)
    own.push(
      reject('ERR.1015', 'resetSecondFactor', 'Replace your second factor under your name in the console.'),
    )
  return own
}

/** At least one admin must remain. */
function checkLastAdmin(
  staff: StoredStaff,
  { role, disabled }: Request<'update-staff'>,
  all: readonly StoredStaff[],
): Rejection[] {
  const loses = staff.role === 'admin' && ((role !== undefined && role !== 'admin') || disabled === true)
  const others = all.filter(
    (one) => one.role === 'admin' && one.disabledAt === null && one.staffId !== staff.staffId,
  )
  return loses && others.length === 0
    ? [reject('ERR.1015', disabled === true ? 'disabled' : 'role', 'This is the last admin.')]
    : []
}
