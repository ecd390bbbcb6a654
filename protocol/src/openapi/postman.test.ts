/** The Postman collection against the shape of collections v2.1.0, and against the operations it is made from. */
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
const file = Type.Object({ key: text, type: Type.Literal('file'), src: Type.Null() }, closed)
const body = Type.Union([
  Type.Object(
    {
      mode: Type.Literal('raw'),
      raw: text,
      options: Type.Optional(Type.Object({ raw: Type.Object({ language: text }) })),
    },
    closed,
  ),
  Type.Object({ mode: Type.Literal('formdata'), formdata: Type.Array(Type.Union([pair, file])) }, closed),
])
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
    request: Type.Object(
      { method: Type.Literal('POST'), description: text, url, header: Type.Array(pair), body },
      closed,
    ),
    response: Type.Array(Type.Unknown()),
  },
  closed,
)
const auth = Type.Object({ type: Type.Literal('oauth2'), oauth2: Type.Array(pair) }, closed)
/** The members of the published schema that we write, with the types it gives them. */
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
    item: Type.Array(
      Type.Object({ name: text, auth: Type.Optional(auth), item: Type.Array(request) }, closed),
    ),
  },
  closed,
)

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[]
  readonly item: readonly {
    readonly name: string
    readonly auth?: unknown
    readonly item: readonly {
      readonly name: string
      readonly request: { readonly url: { raw: string }; readonly body: { raw?: string } }
    }[]
  }[]
}

const rendered = renderPostmanCollection({ serverUrl: 'https://clearing.example/' }) as unknown as Collection
const requests = rendered.item.flatMap(({ item }) => item)

test('it has the shape of a collection', () => {
  assert.deepEqual(Errors(collection, rendered)[1], [])
})

test('it has every operation at its address, with each of its examples as the body', () => {
  for (const [name, operation] of Object.entries(operations) as [string, OperationDefinition][]) {
    const own = requests.filter(
      ({
        request: {
          url: { raw },
        },
      }) => raw.split('?')[0] === `{{baseUrl}}${pathOf(name, operation.audience)}`,
    )
    assert.equal(own.length, operation.examples.length, name)
    if (operation.body === 'lines')
      assert.deepEqual(
        own.map(({ request: { body: sent } }) => sent.raw),
        operation.examples.map(({ lines }) => lines),
      )
    if (operation.body !== 'json') continue
    assert.deepEqual(
      own.map(({ request: { body: sent } }) => JSON.parse(sent.raw ?? '')),
      operation.examples.map((example) => example.request),
    )
  }
})

test('operations of the clearing firm ask for the token of another credential than client firms do', () => {
  const credentials = rendered.item.map(({ auth = null }) =>
    JSON.stringify(auth).match(/\{\{\w*clientId\}\}/gi),
  )
  assert.deepEqual(credentials, [null, ['{{operationsClientId}}'], null])
  const values = new Map(rendered.variable.map(({ key, value }) => [key, value]))
  assert.equal(values.get('operationsClientId'), 'operations')
})

test('its address is the service’s, in one place', () => {
  assert.equal(rendered.variable.find(({ key }) => key === 'baseUrl')?.value, 'https://clearing.example')
  assert.equal(JSON.stringify(rendered).split('clearing.example').length, 2)
})
