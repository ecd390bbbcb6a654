/** Compares the Postman collection with the schema of collections v2.1.0 and with the table of operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { Errors } from 'typebox/schema'
import { type OperationDefinition, pathOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { renderPostmanCollection } from './postman.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const pair = Type.Object(
  { key: text, value: text, type: Type.Optional(Type.Enum(['string', 'text'])) },
  closed,
)
const body = Type.Object(
  {
    mode: Type.Literal('raw'),
    raw: text,
    options: Type.Optional(Type.Object({ raw: Type.Object({ language: text }) })),
  },
  closed,
)
const events = Type.Array(
  Type.Object(
    {
      listen: Type.Enum(['prerequest', 'test']),
      script: Type.Object({ type: Type.Literal('text/javascript'), exec: Type.Array(text) }, closed),
    },
    closed,
  ),
)
const url = Type.Object(
  {
    raw: text,
    host: Type.Array(text),
    path: Type.Array(text),
    query: Type.Optional(Type.Array(pair)),
  },
  closed,
)
const request = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    event: events,
    request: Type.Object(
      { method: Type.Literal('POST'), description: text, url, header: Type.Array(pair), body },
      closed,
    ),
    response: Type.Array(Type.Unknown()),
  },
  closed,
)
const auth = Type.Object({ type: Type.Literal('bearer'), bearer: Type.Array(pair) }, closed)
const folder = Type.Object({ name: text, item: Type.Array(request) }, closed)
/** The members of the published schema that the collection uses, with their types. */
const collection = Type.Object(
  {
    info: Type.Object(
      {
        name: text,
        description: text,
        schema: Type.Literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
      },
      closed,
    ),
    variable: Type.Array(pair),
    auth,
    event: events,
    item: Type.Array(Type.Object({ name: text, item: Type.Array(Type.Union([request, folder])) }, closed)),
  },
  closed,
)

interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: { readonly url: { raw: string }; readonly body: { raw: string } }
}
interface Collection extends Item {
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}

const rendered = renderPostmanCollection({ serverUrl: 'https://clearing.example/' }) as unknown as Collection

function requestsOf({ name, request: own, item = [] }: Item): { name: string; raw: string; body: string }[] {
  const inner = item.flatMap(requestsOf)
  return own === undefined ? inner : [...inner, { name, raw: own.url.raw, body: own.body.raw }]
}
const requests = requestsOf(rendered)

test('the collection has the members of the published schema', () => {
  assert.deepEqual(Errors(collection, rendered)[1], [])
})

test('the collection has every example of every operation at its address, with a variable for each value that the reader replaces', () => {
  for (const [name, operation] of Object.entries(operations) as [string, OperationDefinition][]) {
    for (const { title, request: sent, lines, yours = {} } of operation.examples) {
      const own = requests.find(
        (each) =>
          each.name === `${name}: ${title}` &&
          each.raw.split('?')[0] === `{{baseUrl}}${pathOf(name, operation.audience)}`,
      )
      assert.ok(own, `${name}: ${title}`)
      for (const member of Object.keys(yours))
        assert.match(own.body, new RegExp(`\\{\\{your${member}\\}\\}`, 'i'), name)
      if (operation.body === 'lines') assert.equal(own.body, lines)
      if (operation.body === 'json' && Object.keys(yours).length === 0)
        assert.deepEqual(JSON.parse(own.body), sent)
    }
  }
})

test('every variable that a request names is declared by the collection or set by an earlier request', () => {
  const known = new Set(rendered.variable.map(({ key }) => key))
  const walk = (item: Item & { readonly event?: readonly { script: { exec: string[] } }[] }) => {
    const text = JSON.stringify(item.request ?? {})
    for (const [, name = ''] of text.matchAll(/\{\{([^{}$]+)\}\}/g))
      assert.ok(known.has(name), `${item.name}: ${name}`)
    const scripts = (item.event ?? []).flatMap(({ script }) => script.exec).join('\n')
    for (const [, name = ''] of scripts.matchAll(/collectionVariables\.set\('(\w+)'/g)) known.add(name)
    for (const inner of item.item ?? []) walk(inner)
  }
  walk(rendered)
})

test('the address of the service is defined in one place', () => {
  assert.equal(rendered.variable.find(({ key }) => key === 'baseUrl')?.value, 'https://clearing.example')
  assert.equal(JSON.stringify(rendered).split('clearing.example').length, 2)
})
