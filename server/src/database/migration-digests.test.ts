import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDigests } from './migration-digests.ts'

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
const recorded = `${a}  001-roles\n${b}  002-firms\n`

test('a changed or removed migration is reported, and a new one must be recorded', () => {
  function compare(...migrations: [name: string, sha256: string][]) {
    return compareDigests(
      migrations.map(([name, sha256]) => ({ name, sha256, sql: '' })),
      recorded,
    )
  }
  const none = { changed: [], removed: [], missing: [] }
  assert.deepEqual(compare(['001-roles', a], ['002-firms', b]), none)
  assert.deepEqual(compare(['001-roles', b], ['002-firms', b]), { ...none, changed: ['001-roles'] })
  assert.deepEqual(compare(['002-firms', b]), { ...none, removed: ['001-roles'] })
  assert.deepEqual(compare(['001-roles', a], ['002-firms', b], ['003-staff', b]), {
    ...none,
    missing: [`${b}  003-staff`],
  })
})
