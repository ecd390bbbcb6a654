/** The members of the staff with their roles: add, change, disable; and the permissions of each role. */
import { permissions, type StaffRole } from '@clearing/protocol'
import type { Answer } from '@clearing/sdk'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import type { Answered } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'

type Person = Answered<'list-staff'>['staff'][number]

const roles: readonly StaffRole[] = ['viewer', 'operator', 'principal', 'admin']
const role = { name: 'role', label: 'Role', kind: 'choice', choices: choicesOf('staffRole') } as const

export function StaffScreen() {
  const { email } = useSession()
  return (
    <Page
      title="Staff"
      acts={
        <Act
          operation="create-staff"
          label="Add a person"
          title="Add a person"
          submit="Add"
          look={{ variant: 'filled' }}
          fields={[
            { name: 'name', label: 'Name', kind: 'text', required: true },
            { name: 'email', label: 'E-mail', kind: 'text', required: true },
            { ...role, required: true },
          ]}
          result={renderPassword}
        />
      }
    >
      <Panel title="People" flush>
        <Shown read={useRead('list-staff', {})}>
          {({ staff }) => (
            <Table
              label="People"
              rows={staff}
              keyOf={(person) => person.email}
              empty="There are no staff."
              columns={columnsFor(email)}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="What each role may do" flush>
        <Table
          label="Permissions"
          isPart
          rows={Object.entries(permissions)}
          keyOf={([operation]) => operation}
          empty=""
          columns={[
            {
              key: 'operation',
              header: 'Operation',
              by: ([operation]) => operation,
              cell: ([operation]) => wordsOf(operation),
            },
            ...roles.map((one) => ({
              key: one,
              header: wordsOf(one),
              cell: ([, may]: [string, readonly StaffRole[]]) =>
                may.includes(one) ? 'may' : <span className="quiet">—</span>,
            })),
          ]}
        />
      </Panel>
    </Page>
  )
}

function renderPassword({ data, message }: Answer<Answered<'create-staff'>>) {
  return data.password === '' ? (
    <Text size="sm">{message}</Text>
  ) : (
    <Stack gap="sm">
      <Alert color="yellow" title="The password is shown only once">
        {data.email} signs in with it once, within 72 hours, and chooses another.
      </Alert>
      <span className="mono" data-secret>
        {data.password}
      </span>
    </Stack>
  )
}

function columnsFor(own: string): readonly Column<Person>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      by: ({ name }) => name,
      cell: ({ name, email }) => (
        <>
          {name}
          <div className="quiet">{email}</div>
        </>
      ),
    },
    { key: 'role', header: 'Role', by: (person) => person.role, cell: (person) => wordsOf(person.role) },
    {
      key: 'state',
      header: 'State',
      cell: ({ disabled }) => <Status of={disabled ? 'Disabled' : 'Active'} />,
    },
    {
      key: 'factor',
      header: 'Second factor',
      cell: ({ secondFactor }) => (
        <Status of={secondFactor ? 'Set up' : 'Not set up'} tone={secondFactor ? 'good' : 'attention'} />
      ),
    },
    {
      key: 'seen',
      header: 'Last sign-in',
      by: ({ lastSignInOn }) => lastSignInOn ?? '',
      cell: ({ lastSignInOn }) => <Time at={lastSignInOn} />,
    },
    {
      key: 'acts',
      header: <span className="unseen">Acts</span>,
      cell: ({ email, name, role: current, disabled }) => {
        const notNow = email === own ? 'Another admin changes your own entry.' : undefined
        return (
          <Group gap="xs" className="acts">
            <Act
              operation="update-staff"
              label="Change…"
              title={`Change ${email}`}
              submit="Save"
              notNow={notNow}
              fields={[
                { name: 'name', label: 'Name', kind: 'text', required: true, first: name },
                { ...role, required: true, first: current },
                { name: 'resetPassword', label: 'Set a temporary password', kind: 'flag' },
                { name: 'resetSecondFactor', label: 'Remove the second factor', kind: 'flag' },
                { name: 'endSessions', label: 'Sign out everywhere', kind: 'flag' },
              ]}
              fixed={{ email }}
              of={name}
              result={renderPassword}
            />
            <Act
              operation="update-staff"
              label={disabled ? 'Enable…' : 'Disable…'}
              title={disabled ? `Enable ${email}` : `Disable ${email}`}
              danger={!disabled}
              notNow={notNow}
              explains={disabled ? undefined : 'The person’s sessions end at once.'}
              fixed={{ email, disabled: !disabled }}
              of={name}
            />
          </Group>
        )
      },
    },
  ]
}
