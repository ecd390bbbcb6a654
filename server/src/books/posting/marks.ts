/**
 * The marks of the activity record that say whether a line is a cancel or a rebill. Only `cancelType` and `rebill` make
 * a line a correction. A mark of the feed that says something else is refused, so that a record never contradicts its
 * effect (decision 273).
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { ActivityValues } from '../lines/shapes.ts'

const marks = ['cancel', 'cancelStatus', 'rebillStatus', 'tranId'] as const
type Mark = (typeof marks)[number]

type LineKind = 'cancel' | 'rebill' | 'neither'
const anyKind: readonly LineKind[] = ['cancel', 'rebill', 'neither']
const noCancel: readonly LineKind[] = ['rebill', 'neither']

/** The kinds of line with which a value agrees, by the value in capital letters. */
const agreeing: Readonly<Record<Mark, ReadonlyMap<string, readonly LineKind[]>>> = {
  cancel: new Map([
    ['Y', ['cancel']],
    ['C', ['cancel']],
    ['N', noCancel],
  ]),
  cancelStatus: new Map([
    ['CANCELLED', ['cancel']],
    ['CANCELED', ['cancel']],
    ['C', ['cancel']],
    ['Y', ['cancel']],
    ['N', anyKind],
  ]),
  rebillStatus: new Map([
    ['R', ['rebill']],
    ['Y', ['rebill']],
    ['N', anyKind],
  ]),
  tranId: new Map([
    ['C', ['cancel']],
    ['R', ['rebill']],
    ['T', ['neither']],
    ['N', ['neither']],
  ]),
}

/** The marks of the feed that contradict the line. */
export function contradictingMarks(values: ActivityValues): readonly Rejection[] {
  // Most feeds give none.
  if (marks.every((mark) => values[mark] === undefined)) return []
  const kind = kindOf(values)
  return marks
    .filter((mark) => !isAgreeing(mark, values))
    .map((mark) => reject('ERR.1015', mark, whyContradicts(mark, kindsOf(mark, values[mark]), kind)))
}

/** Whether the mark of the feed, if it gives one, says what the line is. */
export function isAgreeing(mark: Mark, values: ActivityValues): boolean {
  return kindsOf(mark, values[mark]).includes(kindOf(values))
}

function kindOf({ cancelType, rebill }: ActivityValues): LineKind {
  if (cancelType === 'C') return 'cancel'
  return rebill === true ? 'rebill' : 'neither'
}

/** None for a value without a meaning. Another letter in `tranId` is a code of the feed. */
function kindsOf(mark: Mark, text: string | undefined): readonly LineKind[] {
  if (text === undefined) return anyKind
  return agreeing[mark].get(text.toUpperCase()) ?? (mark === 'tranId' ? anyKind : [])
}

const toCancel = 'To cancel a line, send cancelType C and its externalId as tagNo.'
const toRebill = 'To rebill a line, send rebill Y and its externalId as tagNo.'

function whyContradicts(mark: Mark, says: readonly LineKind[], kind: LineKind): string {
  if (says.includes('cancel')) return `${mark} marks a cancel, but the line has no cancelType. ${toCancel}`
  if (says.includes('rebill') && kind !== 'cancel')
    return `${mark} marks a rebill, but the line has no rebill. ${toRebill}`
  if (says.length > 0)
    return `${mark} contradicts ${kind === 'cancel' ? 'cancelType C' : 'rebill Y'} of the line. Leave it out.`
  if (mark === 'cancel') return `cancel must be Y for a cancel and N for any other line. ${toCancel}`
  const how = mark === 'rebillStatus' ? toRebill : toCancel
  return `${mark} is set by the service. Leave it out. ${how}`
}
