/** Checks that the tests named in the table of the guide exist. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

test('each row of the table names a test of its file', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../docs/guides/console.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| .* \| `(\w+\.test\.ts)` \| (.*) \|$/gm)]
  assert.ok(rows.length > 30)
  const missing = rows.filter(
    ([, file = '', name = '']) =>
      !readFileSync(resolve(import.meta.dirname, file), 'utf8').includes(`'${name}'`),
  )
  assert.deepEqual(
    missing.map(([, file, name]) => `${file}: ${name}`),
    [],
  )
})
