/** What the firm was asked about an open account and has not answered, below the title of the account. */
import { Link } from '@tanstack/react-router'
import { countOf, verbOf } from '../design/count.ts'
import { renderDayOf } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

/** An answer that was given is looked at by operations. */
const unanswered: ReadonlySet<string> = new Set(['Open', 'Rejected', 'Expired'])

export function Awaited({ accountNumber }: TabProps) {
  const { data } = useRead('onboarding-result', { accountNumber })
  const asked =
    data?.followUps.filter(({ kind, status }) => kind !== 'Review' && unanswered.has(status)) ?? []
  if (asked.length === 0) return null
  const first = asked
    .map(({ dueBy }) => dueBy ?? '')
    .filter(Boolean)
    .sort()[0]
  return (
    <>
      {' · '}
      <Link to={`/accounts/${accountNumber}/application`}>
        {countOf(asked.length, 'answer')} {verbOf(asked.length)} awaited
        {first !== undefined && (
          <>
            {asked.length === 1 ? ' by ' : ', the first by '}
            {renderDayOf(first)}
          </>
        )}
      </Link>
    </>
  )
}
