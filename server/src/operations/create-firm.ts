/** create-firm: a client firm with its entity numbers, rep codes and keys (Reading 2.5). */
import { randomUUID } from 'node:crypto'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { makeFirstFirmKeys } from '../encryption/firm-key.ts'
import {
  claimForCell,
  claimForFirm,
  findRepeats,
  parseEntityNumbers,
  parseSettings,
} from '../identity/firm-request.ts'
import { renderFirm } from '../identity/render-firm.ts'
import { writeAudit } from '../store/audit.ts'
import { insertFirm, insertFirmKey, readFirm } from '../store/firms.ts'
import type { Handler } from './context.ts'

export const createFirm: Handler<'create-firm'> = async (request, context) => {
  const { tx, now, parts } = context
  const { name, repCodes } = request
  const entityNumbers = parseEntityNumbers(request.entityNumbers)
  const settings = parseSettings(request.settings ?? {})
  const rejections: Rejection[] = [
    ...findRepeats(entityNumbers, 'entityNumbers'),
    ...findRepeats(repCodes, 'repCodes'),
  ]
  if (entityNumbers.length === 0)
    rejections.push(reject('ERR.1000', 'entityNumbers', 'A firm needs at least one entity number.'))
  if (repCodes.length === 0)
    rejections.push(reject('ERR.1000', 'repCodes', 'A firm needs at least one rep code.'))

  const firmId = randomUUID()
  await insertFirm(tx, { firmId, name, settings, at: now })
  const claim = { field: 'entityNumbers', numbers: entityNumbers, codesField: 'repCodes', codes: repCodes }
  rejections.push(...(await claimForFirm(tx, firmId, { ...claim, at: now })))
  if (rejections.length === 0) rejections.push(...(await claimForCell(parts.cells, firmId, claim)))
  if (rejections.length > 0) return new Rejected(rejections)

  for (const key of await makeFirstFirmKeys(parts.identity.masterKeys, firmId, now))
    await insertFirmKey(tx, key)
  const firm = await readFirm(tx, firmId)
  if (firm === undefined) throw new Error(`firm ${firmId} was inserted but not found`)
  parts.identity.expectChange()
  writeAudit(context, {
    action: 'create-firm',
    target: firmId,
    changes: { name, entityNumbers, repCodes, settings },
  })
  return renderFirm(firm)
}
