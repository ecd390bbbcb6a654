/**
 * Rebills of a line that was booked in the wrong account. The fold of one account does not see the lines of others and
 * takes the original for unknown.
 */
import type { ActivityLine, Break } from '@clearing/domain/books'
import type { LineElsewhere } from '../../store/books/rebilled-elsewhere.ts'
import type { BookedLine } from './booked-line.ts'

/** By the id of the line. */
export type LinesElsewhere = ReadonlyMap<string, LineElsewhere>

/** The ids of originals that are not among the lines of the account that rebill them. */
export function originalsElsewhere(lines: readonly ActivityLine[]): string[] {
  const rebills = lines.filter(({ rebills }) => rebills)
  if (rebills.length === 0) return []
  const own = new Set(lines.map(({ externalId }) => externalId))
  return rebills.flatMap(({ tagNo }) => (tagNo === undefined || own.has(tagNo) ? [] : [tagNo]))
}

/** The lines of a batch, which are not stored yet. */
export class LinesOfBatch {
  readonly #accounts = new Map<string, string>()
  readonly #cancelled = new Set<string>()

  constructor(lines: readonly BookedLine[]) {
    if (!lines.some(({ line }) => line.rebills)) return
    for (const { line, account } of lines) {
      this.#accounts.set(nameOf(account.firmId, line.externalId), account.accountNumber)
      if (line.cancels && line.tagNo !== undefined) this.#cancelled.add(nameOf(account.firmId, line.tagNo))
    }
  }

  /** The stored lines with what the batch knows of them, and the lines of the batch in other accounts. */
  complete(
    stored: LinesElsewhere,
    { firmId, accountNumber }: { readonly firmId: string; readonly accountNumber: string },
    externalIds: readonly string[],
  ): LinesElsewhere {
    const found = new Map(stored)
    for (const id of externalIds) {
      const name = nameOf(firmId, id)
      const at = found.get(id)?.accountNumber ?? this.#accounts.get(name)
      if (at === undefined || at === accountNumber) continue
      const isCancelled = found.get(id)?.isCancelled === true || this.#cancelled.has(name)
      found.set(id, { accountNumber: at, isCancelled })
    }
    return found
  }
}

function nameOf(firmId: string, externalId: string): string {
  return `${firmId} ${externalId}`
}

/** The breaks of a fold, without those of rebills whose original another account has cancelled. */
export function withoutRebilledElsewhere(
  breaks: readonly Break[],
  lines: readonly ActivityLine[],
  elsewhere: LinesElsewhere,
): readonly Break[] {
  if (elsewhere.size === 0) return breaks
  const originals = new Map(
    lines.flatMap((line) => {
      const original = line.rebills && line.tagNo !== undefined ? elsewhere.get(line.tagNo) : undefined
      return original === undefined ? [] : [[line.externalId, original]]
    }),
  )
  return breaks.flatMap((found) => {
    const original = found.kind === 'UnknownOriginal' ? originals.get(found.lineId) : undefined
    if (original === undefined) return [found]
    if (original.isCancelled) return []
    const reason = `Rebills a line of account ${original.accountNumber} that is not cancelled; both count. Load the cancel of the original, or cancel the rebill.`
    return [{ ...found, kind: 'RebillWithoutCancel', reason }]
  })
}
