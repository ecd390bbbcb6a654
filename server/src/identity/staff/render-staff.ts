/** A person of the staff in the form of responses. */
import type { Data } from '@clearing/protocol'
import type { StoredStaff } from '../../store/staff.ts'

export function renderStaff(staff: StoredStaff): Data<'list-staff'>['staff'][number] {
  return {
    email: staff.email,
    name: staff.name,
    role: staff.role,
    disabled: staff.disabledAt !== null,
    secondFactor: staff.secondFactor !== null,
    createdOn: staff.createdAt,
    lastSignInOn: staff.lastSignInAt,
  }
}
