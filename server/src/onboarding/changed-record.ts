/**
 * A change of the record of an application: the stages that passed the former record run again when the application
 * continues (decision 268).
 */
import type { Rejection } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { lockOnboardingRow } from '../store/onboarding.ts'
import { OnboardingSteps } from './advance-onboarding.ts'

/**
 * Locks the application before its record changes. The reason of the refusal if it waits no more: its checks run, or it
 * has ended.
 */
export async function runChecksAgain(
  context: FirmContext,
  accountNumber: string,
): Promise<Rejection | undefined> {
  const { tx, now, parts, caller, traceId } = context
  const locked = await lockOnboardingRow(tx, accountNumber)
  if (locked === undefined) throw new Error(`the application ${accountNumber} has no onboarding`)
  const steps = new OnboardingSteps(locked)
  const taken = steps.take(
    { kind: 'record-changed', at: now.toISOString(), by: 'firm' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return taken.rejection
  const passed = locked.state.stages.filter(({ status }) => status !== 'Pending')
  if (passed.length > 0) steps.store(tx, [])
  return undefined
}
