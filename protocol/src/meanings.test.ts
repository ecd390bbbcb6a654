/** Every field of the contract has a meaning: of requests, responses, events, and paths that are not operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventDataShapes } from './event-data.ts'
import { renderOpenApi } from './openapi/document.ts'
import type { OperationDefinition } from './operation.ts'
import { operations } from './operations/index.ts'

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The paths of the members of a schema that have no description, at every depth. */
function undescribed({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(member.description === undefined ? [`${path}.${name}`] : []),
      ...undescribed(member, `${path}.${name}`),
    ]),
    ...(items === undefined ? [] : undescribed(items, `${path}[]`)),
    ...anyOf.flatMap((one) => undescribed(one, path)),
  ]
}

for (const [name, { request, data }] of Object.entries<OperationDefinition>(operations)) {
  test(`every field of the request and of the response of ${name} has a meaning`, () => {
    assert.deepEqual(undescribed(request as Schema, 'request'), [])
    assert.deepEqual(undescribed(data as Schema, 'data'), [])
  })
}

for (const [type, shape] of Object.entries(eventDataShapes)) {
  test(`every field of the data of an event ${type} has a meaning`, () => {
    assert.deepEqual(undescribed(shape as Schema, 'data'), [])
  })
}

const document = renderOpenApi() as unknown as {
  readonly paths: unknown
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: unknown
    readonly parameters: unknown
    readonly headers: unknown
  }
}

test('every field of every schema of the OpenAPI document has a meaning', () => {
  const { schemas } = document.components
  /** The schema with the descriptions of the components that its members refer to. */
  const resolved = (given: Schema): Schema => {
    const { $ref, ...own } = given
    const { description } = $ref === undefined ? {} : resolved(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    return {
      ...(description === undefined ? {} : { description }),
      ...own,
      properties: Object.fromEntries(
        Object.entries(own.properties ?? {}).map(([name, member]) => [name, resolved(member)]),
      ),
      ...(own.items === undefined ? {} : { items: resolved(own.items) }),
      anyOf: (own.anyOf ?? []).map(resolved),
    }
  }
  const found = Object.entries(schemas).flatMap(([name, schema]) => undescribed(resolved(schema), name))
  assert.deepEqual(found, [])
})

/** The parameters and headers of a part of the document that have no description. */
function undescribedPlaces(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return []
  const place = part as { readonly in?: string; readonly schema?: Schema; readonly description?: string }
  const isPlace = place.schema !== undefined && (place.in !== undefined || /\.headers\.[^.]+$/.test(path))
  const described = place.description ?? place.schema?.description
  return [
    ...(isPlace && described === undefined ? [path] : []),
    ...Object.entries(part).flatMap(([name, member]) => undescribedPlaces(member, `${path}.${name}`)),
  ]
}

test('every parameter and every header of the OpenAPI document has a meaning', () => {
  const { responses, parameters, headers } = document.components
  assert.deepEqual(undescribedPlaces({ paths: document.paths, responses, parameters, headers }, ''), [])
})
