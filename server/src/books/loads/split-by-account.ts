/** Divides a batch of activity into two halves with separate accounts, which two connections write at once. */
import { partOf, type ReadyLine } from '../posting/ready-line.ts'
import type { ReadyLines } from './prepare-lines.ts'
import type { Batch, Parts } from './run-load.ts'

/** A smaller batch is written before a second connection could begin. */
const splitLinesMin = 4_000

/** The half that contains each id of a batch's lines. */
type HalfOfId = ReadonlyMap<string, number>

/**
 * Divides a batch into two halves with separate accounts. The batch stays whole when an id, or the id that a
 * correction names, is in both halves: the order of two lines with one id decides which one counts. `before`
 * are the ids of the previous batch.
 */
export function splitByAccount(
  { raw, ready }: Batch<ReadyLines>,
  before: HalfOfId,
): Parts<ReadyLines> & { readonly halfOfId: HalfOfId } {
  const whole = { parts: [{ raw, ready }], areApart: false, halfOfId: nothingInHalves }
  if (ready.lines.length < splitLinesMin) return whole
  const halves: [ReadyLine[], ReadyLine[]] = [[], []]
  const halfOfId = new Map<string, number>()
  const corrections: { readonly tagNo: string; readonly half: number }[] = []
  const seconds = new Set<number>()
  let areApart = true
  for (const line of ready.lines) {
    const { account, source, values } = partOf(line)
    const half = halfOf(account.accountNumber)
    const id = values.externalId ?? ''
    if ((halfOfId.get(id) ?? half) !== half) return whole
    if ((before.get(id) ?? half) !== half) areApart = false
    halfOfId.set(id, half)
    if (values.tagNo !== undefined) corrections.push({ tagNo: values.tagNo, half })
    halves[half].push(line)
    if (half === 1) seconds.add(source)
  }
  for (const { tagNo, half } of corrections) {
    if ((halfOfId.get(tagNo) ?? half) !== half) return whole
    if ((before.get(tagNo) ?? half) !== half) areApart = false
  }
  return {
    parts: [
      { raw: raw.filter(({ line }) => !seconds.has(line)), ready: { ...ready, lines: halves[0] } },
      {
        raw: raw.filter(({ line }) => seconds.has(line)),
        ready: { ...ready, lines: halves[1], refused: [] },
      },
    ],
    areApart,
    halfOfId,
  }
}

export const nothingInHalves: HalfOfId = new Map()

/** Uses all characters of the account number, because feeds sort accounts in many ways. */
function halfOf(accountNumber: string): 0 | 1 {
  let sum = 0
  for (let at = 0; at < accountNumber.length; at += 1) sum = (sum * 31 + accountNumber.charCodeAt(at)) | 0
  return ((sum ^ (sum >> 8)) & 1) as 0 | 1
}
