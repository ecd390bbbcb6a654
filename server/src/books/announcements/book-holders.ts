/**
 * Books the lines of planned holders as a load of activity. The transaction that books the lines of a holder also notes
 * them in its entitlement. Equal lines have equal ids, so the work can be repeated, and two processes can do it.
 */
import type { Tx } from '../../database/transaction.ts'
import { holdAnnouncement, type StoredAnnouncement } from '../../store/books/announcements.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { activityLoader } from '../loads/activity.ts'
import { type Load, type Loader, LoadOvertaken, runLoad } from '../loads/run-load.ts'
import { keepUnreversed } from './keep-unreversed.ts'
import type { PlannedHolder } from './plan-holders.ts'
import { putExamined } from './put-examined.ts'

/** Thrown when the announcement was amended or cancelled meanwhile, or another process has ended its examination. */
export class AnnouncementChanged extends LoadOvertaken {
  override readonly name = 'AnnouncementChanged'
}

/** Until the transaction ends, the announcement keeps its state and terms. */
export async function holdUnchanged(tx: Tx, announcement: StoredAnnouncement): Promise<void> {
  if (await holdAnnouncement(tx, announcement)) return
  throw new AnnouncementChanged(`announcement ${announcement.externalId} was changed meanwhile`)
}

type HolderLine = RawLine & { readonly holder: PlannedHolder }

export async function bookHolders(
  settings: Omit<Load, 'loadId' | 'kind' | 'source'>,
  announcement: StoredAnnouncement,
  pages: AsyncIterable<readonly PlannedHolder[]>,
): Promise<void> {
  const load = { ...settings, kind: 'load-activity', source: `Corporate action ${announcement.externalId}` }
  await runLoad(load, linesOf(pages), (started) => holdersLoader(started, announcement))
}

async function* linesOf(
  pages: AsyncIterable<readonly PlannedHolder[]>,
): AsyncGenerator<readonly HolderLine[]> {
  let count = 0
  for await (const page of pages) {
    yield page.flatMap((holder) =>
      holder.lines.map((members) => {
        count += 1
        return { line: count, members, holder }
      }),
    )
  }
}

interface Ready {
  readonly inner: unknown
  readonly lines: readonly HolderLine[]
}

function holdersLoader(load: Load, announcement: StoredAnnouncement): Loader<Ready> {
  const inner: Loader<unknown> = activityLoader(load, { waits: false })
  return {
    async prepare(raw) {
      return { inner: await inner.prepare(raw), lines: raw as readonly HolderLine[] }
    },
    async write(tx, ready, closely) {
      const outcome = await inner.write(tx, ready.inner, closely)
      await holdUnchanged(tx, announcement)
      noteHolders(tx, { announcement, at: load.now() }, ready.lines, [
        ...outcome.refused,
        ...outcome.conflicts,
      ])
      return outcome
    },
  }
}

/** A holder with a refused line keeps the lines that were booked and not reversed, and is examined again. */
function noteHolders(
  tx: Tx,
  { announcement, at }: { readonly announcement: StoredAnnouncement; readonly at: Date },
  lines: readonly HolderLine[],
  refused: readonly RefusedLine[],
): void {
  const reasons = new Map(refused.map(({ line, rejections }) => [line, rejections[0]?.reason ?? '']))
  const byHolder = Map.groupBy(lines, ({ holder }) => holder)
  putExamined(
    tx,
    announcement,
    [...byHolder].map(([holder, ofHolder]) => {
      const bad = ofHolder.filter(({ line }) => reasons.has(line))
      const [first] = bad
      if (first === undefined) return holder.examined
      const badIds = new Set(bad.map((line) => ('members' in line ? line.members.externalId : undefined)))
      return keepUnreversed(holder, (externalId) => badIds.has(externalId), reasons.get(first.line) ?? '')
    }),
    at,
  )
}
