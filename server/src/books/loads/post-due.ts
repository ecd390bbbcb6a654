/**
 * Posts the lines whose trade date has come, as a load of its own. Lines that cannot be posted are among its
 * rejects. The transaction that posts a line also removes it from the pending lines. Therefore the work can
 * be repeated, and two processes can do it at once.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  type DuePosition,
  firstPosition,
  isAnyDue,
  type PendingLine,
  readDue,
  removePending,
} from '../../store/books/pending.ts'
import { readBusinessDay } from '../../store/business-day.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { activityLoader } from './activity.ts'
import { type Load, type Loader, runLoad } from './run-load.ts'

export interface PostDue {
  readonly pool: Pool
  readonly now: Date
  readonly clientId: string
  readonly traceId: string
}

const readOnly = { firm: null, readOnly: true, repeatable: true } as const
/** Lines read and posted together. */
const dueAtOnce = 5_000

export async function postDue({ pool, now, clientId, traceId }: PostDue): Promise<void> {
  const day = await inTransaction(pool, readOnly, async (tx) => {
    const businessDate = await readBusinessDay(tx, now)
    return (await isAnyDue(tx, businessDate)) ? businessDate : undefined
  })
  if (day === undefined) return
  const settings = { kind: 'load-activity', clientId, traceId, pool, now: () => now }
  await runLoad(settings, linesDue(pool, day), dueLoader)
}

type DueLine = RawLine & Pick<PendingLine, 'firmId' | 'externalId'>

async function* linesDue(pool: Pool, day: string): AsyncGenerator<readonly DueLine[]> {
  let after: DuePosition | undefined = firstPosition
  let count = 0
  while (after !== undefined) {
    const place: DuePosition = after
    const due = await inTransaction(pool, readOnly, (tx) => readDue(tx, day, place, dueAtOnce))
    yield due.lines.map(({ firmId, externalId, content }) => {
      count += 1
      return { line: count, members: JSON.parse(content), firmId, externalId }
    })
    after = due.last
  }
}

function dueLoader(load: Load): Loader<{ readonly inner: unknown; readonly due: readonly DueLine[] }> {
  const inner: Loader<unknown> = activityLoader(load, { waits: false })
  return {
    async prepare(raw) {
      return { inner: await inner.prepare(raw), due: raw as readonly DueLine[] }
    },
    async write(tx, ready, closely) {
      const outcome = await inner.write(tx, ready.inner, closely)
      removePending(tx, ready.due)
      return outcome
    },
  }
}
