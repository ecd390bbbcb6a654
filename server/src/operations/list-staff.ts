/** list-staff: all members of the clearing firm's staff. */

import { renderStaff } from '../identity/staff/render-staff.ts'
import { readStaff } from '../store/staff.ts'
import type { Handler } from './context.ts'

export const listStaff: Handler<'list-staff'> = async (_request, { tx }) => ({
  staff: (await readStaff(tx)).map(renderStaff),
})
