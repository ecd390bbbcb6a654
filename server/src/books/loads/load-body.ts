/**
 * Loads the lines of a request's body. Each batch of the load is a transaction of its own. A short body is
 * loaded in the thread that serves the call, any other body in the thread of loads.
 */
import type { Data } from '@clearing/protocol'
import { Answered } from '../../answers.ts'
import type { Clock } from '../../clock.ts'
import type { Pool } from '../../database/pool.ts'
import { whileAlive } from '../../database/while-alive.ts'
import { type AuditContext, writeAudit } from '../../store/audit.ts'
import type { LoadKind } from '../../store/load-list.ts'
import type { LoadThread } from './load-thread.ts'
import { runBody } from './run-body.ts'

/** A body of lines, as it arrives. */
export interface LinesBody {
  readonly kind: 'lines'
  readonly format: 'ndjson' | 'csv'
  readonly stream: AsyncIterable<Buffer>
  /** The whole body has arrived. It costs less than the start of a thread, so it is loaded at once. */
  readonly isShort: boolean
}

interface LoadContext extends AuditContext {
  readonly body: LinesBody | { readonly kind: 'json' | 'file' }
  readonly parts: { readonly loads: Pool; readonly loadThread: LoadThread; readonly clock: Clock }
}

export async function loadBody(
  kind: LoadKind,
  { source = '' }: { readonly source?: string },
  context: LoadContext,
): Promise<Answered<Data<'load-activity'>>> {
  const { tx, body, caller, traceId, parts } = context
  if (body.kind !== 'lines') throw new Error(`${kind} was called without lines`)
  const { format, stream, isShort } = body
  const load = { kind, format, source, clientId: caller.clientId, traceId }
  const running = isShort
    ? runBody({ ...load, pool: parts.loads, now: () => parts.clock.now() }, stream)
    : parts.loadThread.run(load, stream)
  const { message, ...answer } = await whileAlive(tx, running)
  const { rejects: _, ...counts } = answer
  writeAudit(context, { action: kind, target: answer.loadId, changes: { ...counts, source } })
  return new Answered<Data<'load-activity'>>(answer, message ? { message } : {})
}
