/**
 * verify-audit: recomputes each firm's hash chain, compares it with the signed heads, and names the first row that
 * differs.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { firmNotFound } from '../identity/firm-request.ts'
import { parseUuid } from '../ids.ts'
import type { Handler } from './context.ts'

/** Its reads have a transaction of their own, which begins after the document store was read. */
export const verifyAudit: Handler<'verify-audit'> = async ({ firmId: asked }, { parts }) => {
  const firmId = asked ? parseUuid(asked) : null
  if (firmId === undefined) {
    return new Rejected([reject('ERR.1016', 'firmId', 'Firm id must be a UUID.')])
  }
  const { verified, firms } = await parts.verifyTurns.run(() => parts.auditHeads.verify(firmId))
  // Nothing was verified.
  if (firmId !== null && verified && firms.length === 0) return firmNotFound()
  return { verified, firms: [...firms] }
}
