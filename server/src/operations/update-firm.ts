/**
 * update-firm: adds numbers and codes, changes settings, disables or enables a firm. Disabling ends the firm's tokens.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import {
  claimForCell,
  claimForFirm,
  findRepeats,
  firmNotFound,
  parseEntityNumbers,
  parseSettings,
} from '../identity/firm-request.ts'
import { renderFirm } from '../identity/render-firm.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { clearingFirmId, lockFirm, readFirm, updateFirm as storeFirm } from '../store/firms.ts'
import type { Handler } from './context.ts'

export const updateFirm: Handler<'update-firm'> = async (request, context) => {
  const { tx, now, parts } = context
  const firmId = parseUuid(request.firmId)
  if (firmId === undefined || !(await lockFirm(tx, firmId))) return firmNotFound()
  const { name, disabled, addRepCodes: codes = [] } = request
  const numbers = parseEntityNumbers(request.addEntityNumbers ?? [])
  const settings = parseSettings(request.settings ?? {})
  const rejections: Rejection[] = [
    ...findRepeats(numbers, 'addEntityNumbers'),
    ...findRepeats(codes, 'addRepCodes'),
  ]
  if (firmId === clearingFirmId && disabled === true)
    rejections.push(reject('ERR.1015', 'disabled', 'The clearing firm cannot be disabled.'))
  const claim = { field: 'addEntityNumbers', numbers, codesField: 'addRepCodes', codes }
  rejections.push(...(await claimForFirm(tx, firmId, { ...claim, at: now })))
  if (rejections.length === 0) rejections.push(...(await claimForCell(parts.cells, firmId, claim)))
  if (rejections.length > 0) return new Rejected(rejections)

  await storeFirm(tx, firmId, { name, settings, disabled, at: now })
  const firm = await readFirm(tx, firmId)
  if (firm === undefined) throw new Error(`firm ${firmId} was locked but not found`)
  parts.identity.expectChange()
  writeAudit(context, {
    action: 'update-firm',
    target: firmId,
    changes: { name, addEntityNumbers: numbers, addRepCodes: codes, settings, disabled },
  })
  return renderFirm(firm)
}
