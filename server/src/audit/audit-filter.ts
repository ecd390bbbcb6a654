/** The filters of the search and the export of the audit trail. */
import { reject } from '@clearing/protocol'
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

/** Returns ERR.1025 when the range ends before it begins. */
export function checkDays({
  dateFrom,
  dateTo,
}: {
  dateFrom?: string
  dateTo?: string
}): Rejected | undefined {
  return dateFrom && dateTo && dateFrom > dateTo
    ? new Rejected([reject('ERR.1025', 'dateFrom', 'dateFrom must not be after dateTo.')])
    : undefined
}

export function parseAuditFilter(asked: Asked): AuditFilter | Rejected {
  const firmId = readFirmFilter(asked.firmId)
  if (firmId instanceof Rejected) return firmId
  const { accountNumber, actor, action, target, traceId, dateFrom, dateTo } = asked
  return checkDays(asked) ?? { firmId, accountNumber, actor, action, target, traceId, dateFrom, dateTo }
}
