/** Waits for an application, since account opening is asynchronous (Specification, new-account; Reading 4.1). */
import type { Answer } from './answer.ts'
import type { AnswerOf, Client } from './client.ts'
import type { Decimals } from './settings.ts'
import { wait } from './waiting.ts'

/** States in which the onboarding continues without a person. Every other state, also an unknown one, ends the wait. */
const working: ReadonlySet<string> = new Set(['Submitted', 'Screening', 'AccountCreation'])

/**
 * Polls the onboarding result until the account is open (`CreationComplete`), the application has ended (`Rejected`,
 * `CreationFailed`), or it waits for the firm (`ActionRequired`) or for operations (`ManualReview`). The wait has no
 * time limit; a signal ends it.
 */
export async function followOnboarding(
  client: Pick<Client<Decimals>, 'onboardingResult'>,
  accountNumber: string,
  settings: { readonly everyMs?: number; readonly signal?: AbortSignal } = {},
): Promise<AnswerOf<'onboarding-result'>> {
  const { everyMs = 1000, signal } = settings
  for (;;) {
    const answer: Answer<{ currentState: string }> = await client.onboardingResult(
      { accountNumber },
      signal === undefined ? {} : { signal },
    )
    if (!working.has(answer.data.currentState)) return answer as AnswerOf<'onboarding-result'>
    await wait(everyMs, signal)
  }
}
