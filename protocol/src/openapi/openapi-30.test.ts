/** The contract as OpenAPI 3.0: only what 3.0 has, no unions, and the same operations and members. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { renderOpenApi } from './document.ts'
import { renderOpenApi30 } from './openapi-30.ts'

// biome-ignore lint/suspicious/noExplicitAny: the documents are walked freely
type Any = any
const newer: Any = JSON.parse(JSON.stringify(renderOpenApi()))
const older: Any = JSON.parse(JSON.stringify(renderOpenApi30(newer)))
const { schemas } = older.components

/** Every schema below a value, with its path. */
function* schemasIn(value: Any, path: string): Generator<[path: string, schema: Any]> {
  if (typeof value !== 'object' || value === null) return
  if (value.$ref === undefined) yield [path, value]
  for (const [name, member] of Object.entries(value.properties ?? {}))
    yield* schemasIn(member, `${path}.${name}`)
  for (const inner of ['items', 'additionalProperties']) yield* schemasIn(value[inner], `${path}.${inner}`)
}

test('has no construct of OpenAPI 3.1 and no union', () => {
  assert.equal(older.openapi, '3.0.3')
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [path, { type, ...members }] of schemasIn(schema, name)) {
      assert.ok(type !== 'null' && !Array.isArray(type), path)
      for (const keyword of ['const', 'examples', 'anyOf', 'oneOf', 'prefixItems'])
        assert.ok(!(keyword in members), `${path}: ${keyword}`)
    }
  }
  assert.equal(JSON.stringify(older).match(/"(anyOf|oneOf|const)":/g), null)
})

test('has every operation, and every member of the schemas that it has', () => {
  assert.deepEqual(Object.keys(older.paths), Object.keys(newer.paths))
  for (const [name, schema] of Object.entries<Any>(schemas)) {
    const { properties, required } = newer.components.schemas[name]
    if (properties === undefined) continue
    assert.deepEqual([Object.keys(schema.properties), schema.required], [Object.keys(properties), required])
  }
})

test('names a spelling of each value of a request, and keeps null and unions of responses', () => {
  const { size, types, entityNumber } = schemas.ListEventsRequest.properties
  assert.deepEqual(
    [size.type, size.default, types.type, entityNumber.type],
    ['integer', 100, 'array', 'string'],
  )
  assert.equal(schemas.FieldChange.properties.from.type, undefined)
  const { changeId } = schemas.AccountChange.properties
  assert.deepEqual([changeId.type, changeId.nullable], ['string', true])
  assert.equal(schemas.GetAccountAnswer.properties.hasErrors.type, 'boolean')
  const { properties, required } = schemas.GetAccountData
  assert.ok('message' in properties && 'primaryOwner' in properties)
  assert.equal(required, undefined)
})

test('passes the linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-30-'))
  try {
    const file = join(folder, 'openapi-3.0.json')
    await writeFile(file, JSON.stringify(older))
    const linter = fileURLToPath(import.meta.resolve('@redocly/cli/package.json'))
    const words = [linter.replace('package.json', 'bin/cli.js'), 'lint', file, '--format', 'stylish']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    for (const rule of ['no-server-example.com', 'operation-4xx-response', 'info-license'])
      words.push('--skip-rule', rule)
    const lint = promisify(execFile)(process.execPath, words, { cwd: folder, env })
    const output = await lint.catch((error: { stdout: string; stderr: string }) => error)
    assert.ok(!(output instanceof Error), `${output.stdout}${output.stderr}`.slice(0, 3_000))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
