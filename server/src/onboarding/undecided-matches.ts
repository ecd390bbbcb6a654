/**
 * Open matches of an application that is screened again. A change of the record ends none of them: who has an interest
 * in the account does not change with a name or a birth date that the firm corrects, so a person decides (decision
 * 268). A match ends without a decision if the list has changed and the person has not.
 */
import { type AccountRecord, type StageOutcome, screenedNames } from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import { currentIndexKey, type FirmKeys } from '../encryption/keyring.ts'
import { dropMatches, endClearance } from '../firm-rules/settle-change.ts'
import { partyFingerprint } from '../screening/decisions.ts'
import type { AuditContext } from '../store/audit.ts'
import {
  alphabetList,
  isOpenMatch,
  readMatches,
  type ScreeningMatch,
  writeMatchReason,
} from '../store/screening.ts'

interface Application {
  readonly accountNumber: string
  readonly record: AccountRecord
}

export class UndecidedMatches {
  readonly #open: readonly ScreeningMatch[]
  readonly #found = new Set<string>()
  readonly #replaced: ScreeningMatch[] = []

  constructor(open: readonly ScreeningMatch[]) {
    this.#open = open
  }

  static async read(tx: Tx, accountNumber: string): Promise<UndecidedMatches> {
    return new UndecidedMatches((await readMatches(tx, accountNumber)).filter(isOpenMatch))
  }

  /**
   * The match to store; undefined if an open one stays, because an earlier clearance is of a person with the name and
   * birth date of now.
   */
  merge(match: ScreeningMatch): ScreeningMatch | undefined {
    const before = this.#open.find((one) => keyOf(one) === keyOf(match))
    const isOfAnother = before !== undefined && before.party_fingerprint !== match.party_fingerprint
    if (isOfAnother && match.decision === 'Cleared') return undefined
    this.#found.add(keyOf(match))
    if (before !== undefined && (isOfAnother || before.entry_version !== match.entry_version))
      this.#replaced.push(before)
    if (!isOfAnother || match.decision !== 'Open') return match
    // The likeliest score decides whether the clearance needs a second person.
    const score = Math.max(before.score, match.score)
    return { ...match, score, reasons: [...match.reasons, changed(before.score)] }
  }

  /** Ends the matches that need no decision, and returns the number of those that the record no longer causes. */
  async settle(
    context: AuditContext,
    { accountNumber, record }: Application,
    keys: FirmKeys,
  ): Promise<number> {
    const { tx } = context
    const key = currentIndexKey(keys).export()
    const persons = new Set(screenedNames(record).map((name) => partyFingerprint(name, key)))
    const others = this.#open.filter((match) => !this.#found.has(keyOf(match)))
    // A name that cannot be compared is no likeness of a listed one. Its correction was screened.
    const isOver = ({ list_name: list, party_fingerprint: person }: ScreeningMatch) =>
      list === alphabetList || persons.has(person)
    const kept = others.filter((match) => !isOver(match))
    for (const match of kept)
      if (!match.reasons.some(({ field }) => field === changedField))
        writeMatchReason(tx, match, changed(match.score))
    for (const match of this.#replaced)
      await endClearance(context, match, 'The record of the person, or the entry of the list, was changed.')
    const over = others.filter(isOver)
    await dropMatches(context, { accountNumber, matches: over }, 'The match needs no decision any more.')
    return kept.length
  }
}

/**
 * The stage is not passed before a person has decided on them. A confirmed match rejects the application in any case.
 */
export function withUndecided(outcome: StageOutcome, kept: number): StageOutcome {
  if (kept === 0 || outcome.kind === 'failed') return outcome
  const matches = kept === 1 ? 'A possible match is' : `${kept} possible matches are`
  const reason = `${matches} of a name or birth date that the record had before.`
  const others = outcome.kind === 'referred' ? `${outcome.reason} ` : ''
  return { kind: 'referred', code: 'WatchlistReview', reason: `${others}${reason}` }
}

function keyOf({ customer_id, list_name, entry_id }: ScreeningMatch): string {
  return `${customer_id} ${list_name} ${entry_id}`
}

const changedField = 'changedRecord'

function changed(score: number): ScreeningMatch['reasons'][number] {
  const detail = `The record of the person was changed while the match was open; before, the score was ${score}.`
  return { field: changedField, outcome: 'contradict', detail }
}
