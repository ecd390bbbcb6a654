/**
 * An account: its record, and a tab for everything that belongs to it. The address contains the tab and the selected
 * day.
 */
import { Tabs } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useFilters, useGoTo, usePart } from '../address.ts'
import { isRejection } from '../design/fault.ts'
import { Page } from '../design/page.tsx'
import { valueInWords } from '../design/record-words.ts'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { loadLater } from '../load-later.tsx'
import { useRead } from '../reads.ts'
import { useKeys } from '../work/keys.ts'
import { AccountActs } from './account-acts.tsx'
import { InForce } from './in-force.tsx'
import { KeyFigures } from './key-figures.tsx'
import { namedAccount } from './named.ts'
import { recordOf } from './record.ts'
import { Standing } from './standing.tsx'
import { WaitingChanges } from './waiting-changes.tsx'

export interface TabProps {
  readonly accountNumber: string
}

const tabs: readonly {
  readonly name: string
  readonly label: string
  readonly tab: ComponentType<TabProps>
}[] = [
  {
    name: 'record',
    label: 'Record',
    tab: loadLater(() => import('./record-tab.tsx').then((file) => file.RecordTab)),
  },
  {
    name: 'history',
    label: 'History',
    tab: loadLater(() => import('./history-tab.tsx').then((file) => file.HistoryTab)),
  },
  {
    name: 'restrictions',
    label: 'Restrictions',
    tab: loadLater(() => import('./restrictions-tab.tsx').then((file) => file.RestrictionsTab)),
  },
  {
    name: 'positions',
    label: 'Positions',
    tab: loadLater(() => import('./positions-tab.tsx').then((file) => file.PositionsTab)),
  },
  {
    name: 'lots',
    label: 'Lots',
    tab: loadLater(() => import('./lots-tab.tsx').then((file) => file.LotsTab)),
  },
  {
    name: 'realized',
    label: 'Realized',
    tab: loadLater(() => import('./realized-tab.tsx').then((file) => file.RealizedTab)),
  },
  {
    name: 'margin',
    label: 'Margin',
    tab: loadLater(() => import('./margin-tab.tsx').then((file) => file.MarginTab)),
  },
  {
    name: 'activity',
    label: 'Activity',
    tab: loadLater(() => import('./activity-tab.tsx').then((file) => file.ActivityTab)),
  },
  {
    name: 'documents',
    label: 'Documents',
    tab: loadLater(() => import('./documents-tab.tsx').then((file) => file.DocumentsTab)),
  },
  {
    name: 'events',
    label: 'Events',
    tab: loadLater(() => import('./events-tab.tsx').then((file) => file.EventsTab)),
  },
  {
    name: 'notes',
    label: 'Notes',
    tab: loadLater(() => import('./notes-tab.tsx').then((file) => file.NotesTab)),
  },
  {
    name: 'audit',
    label: 'Audit',
    tab: loadLater(() => import('./audit-tab.tsx').then((file) => file.AuditTab)),
  },
]

function isNotFound(fault: unknown): boolean {
  return isRejection(fault) && fault.status === 404
}

export function AccountScreen() {
  const accountNumber = usePart('accountNumber')
  const [filters, set] = useFilters()
  const account = useRead('get-account', { accountNumber })
  const goTo = useGoTo()
  useKeys([{ key: 'c', does: 'Correct', act: () => goTo(`/accounts/${accountNumber}/correct`) }])
  const chosen = tabs.find(({ name }) => name === filters.tab) ?? tabs[0]
  const above = [{ label: 'Accounts', to: '/accounts' }]
  if (account.data === undefined && isNotFound(account.error))
    return (
      <Page title={`Account ${accountNumber}`} above={above}>
        <Empty what="There is no account with this number." hint="Search by a name under Accounts." />
      </Page>
    )
  return (
    <Shown read={account} failedPage={{ title: `Account ${accountNumber}`, above }}>
      {(data) => {
        const record = recordOf(data)
        const status = String(record.accountStatus ?? '')
        return (
          <Page
            title={String(record.accountName ?? '') || `Account ${accountNumber}`}
            windowTitle={`Account ${accountNumber}`}
            subject={namedAccount(accountNumber, record)}
            note={
              <>
                Account {accountNumber} ·{' '}
                {valueInWords('registrationType', String(record.registrationType ?? ''))}
                <WaitingChanges accountNumber={accountNumber} />
                <Standing accountNumber={accountNumber} status={status} />
              </>
            }
            above={above}
            badge={status !== '' && <Status of={status} />}
            acts={
              <>
                <Link to={`/accounts/${accountNumber}/application`}>Application</Link>
                <Link to={`/accounts/${accountNumber}/screening`}>Screening</Link>
                <Link to={`/accounts/${accountNumber}/correct`} aria-keyshortcuts="c">
                  Correct
                </Link>
                <AccountActs accountNumber={accountNumber} record={record} />
              </>
            }
          >
            <KeyFigures accountNumber={accountNumber} />
            {status === 'Restricted' && <InForce accountNumber={accountNumber} />}
            <Tabs
              value={chosen?.name ?? ''}
              onChange={(tab) => set({ tab: tab ?? undefined })}
              keepMounted={false}
              activateTabWithKeyboard={false}
            >
              <Tabs.List>
                {tabs.map(({ name, label }) => (
                  <Tabs.Tab key={name} value={name}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {tabs.map(({ name, tab: Tab }) => (
                <Tabs.Panel key={name} value={name} pt="md">
                  <Tab accountNumber={accountNumber} />
                </Tabs.Panel>
              ))}
            </Tabs>
          </Page>
        )
      }}
    </Shown>
  )
}
