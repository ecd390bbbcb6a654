/** The table of permissions contains only existing operations, and every operation of the clearing firm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations/index.ts'
import { approversOf, mayCall, permissions, permissionsOf, rolesFor, whyNot } from './roles.ts'

const table: Readonly<Record<string, { audience: string; writes: boolean }>> = operations

test('every operation of the clearing firm has its roles', () => {
  const missing = Object.entries(table).filter(
    ([name, { audience }]) => audience === 'operations' && permissions[name] === undefined,
  )
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  )
})

test('every row names an operation, except the permission to read personal numbers', () => {
  const unknown = Object.keys(permissions).filter((name) => table[name] === undefined)
  assert.deepEqual(unknown, ['personal-numbers'])
})

test('a viewer can change only saved views and the state of notifications', () => {
  const changes = permissionsOf('viewer').filter((name) => table[name]?.writes !== false)
  assert.deepEqual(changes.sort(), ['delete-view', 'read-notifications', 'save-view'])
})

test('no role both decides on work and manages staff or credentials', () => {
  for (const name of ['create-staff', 'update-staff', 'create-credential', 'update-firm'])
    assert.deepEqual(rolesFor(name), ['admin'])
  for (const name of ['decide-onboarding', 'decide-document', 'place-restriction', 'load-activity'])
    assert.equal(mayCall('admin', name), false, name)
})

test('every role that approves a subject may call decide-change', () => {
  for (const roles of Object.values(approversOf))
    for (const role of roles) assert.ok(mayCall(role, 'decide-change'))
})

test('the reason names the permitted roles', () => {
  assert.equal(whyNot('viewer', 'decide-change'), 'This needs the role principal or admin.')
  assert.equal(whyNot('principal', 'decide-change'), undefined)
  assert.equal(whyNot('admin', 'new-account'), 'No role of staff may do this.')
  assert.equal(whyNot('operator', 'set-clock', true), undefined)
})
