/** The filters of the search and the export of the audit trail. */
import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import type { AuditFilter } from '../store/audit-search.ts'

interface Asked {
  readonly firmId?: string
  readonly accountNumber?: string
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly traceId?: string
  readonly dateFrom?: string
  readonly dateTo?: string
}

export function parseAuditFilter(asked: Asked): AuditFilter | Rejected {
  const firmId = readFirmFilter(asked.firmId)
  if (firmId instanceof Rejected) return firmId
  const { accountNumber, actor, action, target, traceId, dateFrom, dateTo } = asked
  return { firmId, accountNumber, actor, action, target, traceId, dateFrom, dateTo }
}
