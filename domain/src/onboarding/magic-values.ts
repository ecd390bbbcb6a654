/**
 * The sandbox's magic values: what becomes of an application by the tax id and last name of its primary owner, and of a
 * document by its name. What each value does, the scenarios say. Tax ids of area 000 are never real, so no real person meets them by
 * chance. Promises: without `sandbox: true` none of it has any effect.
 */
import { type CodeOf, canonicalCode } from '@clearing/protocol'
import type { StageCode } from './onboarding-state.ts'
import { type StageDecision, scenarios } from './scenarios.ts'
import type { StageOutcome } from './stage-outcome.ts'

export interface MagicValue extends StageDecision {
  readonly taxIdNumber: string
  readonly effect: string
}

/** Two scenarios of one tax id go on differently from the same beginning; the first is named after it. */
export const magicValues: readonly MagicValue[] = scenarios.flatMap(({ owner, decides, effect }, at) => {
  const { taxIdNumber } = owner
  if (taxIdNumber === undefined || decides === undefined) return []
  const earlier = scenarios.slice(0, at).some((other) => other.owner.taxIdNumber === taxIdNumber)
  return earlier ? [] : [{ taxIdNumber, effect, ...decides }]
})

/** What the rules of tax ids let pass in the sandbox. */
export const magicTaxIds: ReadonlySet<string> = new Set(magicValues.map((value) => value.taxIdNumber))

const slowScenarios = scenarios.filter(({ stageDelayMs }) => stageDelayMs !== undefined)

export interface MagicCase {
  readonly sandbox: boolean
  /** Of the primary owner. */
  readonly taxIdNumber: string
  readonly lastName: string
}

/** What a stage comes to by magic; null when the value says nothing of this stage and the real check is to be made. */
export function runMagicStage(owner: MagicCase, stage: StageCode, attempt: number): StageOutcome | null {
  if (!owner.sandbox) return null
  const value = magicValues.find((one) => one.taxIdNumber === owner.taxIdNumber)
  if (value?.stage !== stage) return null
  return value.outcomes[Math.min(attempt, value.outcomes.length) - 1] ?? null
}

/** How long each stage takes by the sandbox's clock: 30 seconds for SLOW30, else nothing. */
export function magicStageDelayMs({ sandbox, lastName }: MagicCase): number {
  if (!sandbox) return 0
  const slow = slowScenarios.find(({ owner }) => owner.lastName === lastName.toUpperCase())
  return slow?.stageDelayMs ?? 0
}

export type DocumentVerdict = { readonly rejectionCode: CodeOf<'documentRejectionCode'> }

/** The code in a document name such as `Passport reject:EXPIRED`; null when it has none, or none that we know. */
export function parseDocumentVerdict(displayName: string, sandbox: boolean): DocumentVerdict | null {
  if (!sandbox) return null
  const code = /(?:^|[^a-z])reject:([a-z_]+)/i.exec(displayName)?.[1]
  const rejectionCode = code === undefined ? undefined : canonicalCode('documentRejectionCode', code)
  return rejectionCode === undefined ? null : { rejectionCode }
}
