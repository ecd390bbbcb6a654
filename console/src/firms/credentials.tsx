/** The credentials of a firm: created, given new secrets, disabled. A secret is shown once, in the dialog that made it. */
import { limits } from '@clearing/protocol'
import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { choicesOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import type { Firm } from './firms-screen.tsx'

type Credential = Firm['credentials'][number]

export const Credentials = ({ firm }: { readonly firm: Firm }) => (
  <Panel
    title="Credentials"
    note="new ones work when a second person has approved them"
    flush
    acts={
      <Act
        operation="create-credential"
        label="Create a credential"
        title="Create a credential"
        submit="Create"
        fields={[
          { name: 'name', label: 'Name', kind: 'text', required: true, hint: 'What it is for.' },
          {
            name: 'scopes',
            label: 'Scopes',
            kind: 'several',
            choices: choicesOf('scope').filter(({ value }) => value !== 'operations'),
            hint: 'Empty grants all that a firm may have.',
          },
        ]}
        fixed={{ firmId: firm.firmId } as never}
        result={({ data, message }) => (
          <Secret clientId={data.clientId} secret={data.clientSecret} message={message} />
        )}
      />
    }
  >
    <Table
      label="Credentials"
      rows={firm.credentials}
      keyOf={({ clientId }) => clientId}
      empty="The firm has no credentials."
      columns={columns}
    />
  </Panel>
)

const Secret = (props: { readonly clientId: string; readonly secret: string; readonly message: string }) => (
  <Stack gap="sm">
    <Alert color="yellow" title="The secret is shown this once">
      {props.message}
    </Alert>
    <Text size="sm">
      Client id <span className="mono">{props.clientId}</span>
    </Text>
    <Group gap="sm">
      <Text size="sm">
        Secret{' '}
        <span className="mono" data-secret>
          {props.secret}
        </span>
      </Text>
      <CopyButton value={props.secret}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  </Stack>
)

const columns: readonly Column<Credential>[] = [
  {
    key: 'id',
    header: 'Client id',
    by: ({ clientId }) => clientId,
    cell: ({ clientId, name }) => (
      <>
        <span className="mono">{clientId}</span>
        <div className="quiet">{name}</div>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: ({ disabled }) => <Status of={disabled ? 'Disabled' : 'Active'} /> },
  {
    key: 'scopes',
    header: 'Scopes',
    cell: ({ scopes }) => <span className="quiet">{scopes.join(', ')}</span>,
  },
  {
    key: 'secrets',
    header: 'Secrets',
    cell: ({ secrets }) =>
      secrets.map(({ secretId, createdOn, expiresOn }) => (
        <div key={secretId}>
          made <Time at={createdOn} />
          {expiresOn !== null && (
            <>
              , ends <Time at={expiresOn} />
            </>
          )}
        </div>
      )),
  },
  {
    key: 'acts',
    header: <span className="unseen">Acts</span>,
    cell: ({ clientId, disabled }) => (
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <Act
          operation="rotate-credential"
          label="New secret…"
          title="Give the credential a new secret"
          submit="Make it"
          notNow={disabled ? 'The credential is disabled.' : undefined}
          fields={[
            {
              name: 'overlapHours',
              label: 'Hours that the old secret goes on working',
              kind: 'whole',
              first: '24',
              hint: `0 ends it at once; at most ${limits.secretOverlapHoursMax}.`,
            },
          ]}
          fixed={{ clientId } as never}
          result={({ data, message }) => (
            <Secret clientId={clientId} secret={data.clientSecret} message={message} />
          )}
        />
        <Act
          operation="disable-credential"
          label={disabled ? 'Enable…' : 'Disable…'}
          title={disabled ? 'Enable the credential' : 'Disable the credential'}
          danger={!disabled}
          explains={disabled ? 'Its secrets work again.' : 'Its tokens stop working within five seconds.'}
          fixed={{ clientId, disabled: !disabled } as never}
        />
      </Group>
    ),
  },
]
