/** verify-audit: recomputes each firm's hash chain, compares it with the signed heads, and names the first row that differs. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Handler } from './context.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Its reads have a transaction of their own, which begins after the document store was read. */
export const verifyAudit: Handler<'verify-audit'> = async ({ firmId }, { parts }) => {
  if (firmId && !uuid.test(firmId)) {
    return new Rejected([reject('ERR.1016', 'firmId', 'Firm id must be a UUID.')])
  }
  const { verified, firms } = await parts.auditHeads.verify(firmId ? firmId.toLowerCase() : null)
  return { verified, firms: [...firms] }
}
