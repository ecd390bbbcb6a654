/** Every field of the responses that client firms read has a meaning in the contract. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations/index.ts'

interface Schema {
  readonly description?: string
  readonly 'x-code-list'?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Blocks that several records have are described by their names and fields. */
function isExplained({ description, 'x-code-list': list, properties, anyOf = [] }: Schema): boolean {
  return (
    description !== undefined || list !== undefined || properties !== undefined || anyOf.some(isExplained)
  )
}

function unexplained(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(isExplained(member) ? [] : [`${path}.${name}`]),
      ...unexplained(member, `${path}.${name}`),
    ]),
    ...(items === undefined ? [] : unexplained(items, `${path}[]`)),
    ...anyOf.flatMap((one) => unexplained(one, path)),
  ]
}

for (const [name, { audience, data }] of Object.entries(operations)) {
  if (audience !== 'firm') continue
  test(`every field of the response of ${name} has a meaning`, () => {
    assert.deepEqual(unexplained(data as Schema, 'data'), [])
  })
}
