/** Runs a load of lines from a request's body: by its media type, NDJSON or CSV; the load is its own small transactions. */
import type { Data } from '@clearing/protocol'
import { whileAlive } from '../../database/while-alive.ts'
import type { Context } from '../../operations/context.ts'
import { writeAudit } from '../../store/audit.ts'
import { readCsv } from '../lines/csv.ts'
import { readNdjson } from '../lines/ndjson.ts'
import { type Load, type Loader, runLoad } from './run-load.ts'

export async function runLines<Ready>(
  kind: string,
  context: Context,
  makeLoader: (load: Load) => Loader<Ready>,
): Promise<Data<'load-activity'>> {
  const { tx, body, caller, traceId, parts } = context
  if (body.kind !== 'lines') throw new Error(`${kind} was called without lines`)
  const lines = body.format === 'csv' ? readCsv(body.stream) : readNdjson(body.stream)
  const settings = {
    kind,
    clientId: caller.clientId,
    traceId,
    pool: parts.loads,
    now: () => parts.clock.now(),
  }
  const answer = await whileAlive(tx, runLoad(settings, lines, makeLoader))
  const { rejects: _, ...counts } = answer
  writeAudit(context, { action: kind, target: answer.loadId, changes: counts })
  return answer
}
