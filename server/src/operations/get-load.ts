/** get-load: the progress of a load, and its rejects in pages. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { parseUuid } from '../ids.ts'
import { cursorOf, dotted } from '../paging/cursor.ts'
import { whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readLoad, readRejects } from '../store/books/loads.ts'
import type { Handler } from './context.ts'

/**
 * The limits of the columns: a line number is at most the largest exact integer of JavaScript, and a reject's
 * ordinal has two bytes.
 */
const [lineMax, ordinalMax] = [Number.MAX_SAFE_INTEGER, 32_767]
/** A line may have several rejects, and a page may end between them. */
const places = cursorOf('get-load', [whole(lineMax), whole(ordinalMax)], dotted)

export const getLoad: Handler<'get-load'> = async (request, { tx }) => {
  const { afterLine, size = limits.loadRejectsMax } = request
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  if (afterLine !== undefined && afterLine > lineMax)
    return new Rejected([reject('ERR.1016', 'afterLine', 'No load has this many lines.')])
  if (after !== undefined && afterLine !== undefined && after[0] !== afterLine) {
    const reason = 'after and afterLine are different positions: send only one of them.'
    return new Rejected([reject('ERR.1014', 'after', reason)])
  }
  const loadId = parseUuid(request.loadId)
  const load = loadId === undefined ? undefined : await readLoad(tx, loadId)
  if (loadId === undefined || load === undefined)
    return new Rejected([reject('ERR.2013', 'loadId', 'There is no load with this id.')])
  const found = await readRejects(tx, loadId, after ?? [afterLine ?? 0, ordinalMax], size + 1)
  const { rows, next } = pageOfRows(found, size, places, ({ line, ordinal }) => [line, ordinal])
  const { received, accepted, pending, duplicates, conflicts, rejected, kind, startedAt, endedAt, silent } =
    load
  return {
    loadId,
    received,
    accepted,
    pending,
    duplicates,
    conflicts,
    rejected,
    rejects: rows.map(({ line, code, field, reason, sent, acceptedBy }) => ({
      line,
      code,
      field,
      reason,
      sent,
      acceptedBy,
    })),
    kind,
    source: load.source,
    state: silent ? 'CutOff' : load.state,
    startedOn: startedAt,
    endedOn: endedAt,
    lookedAtBy: load.lookedAtBy,
    lookedAtOn: load.lookedAtOn,
    next,
    nextLine: rows.length < size ? null : (rows.at(-1)?.line ?? null),
  }
}
