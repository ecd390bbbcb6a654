/** Finds the lines whose ids exist already, in the books or earlier in the batch, with different contents. */
import type { Tx } from '../../database/transaction.ts'
import { type LineSecurities, readKeptLines } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import type { Directory } from '../directory.ts'
import { type BookedLine, recordOf } from './booked-line.ts'
import { conflictsOf, type LineBefore } from './compare-lines.ts'
import { bookedAsBefore, differ, securitiesOf } from './named-before.ts'

/** The number of lines read together. It is small because records are long. */
const keptAtOnce = 2_000

/** `again` are those of `fresh` whose ids are in the books; `repeats` have the id of an earlier line of the batch. */
export async function findConflicts(
  tx: Tx,
  {
    fresh,
    again,
    repeats,
  }: {
    readonly fresh: readonly BookedLine[]
    readonly again: readonly BookedLine[]
    readonly repeats: readonly BookedLine[]
  },
  securities: LineSecurities,
  directory: Directory,
): Promise<RefusedLine[]> {
  if (again.length + repeats.length === 0) return []
  const conflicts: RefusedLine[] = []
  const compare = (booked: BookedLine, before: LineBefore) => {
    const rejections = conflictsOf(booked, before)
    if (rejections.length > 0) conflicts.push({ line: booked.source, rejections })
  }
  const inBooks = new Set(again.map(nameOf))
  const ofBooks = [...again, ...repeats.filter((booked) => inBooks.has(nameOf(booked)))]
  for (let from = 0; from < ofBooks.length; from += keptAtOnce) {
    const some = ofBooks.slice(from, from + keptAtOnce)
    const named = some.map(({ account, line }) => ({ firmId: account.firmId, externalId: line.externalId }))
    const kept = await readKeptLines(tx, named, securities)
    const byName = new Map(kept.map((before) => [`${before.firmId} ${before.line.externalId}`, before]))
    const beforeOf = (booked: BookedLine) => byName.get(nameOf(booked)) as LineBefore
    const others = some.filter((booked) => differ(booked.line, beforeOf(booked).line))
    await directory.learnPast(securitiesOf(others.map(beforeOf)), tx)
    for (const booked of some) compare(bookedAsBefore(booked, beforeOf(booked), directory), beforeOf(booked))
  }
  const first = new Map(fresh.map((booked) => [nameOf(booked), booked]))
  for (const booked of repeats) {
    if (!inBooks.has(nameOf(booked))) compare(booked, lineBefore(first.get(nameOf(booked)) as BookedLine))
  }
  return conflicts
}

function nameOf({ account, line }: BookedLine): string {
  return `${account.firmId} ${line.externalId}`
}

/** A line of the same batch. Neither it nor its repetition has a sequence yet. */
function lineBefore(booked: BookedLine): LineBefore {
  return {
    accountNumber: booked.account.accountNumber,
    line: booked.line,
    processDate: booked.namedDate,
    enteredOn: undefined,
    record: recordOf(booked),
  }
}
