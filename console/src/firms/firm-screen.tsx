/** A client firm: its numbers and limits, credentials, webhooks and requests. */
import { Stack } from '@mantine/core'
import { usePart } from '../address.ts'
import { AuditRows } from '../audit/audit-rows.tsx'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { Credentials } from './credentials.tsx'
import { FirmActs } from './firm-acts.tsx'
import { Requests } from './requests.tsx'
import { Usage } from './usage.tsx'
import { Webhooks } from './webhooks.tsx'

export function FirmScreen() {
  const firmId = usePart('firmId')
  return (
    <Shown read={useRead('list-firms', {})} failedPage={{ title: 'Firm' }}>
      {({ firms }) => {
        const firm = firms.find((one) => one.firmId === firmId)
        if (firm === undefined) {
          return (
            <Page title="Firm">
              <Empty what="There is no such firm." />
            </Page>
          )
        }
        return (
          <Page
            title={firm.name}
            subject={firm.name}
            above={[{ label: 'Client firms', to: '/firms' }]}
            badge={<Status of={firm.disabled ? 'Disabled' : 'Active'} />}
            acts={<FirmActs firm={firm} />}
          >
            <Stack gap="md">
              <div className="columns">
                <Panel title="Firm">
                  <Facts
                    facts={[
                      ['Entity numbers', firm.entityNumbers.join(', ')],
                      ['Rep codes', firm.repCodes.join(', ')],
                      ['Created', <Time key="created" at={firm.createdOn} />],
                      [
                        'Firm id',
                        <span key="id" className="mono">
                          {firm.firmId}
                        </span>,
                      ],
                    ]}
                  />
                </Panel>
                <Panel title="Settings and limits">
                  <Facts
                    facts={Object.entries(firm.settings).map(
                      ([name, value]) => [wordsOf(name), renderSetting(value)] as const,
                    )}
                  />
                </Panel>
              </div>
              <Credentials firm={firm} />
              <Webhooks firmId={firmId} />
              <Usage firmId={firmId} />
              <Requests firmId={firmId} />
              <Panel title="Actions of the firm" note="its audit trail, the newest first" flush>
                <AuditRows filters={{ firmId }} />
              </Panel>
            </Stack>
          </Page>
        )
      }}
    </Shown>
  )
}

function renderSetting(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((one) => wordsOf(String(one))).join(', ')
  return typeof value === 'string' || typeof value === 'number'
    ? wordsOf(String(value))
    : JSON.stringify(value)
}
