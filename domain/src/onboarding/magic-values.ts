/**
 * The sandbox's magic values: the tax id and last name of the primary owner select the outcome of an application, and
 * the name of a document selects its decision. The scenarios define the effect of each value. Tax ids of area 000 are
 * never issued, so no real person has one. Without `sandbox: true`, the values have no effect.
 */
import { type CodeOf, canonicalCode } from '@clearing/protocol/values'
import type { StageCode } from './onboarding-state.ts'
import { type StageDecision, scenarios } from './scenarios.ts'
import type { StageOutcome } from './stage-outcome.ts'

export interface MagicValue extends StageDecision {
  readonly taxIdNumber: string
  readonly effect: string
}

/** Two scenarios of one tax id have the same first steps; the first scenario has its name. */
export const magicValues: readonly MagicValue[] = scenarios.flatMap(({ owner, decides, effect }, at) => {
  const { taxIdNumber } = owner
  if (taxIdNumber === undefined || decides === undefined) return []
  const earlier = scenarios.slice(0, at).some((other) => other.owner.taxIdNumber === taxIdNumber)
  return earlier ? [] : [{ taxIdNumber, effect, ...decides }]
})

/** Tax ids that the rules accept in the sandbox. */
export const magicTaxIds: ReadonlySet<string> = new Set(magicValues.map((value) => value.taxIdNumber))

export interface MagicCase {
  readonly sandbox: boolean
  /** Of the primary owner. */
  readonly taxIdNumber: string
  readonly lastName: string
}

/** The outcome that a magic value gives a stage; null if it does not name the stage, so that the real check runs. */
export function runMagicStage(owner: MagicCase, stage: StageCode, attempt: number): StageOutcome | null {
  if (!owner.sandbox) return null
  const value = magicValues.find((one) => one.taxIdNumber === owner.taxIdNumber)
  if (value?.stage !== stage) return null
  return value.outcomes[Math.min(attempt, value.outcomes.length) - 1] ?? null
}

/** The duration of each stage by the sandbox's clock: 30 seconds for SLOW30, else 0. */
export function magicStageDelayMs({ sandbox, lastName }: MagicCase): number {
  if (!sandbox) return 0
  const slow = scenarios.find(({ owner }) => owner.lastName === lastName.toUpperCase())
  return slow?.stageDelayMs ?? 0
}

export type DocumentVerdict = { readonly rejectionCode: CodeOf<'documentRejectionCode'> }

/** The code in a document name such as `Passport reject:EXPIRED`; null without a known code. */
export function parseDocumentVerdict(displayName: string, sandbox: boolean): DocumentVerdict | null {
  if (!sandbox) return null
  const code = /(?:^|[^a-z])reject:([a-z_]+)/i.exec(displayName)?.[1]
  const rejectionCode = code === undefined ? undefined : canonicalCode('documentRejectionCode', code)
  return rejectionCode === undefined ? null : { rejectionCode }
}
