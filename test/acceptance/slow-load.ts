/**
 * A load whose second line is sent after the time for which a transaction may be idle. Empty lines make it longer than
 * a short load, which would be received whole first.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { shortLoadBytesMax } from '../../server/src/books/loads/short-load.ts'
import { poolLimits } from '../../server/src/database/pool.ts'
import type { RunningService } from './running-service.ts'

const beyondMs = 1_500

export function loadSlowly({ operations }: RunningService, [first, second]: readonly [object, object]) {
  const lines = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(`${JSON.stringify(first)}${'\n'.repeat(shortLoadBytesMax)}`))
      await pause(poolLimits.idleInTransactionTimeoutMs + beyondMs)
      controller.enqueue(Buffer.from(`${JSON.stringify(second)}\n`))
      controller.close()
    },
  })
  return operations.operations.loadActivity({ lines: { ndjson: lines } })
}
