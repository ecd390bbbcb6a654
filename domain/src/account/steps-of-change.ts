/** The steps of a change that waits for a second person, for decisions on watch-list matches, or both (Reading 3.9). */
import type { CodeOf } from '@clearing/protocol'

/** A change that awaits a person can have open matches too. One that awaits matches needs no person any more. */
export type ChangeStage = 'AwaitsPerson' | 'AwaitsMatches' | 'Approved' | 'Rejected' | 'Withdrawn'

export interface ChangeEnd {
  readonly state: 'Approved' | 'Rejected' | 'Withdrawn'
  /** What the firm learns of a change that did not take effect. */
  readonly outcome?: CodeOf<'changeOutcome'>
  /** The open matches of the change are decided on nevertheless (decision 232). */
  readonly reviewGoesOn?: true
}

const approved: ChangeEnd = { state: 'Approved' }
const withdrawn: ChangeEnd = { state: 'Withdrawn', outcome: 'Withdrawn' }
const withdrawnByFirm: ChangeEnd = { ...withdrawn, reviewGoesOn: true }

function rejected(outcome: CodeOf<'changeOutcome'>): ChangeEnd {
  return { state: 'Rejected', outcome }
}

/**
 * An attempt to make the change on the record as it is now. The step after it depends on the result: the change was
 * made, waits for open matches, is stale because the record has changed since the request, or is not permitted. A
 * person learns why the approval has no effect, and decides again. Without a person, the change ends.
 */
const attemptByPerson = {
  made: approved,
  waits: 'keep-approval',
  stale: 'refuse',
  invalid: 'refuse',
} as const
const attemptWithoutPerson = {
  made: approved,
  waits: 'stay',
  stale: rejected('Stale'),
  invalid: rejected('Invalid'),
} as const

function row<const Person, const Matches, const Ended>(person: Person, matches: Matches, ended: Ended) {
  return { AwaitsPerson: person, AwaitsMatches: matches, Approved: ended, Rejected: ended, Withdrawn: ended }
}

/**
 * The step for each event and stage: of a change that awaits a person, that awaits only matches, and that has ended. A
 * request that is `decided` or `not-asked` is refused: the change has ended, or waits for no person.
 */
export const stepsOfChange = {
  approve: row(attemptByPerson, 'not-asked', 'decided'),
  reject: row(rejected('Refused'), rejected('Refused'), 'decided'),
  withdraw: row(withdrawn, withdrawn, 'decided'),
  // A firm that repeats its withdrawal gets the same response.
  withdrawByFirm: { ...row(withdrawnByFirm, withdrawnByFirm, 'decided'), Withdrawn: 'stay' },
  clearMatch: row('stay', 'stay', 'stay'),
  clearLastMatch: row('stay', attemptWithoutPerson, 'stay'),
  confirmMatch: row(rejected('Refused'), rejected('Refused'), 'stay'),
  // The account was closed, or the change whose match was to be cleared has ended.
  loseSubject: row(rejected('Ended'), rejected('Ended'), 'stay'),
} as const
