/** list-staff: all persons of the clearing firm's staff. */

import { readStaff } from '../store/staff.ts'
import type { Handler } from './context.ts'
import { renderStaff } from './render-staff.ts'

export const listStaff: Handler<'list-staff'> = async (_request, { tx }) => ({
  staff: (await readStaff(tx)).map(renderStaff),
})
