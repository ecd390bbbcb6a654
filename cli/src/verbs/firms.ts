/** `firms …`: client firms and their credentials. */
import { connect } from '../connect.ts'
import { makeOperationVerb, type OperationVerbSettings } from '../operation-verbs.ts'
import { showRows } from '../show.ts'
import type { Verb } from '../verb.ts'

const group = 'Work'

const listFirms: Verb = {
  path: ['firms', 'list'],
  group,
  summary: 'List client firms and their credentials',
  arguments: [],
  flags: [],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const { data } = await client.operations.listFirms({}, { signal: terminal.signal })
    const rows = data.firms.map(({ name, entityNumbers, repCodes, credentials, disabled, firmId }) => ({
      name,
      entityNumbers,
      repCodes,
      credentials: credentials.map((each) => (each.disabled ? `${each.clientId} (disabled)` : each.clientId)),
      disabled,
      firmId,
    }))
    await showRows(undefined, given.json ? data.firms : rows, given.json, terminal)
    return 0
  },
}

const made: readonly Pick<OperationVerbSettings, 'name' | 'path' | 'members' | 'fixed' | 'summary'>[] = [
  { path: ['firms', 'create'], name: 'create-firm', members: ['name'] },
  { path: ['firms', 'update'], name: 'update-firm', members: ['firmId'] },
  { path: ['firms', 'add-credential'], name: 'create-credential', members: ['firmId', 'name'] },
  { path: ['firms', 'rotate-credential'], name: 'rotate-credential', members: ['clientId'] },
  { path: ['firms', 'update-credential'], name: 'update-credential', members: ['clientId'] },
  {
    path: ['firms', 'disable-credential'],
    name: 'disable-credential',
    members: ['clientId'],
    fixed: { disabled: true },
  },
  {
    path: ['firms', 'enable-credential'],
    name: 'disable-credential',
    members: ['clientId'],
    fixed: { disabled: false },
    summary: 'Enable a disabled credential',
  },
]

export function firmVerbs(): Verb[] {
  return [
    listFirms,
    ...made.map((settings) => makeOperationVerb({ ...settings, audience: 'operations', group })),
  ]
}
