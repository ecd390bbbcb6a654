/** States as badges: the word says it, the colour repeats it. */
import { wordsOf } from './words.ts'

type Tone = 'good' | 'waiting' | 'attention' | 'bad' | 'quiet'

/** States of the service by their tone; a state that is not here has no colour. */
const tones: Readonly<Record<string, Tone>> = {
  ...table(
    'good',
    'Open Active Approved Success CreationComplete Accepted Complete Met Cleared Delivered Verified Enabled Done',
  ),
  ...table(
    'waiting',
    'Submitted Screening AccountCreation Pending InProgress Running Received Answered Waiting Uploaded Claimed',
  ),
  ...table(
    'attention',
    'ManualReview ActionRequired PendingApproval Restricted Overdue CutOff Retrying Maintenance Possible',
  ),
  ...table('bad', 'Rejected CreationFailed Failed Confirmed Broken Dead Disabled Revoked Locked Fed'),
  ...table('quiet', 'Closed NotStarted Skipped Expired Ended Cancelled Withdrawn'),
}

function table(tone: Tone, states: string): Record<string, Tone> {
  return Object.fromEntries(states.split(' ').map((state) => [state, tone]))
}

export interface StatusProps {
  readonly of: string
  /** Where the state alone does not say it: an open call is no good thing. */
  readonly tone?: Tone | undefined
}

export function Status({ of: state, tone }: StatusProps) {
  return <span className={`status status-${tone ?? tones[state] ?? 'quiet'}`}>{wordsOf(state)}</span>
}
