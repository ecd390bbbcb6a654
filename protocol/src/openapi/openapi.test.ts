import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Errors, type XSchema } from 'typebox/schema'
import { codeLists } from '../codes/index.ts'
import { definitionOf, type ErrorCode, errorCatalogue } from '../errors.ts'
import { type OperationDefinition, pathOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { renderOpenApi } from './document.ts'
import { renderOperationPaths } from './operation-paths.ts'
import { startSchemaBook } from './schemas.ts'
import { shapeModules } from './shape-names.ts'
import { renderSnapshot, snapshotFile } from './snapshot.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely
const document: any = JSON.parse(renderSnapshot())
const table = Object.entries(operations) as [string, OperationDefinition][]

/** Every object inside a value, with its path. */
function* objectsIn(value: unknown, path = '#'): Generator<[path: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`)
}

test('the committed openapi.json is current (else: node protocol/src/openapi/write.ts)', async () => {
  assert.ok((await readFile(snapshotFile, 'utf8')) === renderSnapshot(), 'openapi.json is not current')
})

test('the document passes the linter', async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const linter = fileURLToPath(import.meta.resolve('@redocly/cli/package.json')).replace(
    'package.json',
    'bin/cli.js',
  )
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = promisify(execFile)(process.execPath, [linter, 'lint', '--format', 'stylish'], {
    cwd: root,
    env,
  })
  const output = await lint.catch((error: { stdout: string; stderr: string }) => error)
  assert.ok(!(output instanceof Error), `${output.stdout}${output.stderr}`)
})

test('every operation is listed at each of its addresses, with its scope and its possible errors', () => {
  for (const [name, operation] of table) {
    const { audience, aliases = [], inSandbox } = operation
    const places: [string, string][] = [pathOf(name, audience), ...aliases].map((path) => [
      path,
      operation.scope,
    ])
    if (inSandbox !== undefined) places.push([pathOf(name, 'sandbox'), inSandbox])
    for (const [path, scope] of places) {
      const post = document.paths[path]?.post
      assert.ok(post, path)
      assert.deepEqual(post.security, [{ oauth2: [scope] }], path)
      assert.equal(post.summary, operation.summary)
      assert.equal(post['x-origin'], operation.origin)
      const statuses = Object.keys(post.responses).map(Number)
      for (const status of [200, 400, 401, 403, 405, 406, 408, 413, 415, 429, 431, 500, 503]) {
        assert.ok(statuses.includes(status), `${path} ${status}`)
      }
      // Duplicates of an application, and the list of an isolated sandbox.
      const conflicts = operation.writes || ['validate-account', 'list-sandboxes'].includes(name)
      assert.equal(statuses.includes(409), conflicts, path)
      assert.equal(statuses.includes(422), operation.writes, path)
      const takesKey = JSON.stringify(post.parameters).includes('IdempotencyKey')
      assert.equal(takesKey, operation.writes, path)
    }
  }
  assert.ok('404' in document.paths['/account-api/v1/get-account'].post.responses)
  assert.ok(!('404' in document.paths['/account-api/v1/code-lists'].post.responses))
})

test('every path declares the error responses of the HTTP server', () => {
  const answers = Object.values(document.paths as Record<string, Record<string, { responses: object }>>)
    .flatMap((item) => Object.values(item))
    .map(({ responses }) => responses)
  for (const responses of answers) assert.ok('408' in responses && '431' in responses)
})

test('operation ids are unique', () => {
  const ids = [...objectsIn(document.paths)].flatMap(([, { operationId }]) => operationId ?? [])
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(
    ids.includes('newAccount') &&
      ids.includes('sandboxDecideOnboarding') &&
      ids.includes('addDocumentAlias1'),
  )
})

test('every reference resolves, and every component is used', () => {
  const referred = new Set(
    [...objectsIn(document)].flatMap(([, { $ref }]) => ($ref as string | undefined) ?? []),
  )
  const components = new Set<string>()
  for (const kind of ['schemas', 'responses', 'parameters', 'headers']) {
    for (const name of Object.keys(document.components[kind])) components.add(`#/components/${kind}/${name}`)
  }
  assert.deepEqual([...referred].sort(), [...components].sort())
})

test('shapes that several operations share are described only once', () => {
  const addresses = [...objectsIn(document)].filter(
    ([, { properties }]) => 'postalCode' in ((properties ?? {}) as object),
  )
  assert.deepEqual(
    addresses.map(([path]) => path),
    ['#/components/schemas/Address', '#/components/schemas/AddressRequest'],
  )
})

test('every module of shapes exports its names', async () => {
  const files = await readdir(new URL('../shapes/', import.meta.url))
  const modules = files.filter((file) => !file.includes('.test.')).map((file) => file.replace('.ts', ''))
  assert.deepEqual(modules.sort(), Object.keys(shapeModules).sort())
})

test('coded values are published as extensible lists, and keywords for the reader are not published', () => {
  const lists = [...objectsIn(document)].filter(([, object]) => 'x-code-list' in object)
  assert.ok(lists.length > 20)
  for (const [path, schema] of lists) {
    const list = schema['x-code-list'] as keyof typeof codeLists
    assert.deepEqual(
      schema['x-extensible-enum'],
      codeLists[list].map(({ value }) => value),
      path,
    )
  }
  for (const [path, object] of objectsIn(document)) {
    for (const keyword of ['enum', 'x-reads', 'x-aliases', 'x-shown-aliases'])
      assert.ok(!(keyword in object), `${path} ${keyword}`)
  }
})

test('the schemas of requests are closed, and those of responses are open', () => {
  const { schemas } = document.components
  assert.equal(schemas.AddressRequest.additionalProperties, false)
  assert.equal(schemas.GetAccountRequest.additionalProperties, false)
  const answers = Object.entries(schemas).filter(([name]) => !/(Request|Form)$/.test(name))
  for (const [name, schema] of answers)
    assert.ok(!JSON.stringify(schema).includes('"additionalProperties":false'), name)
})

test('the examples of each status are exactly its codes of the catalogue', () => {
  const shown: string[] = []
  for (const [path, { examples }] of objectsIn(document.components.responses)) {
    if (/^#\/(RequestTimeout|HeadersTooLarge)\//.test(path)) continue
    for (const [code, { value }] of Object.entries(
      (examples ?? {}) as Record<string, { value: { statusCode: number } }>,
    )) {
      assert.equal(value.statusCode, definitionOf(code as ErrorCode).status, path)
      shown.push(code)
    }
  }
  assert.deepEqual(shown.sort(), errorCatalogue.map(({ code }) => code).sort())
})

/** The errors of a value against a schema of the document. */
function errorsOf(schema: object, value: unknown): readonly object[] {
  return Errors({ ...schema, components: document.components } as XSchema, value)[1]
}

test('requests also describe name1 to name4, which name an entity', () => {
  const { primaryOwner, associatedParties } = document.components.schemas.NewAccountRequest.properties
  assert.deepEqual(errorsOf(primaryOwner, { nameType: 'Entity', name1: 'Harbor', name3: 'LLC' }), [])
  assert.deepEqual(errorsOf(associatedParties, [{ name1: 'Ada', name2: 'B', name3: 'C', name4: 'Jr' }]), [])
  assert.notDeepEqual(errorsOf(primaryOwner, { name5: 'Harbor' }), [])
})

test('every example is valid against its schema', () => {
  let checked = 0
  for (const [path, { schema, examples }] of objectsIn({
    paths: document.paths,
    components: document.components,
  })) {
    if (schema === undefined || examples === undefined || !path.includes('/content/')) continue
    for (const [title, { value }] of Object.entries(examples as Record<string, { value: unknown }>)) {
      assert.deepEqual(errorsOf(schema as object, value), [], `${path} ${title}`)
      checked++
    }
  }
  assert.ok(checked > 50)
})

test('an invalid example is reported', () => {
  const schema = {
    $ref: '#/components/schemas/GetAccountRequest',
    components: document.components,
  } as XSchema
  assert.deepEqual(Errors(schema, { accountNumber: '30100001' })[1], [])
  assert.notDeepEqual(Errors(schema, { accountNumber: '30100001', nickname: 'x' })[1], [])
  assert.notDeepEqual(Errors(schema, { accountNumber: 'too long for one' })[1], [])
})

test('the document contains the address from which it is served', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked freely
  const served: any = renderOpenApi({ serverUrl: 'https://clearing.example/' })
  assert.equal(served.servers[0].url, 'https://clearing.example')
  const { tokenUrl } = served.components.securitySchemes.oauth2.flows.clientCredentials
  assert.equal(tokenUrl, 'https://clearing.example/identity/connect/token')
})

test('a deprecated operation is marked, names its replacement, and declares its headers', () => {
  const deprecated = { since: '2027-01-01', sunset: '2028-01-01', instead: 'Use list-accounts.' }
  const operation = { ...operations['get-account'], deprecated }
  const [[, item] = []] = renderOperationPaths('get-account', operation, startSchemaBook(), 'https://x')
  // biome-ignore lint/suspicious/noExplicitAny: the item is walked freely
  const { post } = item as any
  assert.equal(post.deprecated, true)
  assert.match(post.description, /Deprecated since 2027-01-01, to end on 2028-01-01\. Use list-accounts\./)
  assert.deepEqual(
    ['Deprecation', 'Sunset'].filter((name) => post.responses[200].headers[name] === undefined),
    [],
  )
  // biome-ignore lint/suspicious/noExplicitAny: the items are walked freely
  for (const each of Object.values<any>(document.paths)) assert.notEqual(each.post?.deprecated, true)
})

test('every response of an operation names the header of its trace, except those of the HTTP server', () => {
  for (const [name, { audience }] of table) {
    const { responses } = document.paths[pathOf(name, audience)].post
    for (const [status, response] of Object.entries<Record<string, string>>(responses)) {
      const shared = document.components.responses[response.$ref?.split('/').at(-1) ?? '']
      const { headers = {} } = shared ?? response
      if (status !== '408' && status !== '431') assert.ok('traceparent' in headers, `${name} ${status}`)
    }
  }
})

test('a deprecated member is marked and names its replacement, and its operation declares the header', () => {
  const [[, item] = []] = renderOperationPaths(
    'list-accounts',
    operations['list-accounts'],
    startSchemaBook(),
    'https://x',
  )
  // biome-ignore lint/suspicious/noExplicitAny: the item is walked freely
  const { post } = item as any
  assert.ok(post.responses[200].headers.Deprecation)
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked freely
  const schemas = document.components.schemas as any
  const { cursor } = schemas.ListAccountsRequest.properties
  assert.equal(cursor.deprecated, true)
  assert.match(cursor.description, /Deprecated since 2026-11-22\. Use `after`\.$/)
  assert.equal(schemas.ListAccountsRequest.properties.after.deprecated, undefined)
  assert.equal(schemas.ListAccountsData.properties.nextCursor.deprecated, true)
})
