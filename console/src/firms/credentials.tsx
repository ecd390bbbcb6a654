/** The credentials of a firm: create, rotate, disable. A secret is shown once, in the dialog that created it. */
import { limits } from '@clearing/protocol'
import { Alert, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { type Change, isAbout, Waits } from '../change/waits.tsx'
import { Button } from '../design/button.tsx'
import { choicesOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useAll } from '../reads.ts'
import type { Firm } from './firms-screen.tsx'

type Credential = Firm['credentials'][number] & {
  /** Requested changes of the credential without a decision. */
  readonly waiting: readonly Change[]
  /** It was requested and does not exist before the approval. */
  readonly isAskedFor: boolean
}

export function Credentials({ firm }: { readonly firm: Firm }) {
  const changes = useAll('list-changes', 'changes', { firmId: firm.firmId, state: 'Requested' })
  return (
    <Panel
      title="Credentials"
      note="new credentials work after a second person approves them"
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
              hint: 'Leave it empty to grant all scopes of firms.',
            },
          ]}
          fixed={{ firmId: firm.firmId }}
          result={({ data, message }) => (
            <Secret clientId={data.clientId} secret={data.clientSecret} message={message} />
          )}
        />
      }
    >
      {changes.error !== null && <Failure fault={changes.error} again={() => void changes.refetch()} />}
      <Table
        label="Credentials"
        rows={withWaiting(firm, changes.rows)}
        keyOf={({ clientId }) => clientId}
        empty={changes.isPending ? 'The requested credentials are loading.' : 'The firm has no credentials.'}
        columns={columns}
      />
    </Panel>
  )
}

/** The credentials with the changes that wait for a second person, new ones first. */
function withWaiting(firm: Firm, changes: readonly Change[]): Credential[] {
  const asked = changes.filter(({ operation }) => operation === 'create-credential')
  const after = ({ fields }: Change, name: string) => fields.find(({ field }) => field === name)?.after ?? ''
  return [
    ...asked.map((change) => ({
      clientId: after(change, 'clientId'),
      firmId: firm.firmId,
      name: after(change, 'name'),
      scopes: after(change, 'scopes').split(' '),
      addressRanges: [],
      boundTokens: false,
      disabled: true,
      createdOn: change.requestedOn,
      secrets: [],
      waiting: [change],
      isAskedFor: true,
    })),
    ...firm.credentials.map((credential) => ({
      ...credential,
      waiting: changes.filter((change) => isAbout(change, 'clientId', credential.clientId)),
      isAskedFor: false,
    })),
  ]
}

function Secret(props: { readonly clientId: string; readonly secret: string; readonly message: string }) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" title="The secret is shown only once">
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
}

const notApproved = 'A second person has not approved it yet.'

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
  {
    key: 'state',
    header: 'State',
    cell: ({ disabled, waiting, isAskedFor }) => (
      <>
        {!isAskedFor && <Status of={disabled ? 'Disabled' : 'Active'} />}
        {waiting.map((change) => (
          <Waits
            key={change.changeId}
            what={isAskedFor ? 'Not approved yet' : `${wordsOf(change.operation)} waits`}
            change={change}
          />
        ))}
      </>
    ),
  },
  {
    key: 'scopes',
    header: 'Scopes',
    cell: ({ scopes, addressRanges, boundTokens }) => (
      <>
        <span className="quiet">{scopes.join(', ')}</span>
        {addressRanges.length > 0 && <div>from {addressRanges.join(', ')} only</div>}
        {boundTokens && <div>bound tokens only</div>}
      </>
    ),
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
    cell: ({ clientId, disabled, addressRanges, boundTokens, isAskedFor }) => (
      <Group gap="xs" className="acts">
        <Act
          operation="rotate-credential"
          label="New secret…"
          title="Give the credential a new secret"
          submit="Make it"
          notNow={isAskedFor ? notApproved : disabled ? 'The credential is disabled.' : undefined}
          fields={[
            {
              name: 'overlapHours',
              label: 'Hours that the old secret goes on working',
              kind: 'whole',
              first: '24',
              hint: `0 ends it at once; at most ${limits.secretOverlapHoursMax}.`,
            },
          ]}
          fixed={{ clientId }}
          of={clientId}
          result={({ data, message }) => (
            <Secret clientId={clientId} secret={data.clientSecret} message={message} />
          )}
        />
        <Act
          operation="update-credential"
          label="Limits…"
          title="Limit the use of the credential"
          submit="Save"
          notNow={isAskedFor ? notApproved : undefined}
          fields={[
            {
              name: 'addressRanges',
              label: 'Addresses and networks',
              kind: 'words',
              first: addressRanges,
              hint: 'Such as 203.0.113.0/24 or 2001:db8::/32; Enter after each. None: every address.',
            },
            {
              name: 'boundTokens',
              label: 'Only tokens that are bound to a key of the client',
              kind: 'flag',
              first: boundTokens,
            },
          ]}
          fixed={{ clientId }}
          of={clientId}
        />
        <Act
          operation="disable-credential"
          label={disabled ? 'Enable…' : 'Disable…'}
          title={disabled ? 'Enable the credential' : 'Disable the credential'}
          danger={!disabled}
          notNow={isAskedFor ? notApproved : undefined}
          explains={disabled ? 'Its secrets work again.' : 'Its tokens stop working within five seconds.'}
          fields={
            disabled
              ? []
              : [
                  {
                    name: 'endWebhooks',
                    label: 'Also disable the webhooks that it created or redirected',
                    kind: 'flag',
                    first: false,
                  },
                ]
          }
          fixed={{ clientId, disabled: !disabled }}
          of={clientId}
        />
      </Group>
    ),
  },
]
