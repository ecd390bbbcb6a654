/**
 * Accounts that are older than the table of changes: the migration derives their history from versions and the audit
 * trail.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate, readMigrations } from '../database/migrate.ts'
import { createTestDatabase } from '../database/test-database.ts'

const firmId = '01900000-0000-7000-8000-000000000001'
const opening = "'2026-01-05T10:00:00Z'"
const opened = "'2026-01-05T10:00:01Z'"
const changed = "'2026-02-01T12:00:00Z'"

const record = JSON.stringify({
  primaryOwner: { customerId: '100000000000000001', firstName: 'ADA', lastName: 'MORENO', suffix: 'JR' },
  associatedParties: [],
  beneficiaries: [
    { customerId: '100000000000000002', firstName: 'LUIS', middleName: 'B', lastName: 'MORENO' },
  ],
})

const before = `
  insert into clearing.firm (firm_id, name, created_at) values ('${firmId}', 'Alpha', ${opening});
  insert into clearing.entity (firm_id, entity_number, created_at) values ('${firmId}', '301', ${opening});
  insert into clearing.rep_code (firm_id, rep_code, created_at) values ('${firmId}', 'JC01', ${opening});
  insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, version, record, sealed, created_at, updated_at, opened_at) values
    ('30100001', '${firmId}', '301', 'JC01', 'Individual', 'Open', 'ADA MORENO JR', 2, '${record}', '\\x00', ${opening}, ${changed}, ${opened}),
    ('30100002', '${firmId}', '301', 'JC01', 'Individual', 'Rejected', 'ADA MORENO JR', 1, '${record}', '\\x00', ${opening}, ${opened}, null),
    ('30100003', '${firmId}', '301', 'JC01', 'Individual', 'Reserved', '', 1, null, null, ${opening}, ${opening}, null);
  insert into clearing.account_version (account_number, firm_id, version, status, account_name, record, sealed, valid_from, valid_to) values
    ('30100001', '${firmId}', 1, 'Open', 'ADA MORENO JR', '${record}', '\\x00', ${opened}, ${changed});
  insert into clearing.party (account_number, firm_id, customer_id, capacity, name) values
    ('30100001', '${firmId}', '100000000000000001', 'PrimaryOwner', 'ADA MORENO JR'),
    ('30100001', '${firmId}', '100000000000000002', 'Beneficiary', 'LUIS B MORENO');
  select clearing.append_audit('${firmId}', ${opening}, 'alpha', 'new-account', '30100001', '', 'trace-1', '{}');
  select clearing.append_audit('${firmId}', ${changed}, 'beta', 'update-account', '30100001', '', 'trace-2', '{}');`

test('older accounts have their history and last-name-first names after the migration, and row-level security applies', async () => {
  const all = await readMigrations()
  const earlier = all.filter(({ name }) => name < '040')
  await using database = await createTestDatabase({ migrations: earlier })
  const superuser = await database.superuser()
  await superuser.query(before)
  await migrate(database.owner, all)
  const changes = await superuser.query(
    'select account_number, sequence, version, status, actor, operation, trace_id from clearing.account_change order by account_number, sequence',
  )
  assert.deepEqual(
    changes.rows.map((row) => Object.values(row)),
    [
      ['30100001', 1, 1, 'Pending', 'alpha', 'new-account', 'trace-1'],
      ['30100001', 2, 1, 'Open', 'service', 'onboarding', ''],
      ['30100001', 3, 2, 'Open', 'beta', 'update-account', 'trace-2'],
      ['30100002', 1, 1, 'Pending', '', 'new-account', ''],
      ['30100002', 2, 1, 'Rejected', 'service', 'onboarding', ''],
    ],
  )
  const parties = await superuser.query('select last_first from clearing.party order by customer_id')
  assert.deepEqual(
    parties.rows.map(({ last_first: name }) => name),
    ['MORENO ADA JR', 'MORENO LUIS B'],
  )
  const open = await superuser.query(
    "select relname from pg_class where relnamespace = 'clearing'::regnamespace and relkind = 'r' and relrowsecurity and not relforcerowsecurity",
  )
  assert.deepEqual(open.rows, [])
})
