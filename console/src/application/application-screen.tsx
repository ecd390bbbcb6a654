/** An application: its stages, the sent values beside the stored ones, its follow-ups, and the decision. */
import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useNamedAccount } from '../account/named.ts'
import { Notes } from '../account/notes.tsx'
import { recordOf } from '../account/record.ts'
import { usePart } from '../address.ts'
import { type Fact, Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { valueInWords } from '../design/record-words.ts'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { ClaimedBy } from '../work/claimed-by.tsx'
import { NextItem } from '../work/next-item.tsx'
import { Comparison } from './comparison.tsx'
import { DecideApplication, Decision, decisionOf, type Result } from './decide-application.tsx'
import { Noted } from './findings.tsx'
import { FollowUps } from './follow-ups.tsx'
import { Stages } from './stages.tsx'
import { Wrongs } from './wrongs.tsx'

export function ApplicationScreen() {
  const accountNumber = usePart('accountNumber')
  const subject = useNamedAccount(accountNumber)
  const title = `Application ${accountNumber}`
  const above = [
    { label: 'Work', to: '/work' },
    { label: `Account ${accountNumber}`, to: `/accounts/${accountNumber}` },
  ]
  return (
    <Shown read={useRead('onboarding-result', { accountNumber })} rows={10} failedPage={{ title, above }}>
      {(result) => (
        <Page
          title={title}
          subject={subject}
          note={<Note accountNumber={accountNumber} remarks={result.remarks} />}
          above={above}
          badge={<Status of={result.currentState} />}
          acts={
            <>
              <ClaimedBy queue="Application" accountNumber={accountNumber} itemId={accountNumber} />
              <NextItem queue="Application" itemId={accountNumber} />
              <Link to={`/accounts/${accountNumber}/screening`}>Screening</Link>
              <DecideApplication result={result} />
            </>
          }
        >
          <div className="beside">
            <Stack gap="md">
              {result.errorResponses.length > 0 && <Wrongs wrongs={result.errorResponses} />}
              {result.followUps.length > 0 && <FollowUps result={result} />}
              <Noted accountNumber={accountNumber} findings={result.findings} />
              <Comparison accountNumber={accountNumber} />
            </Stack>
            <Stack gap="md">
              <Panel title="Application">
                <Facts
                  facts={[
                    ['Submitted', <Time key="created" at={result.createdOn} />],
                    ...decisionFacts(result),
                    ['Last changed', <Time key="updated" at={result.lastUpdated} />],
                    [
                      'Tracking id',
                      <span key="id" className="mono">
                        {result.correlationId}
                      </span>,
                    ],
                  ]}
                />
              </Panel>
              <Stages result={result} />
              <Panel title="Notes" note="visible to staff only">
                <Notes accountNumber={accountNumber} />
              </Panel>
            </Stack>
          </div>
        </Page>
      )}
    </Shown>
  )
}

/** Most applications need no decision of a person. */
function decisionFacts(result: Result): Fact[] {
  if (result.withdrawnOn !== null)
    return [['Withdrawn by the firm', <Time key="withdrawn" at={result.withdrawnOn} />]]
  return decisionOf(result) ? [['Decision', <Decision key="decision" result={result} />]] : []
}

/** The applicant, the registration, and what happens now. */
function Note({ accountNumber, remarks }: { readonly accountNumber: string; readonly remarks: string }) {
  const { data } = useRead('get-account', { accountNumber })
  const record = data === undefined ? {} : recordOf(data)
  const type = valueInWords('registrationType', String(record.registrationType ?? ''))
  const applicant = [String(record.accountName ?? ''), type].filter((part) => part !== '').join(' · ')
  return (
    <>
      {applicant !== '' && <span className="applicant">{applicant}</span>}
      {remarks}
    </>
  )
}
