/**
 * Refuses new lines by rules that earlier releases did not have. A line that is stored, or waits for its day, was
 * accepted before: sent again, it is a duplicate or a conflict.
 */
import type { Rejection } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { readKnownIds } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { readPending } from '../../store/books/pending.ts'
import { contradictingMarks } from '../posting/marks.ts'
import { partOf, type ReadyLine } from '../posting/ready-line.ts'

interface RefusedNew {
  readonly left: readonly ReadyLine[]
  readonly refused: readonly RefusedLine[]
}

/** `areDue`: the lines waited for their day. They are refused as new lines are. */
export async function refuseNew(tx: Tx, lines: readonly ReadyLine[], areDue: boolean): Promise<RefusedNew> {
  const refused = new Map<ReadyLine, readonly Rejection[]>()
  for (const line of lines) {
    const rejections = contradictingMarks(partOf(line).values)
    if (rejections.length > 0) refused.set(line, rejections)
  }
  if (refused.size === 0) return { left: lines, refused: [] }
  const accepted = await readAccepted(tx, [...refused.keys()], areDue)
  for (const line of refused.keys()) if (accepted.has(nameOf(line))) refused.delete(line)
  return {
    left: lines.filter((line) => !refused.has(line)),
    refused: [...refused].map(([line, rejections]) => ({ line: partOf(line).source, rejections })),
  }
}

/** The names of the lines that are stored or wait. */
async function readAccepted(tx: Tx, lines: readonly ReadyLine[], areDue: boolean): Promise<Set<string>> {
  const byFirm = [...Map.groupBy(lines, (line) => partOf(line).account.firmId)]
  const [waiting, ...stored] = await Promise.all([
    areDue
      ? []
      : readPending(
          tx,
          byFirm.map(([firmId]) => firmId),
        ),
    ...byFirm.map(async ([firmId, ofFirm]) => {
      const ids = await readKnownIds(tx, firmId, ofFirm.map(idOf))
      return [...ids].map((id) => `${firmId} ${id}`)
    }),
  ])
  return new Set([...waiting.map(({ firmId, externalId }) => `${firmId} ${externalId}`), ...stored.flat()])
}

function idOf(line: ReadyLine): string {
  return partOf(line).values.externalId ?? ''
}

function nameOf(line: ReadyLine): string {
  return `${partOf(line).account.firmId} ${idOf(line)}`
}
