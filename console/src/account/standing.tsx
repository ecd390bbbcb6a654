/**
 * Why an account is as it is, below its title: what the firm has not answered about an open account, how far an
 * application is, why it was rejected, or why the account was closed.
 */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { countOf, verbOf } from '../design/count.ts'
import { renderDayOf, withTimes } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { isBlock } from './record.ts'

export function Standing({ accountNumber, status }: TabProps & { readonly status: string }) {
  if (status === 'Closed') return <Closed accountNumber={accountNumber} />
  return (
    <OfApplication accountNumber={accountNumber} isOpened={status === 'Open' || status === 'Restricted'} />
  )
}

type Result = Answered<'onboarding-result'>

function OfApplication({ accountNumber, isOpened }: TabProps & { readonly isOpened: boolean }) {
  const { data } = useRead('onboarding-result', { accountNumber })
  const says = data === undefined ? [] : isOpened ? unansweredIn(data) : [remarksOf(data)]
  return says.map((text) => (
    <span key={text}>
      {' · '}
      <Link to={`/accounts/${accountNumber}/application`}>{text}</Link>
    </span>
  ))
}

/** An answer that was given is looked at by operations. */
const awaited: ReadonlySet<string> = new Set(['Open', 'Rejected'])

function unansweredIn({ followUps }: Result): string[] {
  const asked = followUps.filter(({ kind }) => kind !== 'Review')
  const open = asked.filter(({ status }) => awaited.has(status))
  const expired = asked.filter(({ status }) => status === 'Expired')
  return [
    ...said(open, `${verbOf(open.length)} awaited`),
    ...said(expired, `${expired.length === 1 ? 'was' : 'were'} not given`),
  ]
}

/** `1 answer is awaited by Dec 30, 2026`. */
function said(asked: Result['followUps'], verb: string): string[] {
  if (asked.length === 0) return []
  const [first] = asked.flatMap(({ dueBy }) => dueBy ?? []).sort()
  const by = asked.length === 1 ? ' by' : ', the first by'
  return [
    `${countOf(asked.length, 'answer')} ${verb}${first === undefined ? '' : `${by} ${renderDayOf(first)}`}`,
  ]
}

/** The remarks do not state why operations must decide. */
function remarksOf({ currentState, remarks, history }: Result): string {
  const why = currentState === 'ManualReview' ? (history.at(-1)?.reason ?? '') : ''
  return withTimes([remarks, why].filter(Boolean).join(' '))
}

/** The closing is a change of the status alone, whose reason is only in the audit trail. */
function Closed({ accountNumber }: TabProps) {
  const { data } = useRead('list-audit', { accountNumber, action: 'close-account', size: 1 })
  const [closing] = data?.rows ?? []
  if (closing === undefined) return null
  const reason = isBlock(closing.detail) ? closing.detail.reason : ''
  return (
    <>
      {' · '}
      <Link to={`/accounts/${accountNumber}`} search={{ tab: 'audit' }}>
        Closed on {renderDayOf(closing.at)}
        {typeof reason === 'string' && reason !== '' && `: ${withTimes(reason)}`}
      </Link>
    </>
  )
}
