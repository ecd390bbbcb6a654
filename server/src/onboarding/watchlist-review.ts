/** Whether an application waits for decisions on its matches. */
import { isUnsettled, type OnboardingState } from '@clearing/domain'

export function waitsForMatches({ currentState, followUps }: OnboardingState): boolean {
  return (
    currentState === 'ManualReview' &&
    followUps.some((followUp) => followUp.code === 'WatchlistReview' && isUnsettled(followUp))
  )
}
