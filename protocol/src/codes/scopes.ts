// Scopes: the rights of an access token. The service does not start with a route that has no scope. Reading 2.3 and
// 2.4.

import { type CodeRow, firstVersion } from './code-list.ts'

interface Row extends CodeRow {
  /** Who can be granted the scope. A credential of a client firm is granted all scopes of firms by default. */
  readonly audience: 'firm' | 'operations'
}

const rows = [
  { value: 'accounts:read', label: 'Read accounts, onboarding results and coded lists', audience: 'firm' },
  { value: 'accounts:write', label: 'Open and change accounts, answer follow-ups', audience: 'firm' },
  { value: 'positions:read', label: 'Read positions and balances', audience: 'firm' },
  { value: 'activity:read', label: 'Read trade and other activity', audience: 'firm' },
  { value: 'documents:read', label: 'Read documents and their types', audience: 'firm' },
  { value: 'documents:write', label: 'Add and generate documents', audience: 'firm' },
  { value: 'events:read', label: 'Read events', audience: 'firm' },
  { value: 'pii:read', label: 'Read unmasked tax ids and government id numbers', audience: 'firm' },
  {
    value: 'operations',
    label: 'Operate the service: loads, decisions, the business day',
    audience: 'operations',
  },
] as const satisfies readonly Omit<Row, 'since'>[]

/** A scope of an access token. */
export type Scope = (typeof rows)[number]['value']

/** A scope with its meaning and who can be granted it. */
export interface ScopeRow extends Row {
  readonly value: Scope
}

/** The scopes. Reading 2.3. */
export const scopes: readonly ScopeRow[] = rows.map((row) => ({ ...row, since: firstVersion }))
