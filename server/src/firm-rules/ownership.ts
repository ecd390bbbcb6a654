/** Whether the entity numbers and rep codes in a request belong to the caller's firm (Reading 1.8, 2.5). */
import { type Rejection, reject } from '@clearing/protocol'
import { entityExists, repCodeExists } from '../store/firms.ts'
import type { FirmContext } from './context.ts'

export async function checkOwnership(
  context: Pick<FirmContext, 'firm' | 'tx'>,
  named: { entityNumber?: string; repCode?: string },
  repCodeField: string,
): Promise<Rejection[]> {
  const { firm, tx } = context
  const found: Rejection[] = []
  const { entityNumber, repCode } = named
  if (entityNumber && !firm.entityNumbers.has(entityNumber)) {
    const known = await entityExists(tx, entityNumber)
    found.push(
      known
        ? reject('ERR.1003', 'entityNumber', 'Entity number belongs to another firm.')
        : reject('ERR.1001', 'entityNumber', 'No firm has this entity number.'),
    )
  }
  if (repCode && !firm.repCodes.has(repCode)) {
    const known = await repCodeExists(tx, repCode)
    found.push(
      known
        ? reject('ERR.1003', repCodeField, 'Rep code belongs to another firm.')
        : reject('ERR.1002', repCodeField, 'No firm has this rep code.'),
    )
  }
  return found
}
