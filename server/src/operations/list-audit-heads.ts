/**
 * list-audit-heads: signed heads of the audit chains, the newest first, and the result of the last
 * verification.
 */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { cursorOf } from '../paging/cursor.ts'
import { uuid, whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findHeads, readLastProof } from '../store/audit-heads.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-audit-heads', [whole(Number.MAX_SAFE_INTEGER), uuid])

export const listAuditHeads: Handler<'list-audit-heads'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const size = request.size ?? limits.pageSizeDefault
  const [found, proof] = await Promise.all([findHeads(tx, firmId, after, size + 1), readLastProof(tx)])
  const { rows, next } = pageOfRows(found, size, places, (head) => [head.number, head.firmId])
  return {
    heads: [...rows],
    proof: proof === undefined ? null : { ...proof, rows: Number(proof.rows) },
    next,
  }
}
