/** Loads the lines of a request's body, NDJSON or CSV by its media type. Each batch of the load is a transaction of its own. */
import type { Data } from '@clearing/protocol'
import type { Clock } from '../../clock.ts'
import type { Pool } from '../../database/pool.ts'
import { whileAlive } from '../../database/while-alive.ts'
import { type AuditContext, writeAudit } from '../../store/audit.ts'
import { readCsv } from '../lines/csv.ts'
import { readNdjson } from '../lines/ndjson.ts'
import { type Load, type Loader, runLoad } from './run-load.ts'

/** A body of lines, as it arrives. */
export interface LinesBody {
  readonly kind: 'lines'
  readonly format: 'ndjson' | 'csv'
  readonly stream: AsyncIterable<Buffer>
}

interface LoadContext extends AuditContext {
  readonly body: LinesBody | { readonly kind: 'json' | 'file' }
  readonly parts: { readonly loads: Pool; readonly clock: Clock }
}

export async function loadBody<Ready>(
  kind: string,
  { source = '' }: { readonly source?: string },
  context: LoadContext,
  makeLoader: (load: Load) => Loader<Ready>,
): Promise<Data<'load-activity'>> {
  const { tx, body, caller, traceId, parts } = context
  if (body.kind !== 'lines') throw new Error(`${kind} was called without lines`)
  const lines = body.format === 'csv' ? readCsv(body.stream) : readNdjson(body.stream)
  const settings = {
    kind,
    source,
    clientId: caller.clientId,
    traceId,
    pool: parts.loads,
    now: () => parts.clock.now(),
  }
  const answer = await whileAlive(tx, runLoad(settings, lines, makeLoader))
  const { rejects: _, ...counts } = answer
  writeAudit(context, { action: kind, target: answer.loadId, changes: { ...counts, source } })
  return answer
}
