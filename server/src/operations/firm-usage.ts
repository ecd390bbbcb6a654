/**
 * firm-usage: the requests of each firm's credentials in the last days: how many were made, refused and
 * failed, and the slowest.
 */

import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { type RequestCount, readUsage } from '../store/usage.ts'
import type { Handler } from './context.ts'

const dayMs = 86_400_000

export const firmUsage: Handler<'firm-usage'> = async ({ firmId: asked, days = 7 }, { tx }) => {
  const firmId = readFirmFilter(asked)
  if (firmId instanceof Rejected) return firmId
  // The request log uses the wall clock.
  const since = new Date(Date.now() - days * dayMs)
  const rows = await readUsage(tx, since, firmId)
  const byFirm = Map.groupBy(rows, ({ firm_id }) => firm_id)
  return { since: since.toISOString(), firms: [...byFirm.values()].map(renderFirm) }
}

function renderFirm(rows: readonly RequestCount[]) {
  return {
    firmId: rows[0]?.firm_id ?? '',
    firmName: rows[0]?.firm_name ?? '',
    ...totalOf(rows),
    operations: [...Map.groupBy(rows, ({ operation }) => operation)]
      .map(([operation, own]) => ({ operation, ...totalOf(own) }))
      .sort((a, b) => b.calls - a.calls),
    credentials: [...Map.groupBy(rows, ({ client_id }) => client_id)]
      .map(([clientId, own]) => ({ clientId, ...totalOf(own) }))
      .sort((a, b) => b.calls - a.calls),
  }
}

function totalOf(rows: readonly RequestCount[]) {
  const sum = (count: (row: RequestCount) => bigint) =>
    rows.reduce((total, row) => total + Number(count(row)), 0)
  return {
    calls: sum(({ calls }) => calls),
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    slowestMs: Math.max(0, ...rows.map(({ slowest }) => slowest)),
    lastOn: rows.map(({ last_at }) => last_at).reduce((last, at) => (at > last ? at : last), ''),
  }
}
