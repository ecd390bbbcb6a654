/** Waits for an application, since account opening is asynchronous (Specification, new-account; Reading 4.1). */
import type { Answer } from './answer.ts'
import type { AnswerOf, Client } from './client.ts'
import { checkNames, settingNames } from './setting-names.ts'
import type { Decimals } from './settings.ts'
import { wait } from './waiting.ts'

/** States in which the onboarding continues without a person. Every other state, also an unknown one, ends the wait. */
const working: ReadonlySet<string> = new Set(['Submitted', 'Screening', 'AccountCreation'])

/** Statuses of follow-ups that are over. */
const ended: ReadonlySet<string> = new Set(['Accepted', 'Waived', 'Expired'])
const defaultEveryMs = 1_000
/** A person reviews answers, which takes up to a business day. */
const defaultReviewEveryMs = 5_000

interface Progress {
  readonly currentState: string
  readonly followUps?: readonly { readonly status: string }[]
}

/**
 * Polls the onboarding result until the account is open (`CreationComplete`), the application has ended (`Rejected`,
 * `CreationFailed`), or it waits for the firm (`ActionRequired`) or for operations (`ManualReview`). While operations
 * review answered follow-ups, the state is `ActionRequired` and no follow-up waits for the firm: the wait continues.
 * It has no time limit; a signal ends it. `everyMs` is by default one second, and five during a review.
 */
export async function followOnboarding(
  client: Pick<Client<Decimals>, 'onboardingResult'>,
  accountNumber: string,
  settings: { readonly everyMs?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<AnswerOf<'onboarding-result'>> {
  checkNames(settings, settingNames.followOnboarding)
  const { everyMs, signal } = settings
  for (;;) {
    const answer: Answer<Progress> = await client.onboardingResult(
      { accountNumber },
      signal === undefined ? {} : { signal },
    )
    const inReview = isInReview(answer.data)
    if (!inReview && !working.has(answer.data.currentState)) return answer as AnswerOf<'onboarding-result'>
    await wait(everyMs ?? (inReview ? defaultReviewEveryMs : defaultEveryMs), signal)
  }
}

/** Whether the firm has answered every follow-up that waited for it. An unknown status can wait for the firm. */
function isInReview({ currentState, followUps = [] }: Progress): boolean {
  const waiting = followUps.filter(({ status }) => !ended.has(status))
  return (
    currentState === 'ActionRequired' &&
    waiting.length > 0 &&
    waiting.every(({ status }) => status === 'Answered')
  )
}
