/** Approves or rejects an application that waits for a person, or asks the firm. Otherwise shows the decision. */
import { Act } from '../act/act.tsx'
import { useDecider } from '../audit/decider.ts'
import type { Answered } from '../client.ts'
import { renderTime } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { useGoOn } from '../work/next-item.tsx'
import { AskFirm } from './ask-firm.tsx'

export type Result = Answered<'onboarding-result'>

interface DecisionProps {
  readonly result: Result
}

/** The person who decided last, and the time; empty until they are known. */
function useApplicationDecider(result: Result): string {
  const left = decisionOf(result)
  return useDecider(
    left && {
      accountNumber: result.accountNumber,
      action: left.to === 'Rejected' ? 'onboarding.rejected' : 'onboarding.approved',
    },
  )
}

/** The last decision of a person on the application, with its reason. */
export function Decision({ result }: DecisionProps) {
  const left = decisionOf(result)
  const decider = useApplicationDecider(result)
  if (left === undefined) return 'not yet'
  return (
    <>
      {left.to === 'Rejected' ? 'Rejected' : 'Approved'}
      {decider || ` at ${renderTime(left.at)}`}
      {left.reason !== '' && <div className="quiet">{left.reason}</div>}
    </>
  )
}

export function DecideApplication({ result }: DecisionProps) {
  const { accountNumber } = result
  const decider = useApplicationDecider(result)
  const notNow = whyNotDecided(result, decider)
  const waitsForFirm = result.currentState === 'ActionRequired'
  const goOn = useGoOn({ queue: 'Application', itemId: accountNumber })
  const { data: found } = useRead('list-matches', { accountNumber })
  const open = found?.matches.filter(({ decision }) => decision === 'Open').length ?? 0
  return (
    <>
      <Act
        operation="decide-onboarding"
        label="Approve"
        shortcut="a"
        title="Approve the application"
        submit="Approve"
        notNow={
          waitsForFirm
            ? 'It waits for the firm: it can be rejected, but not approved.'
            : (notNow ?? whyMatchesFirst(open))
        }
        look={{ variant: 'filled' }}
        explains="The onboarding continues automatically."
        fields={[{ name: 'reason', label: 'Reason', kind: 'long' }]}
        fixed={{ accountNumber, decision: 'Approved' }}
        onDone={goOn}
      />
      <AskFirm
        accountNumber={accountNumber}
        notNow={waitsForFirm ? 'It already waits for the firm.' : notNow}
        onDone={goOn}
      />
      <Act
        operation="decide-onboarding"
        label="Reject"
        shortcut="r"
        title="Reject the application"
        submit="Reject"
        danger
        notNow={waitsForFirm ? undefined : notNow}
        explains="The account is not opened. The firm reads the reason, so do not write personal data."
        fields={[{ name: 'reason', label: 'Reason', kind: 'long', required: true }]}
        fixed={{ accountNumber, decision: 'Rejected' }}
        onDone={goOn}
      />
    </>
  )
}

/** Matches are decided one by one on the screening screen; an approval clears none of them. */
function whyMatchesFirst(open: number): string | undefined {
  return open === 0
    ? undefined
    : `${open === 1 ? 'A match of a watch list is' : `${open} matches of watch lists are`} open: decide under Screening first.`
}

/** Only an application in manual review can be approved. */
function whyNotDecided(result: Result, decider: string): string | undefined {
  const { currentState, withdrawnOn } = result
  if (currentState === 'ManualReview') return undefined
  const left = decisionOf(result)
  if (left !== undefined)
    return `It was decided${decider || ` at ${renderTime(left.at)}`}: ${left.reason || wordsOf(left.to)}`
  if (withdrawnOn !== null) return `The firm withdrew it at ${renderTime(withdrawnOn)}.`
  return `It is in the state ${wordsOf(currentState).toLowerCase()}, which needs no decision.`
}

/**
 * The step by which a person decided. A request for information decides nothing. Only a person rejects what waits for
 * the firm.
 */
export function decisionOf({ history, withdrawnOn }: Result) {
  if (withdrawnOn !== null) return undefined
  const left = history.findLast(
    ({ from, to }) => from === 'ManualReview' || (from === 'ActionRequired' && to === 'Rejected'),
  )
  return left?.to === 'ActionRequired' ? undefined : left
}
