/** The request of update-account has every member of the record, so that a record can be sent back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderSnapshot } from './snapshot.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const document = JSON.parse(renderSnapshot()) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

function named(name: string): Schema {
  const schema = document.components.schemas[name]
  assert.ok(schema, name)
  return schema
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolve(named(schema.$ref.split('/').at(-1) ?? ''))
}

/** The paths of the members of an answer that a request does not have. */
function missing(answer: Schema, request: Schema, path = ''): string[] {
  const [given, taken] = [resolve(answer), resolve(request)]
  if (given.items && taken.items) return missing(given.items, taken.items, `${path}[]`)
  return Object.entries(given.properties ?? {}).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    const forms = [taken, ...(taken.anyOf ?? []).map(resolve)]
    const found = forms.flatMap(({ properties }) => properties?.[name] ?? [])[0]
    return found === undefined ? [at] : missing(member, found, at)
  })
}

test('a record in shape 2 has no member that the request of update-account lacks', () => {
  const record = named('UpdateAccountAnswer').properties?.data
  assert.ok(Object.keys(resolve(record ?? {}).properties ?? {}).length > 0)
  assert.deepEqual(missing(record ?? {}, named('UpdateAccountRequest')), [])
})
