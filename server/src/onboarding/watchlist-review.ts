/** Whether an application waits for decisions on its matches. */
import { isUnsettled, type OnboardingState } from '@clearing/domain'

export const waitsForMatches = ({ currentState, followUps }: OnboardingState): boolean =>
  currentState === 'ManualReview' &&
  followUps.some((followUp) => followUp.code === 'WatchlistReview' && isUnsettled(followUp))
