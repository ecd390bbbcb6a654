/** States as badges. The word carries the meaning, and the colour repeats it. */
import { wordsOf } from './words.ts'

type Tone = 'good' | 'waiting' | 'attention' | 'bad' | 'quiet'

/** States of the service by their tone; other states have no colour. */
const tones: Readonly<Record<string, Tone>> = {
  ...table(
    'good',
    'Open Active Approved Success CreationComplete Accepted Complete Met Cleared Delivered Verified Enabled Done Booked',
  ),
  ...table(
    'waiting',
    'Submitted Screening AccountCreation Pending InProgress Running Received Answered Waiting Uploaded Claimed Announced Expected',
  ),
  ...table(
    'attention',
    'ManualReview ActionRequired PendingApproval Restricted Overdue CutOff Retrying Maintenance Possible Amending Cancelling',
  ),
  ...table('bad', 'Rejected CreationFailed Failed Confirmed Broken Dead Disabled Revoked Locked Fed Refused'),
  ...table('quiet', 'Closed NotStarted Skipped Expired Ended Cancelled Withdrawn'),
}

function table(tone: Tone, states: string): Record<string, Tone> {
  return Object.fromEntries(states.split(' ').map((state) => [state, tone]))
}

export interface StatusProps {
  readonly of: string
  /** For states whose meaning depends on the subject: an open call is no success. */
  readonly tone?: Tone | undefined
}

export function Status({ of: state, tone }: StatusProps) {
  return <span className={`status status-${tone ?? tones[state] ?? 'quiet'}`}>{wordsOf(state)}</span>
}
