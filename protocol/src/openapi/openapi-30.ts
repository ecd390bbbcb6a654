/**
 * The contract as OpenAPI 3.0, for generators that do not read 3.1 or cannot make types of unions: NSwag, older
 * releases of oapi-codegen, and the Java, Kotlin and C# clients of openapi-generator. It names one spelling of each
 * value of a request; the service accepts every spelling of the 3.1 document too. No schema is a union (decision 307).
 */
import type { Json, JsonObject } from './schema-json.ts'

interface Reading {
  readonly schemas: Readonly<Record<string, JsonObject>>
  /** A request may be narrowed to one of its spellings; a response may not. */
  readonly isRequest: boolean
}

/** Renders the document from that of `renderOpenApi`. */
export function renderOpenApi30(document: JsonObject): JsonObject {
  const { info, components, paths } = document as { [name: string]: JsonObject }
  const { summary: _summary, license: _license, ...about } = info as JsonObject
  const { schemas, ...others } = components as { [kind: string]: { [name: string]: JsonObject } }
  const named = schemas ?? {}
  const sent = reachableFrom(requestsOf(paths as JsonObject), named)
  const rendered = Object.entries(named).map(([name, schema]): [string, JsonObject] => [
    name,
    renderSchema(schema, { schemas: named, isRequest: sent.has(name) }),
  ])
  const converted = convert(paths as JsonObject, { schemas: named, isRequest: false })
  const parts = convert(others, { schemas: named, isRequest: false }) as JsonObject
  // Nothing refers to a schema whose members were merged into another.
  const used = reachableFrom([converted, parts], Object.fromEntries(rendered))
  return {
    ...document,
    openapi: '3.0.3',
    info: { ...about, license: { name: 'Apache-2.0' } },
    paths: converted,
    components: { ...parts, schemas: Object.fromEntries(rendered.filter(([name]) => used.has(name))) },
  }
}

/** Converts the schemas below a path, a parameter, a header or a response. */
function convert(value: Json, reading: Reading): Json {
  if (Array.isArray(value)) return value.map((one) => convert(one, reading))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, Json | undefined] => {
      if (name === 'schema' && isObject(member)) return [name, renderSchema(member, reading)]
      const isRequest = reading.isRequest || name === 'requestBody' || name === 'parameters'
      // Examples are values and no part of the description.
      if (name === 'examples' || member === undefined) return [name, member]
      return [name, convert(member, { ...reading, isRequest })]
    }),
  )
}

function renderSchema(schema: JsonObject, reading: Reading): JsonObject {
  // Members beside a reference have no meaning in OpenAPI 3.0.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
  if (Array.isArray(schema.anyOf)) return renderUnion(schema, reading)
  const { examples, const: constant, properties, items, additionalProperties, ...rest } = schema
  const [example] = Array.isArray(examples) ? examples : []
  return {
    ...rest,
    // An enumeration of one Boolean value does not compile in some languages.
    ...(constant === undefined || typeof constant === 'boolean' ? {} : { enum: [constant] }),
    ...(isObject(items) ? { items: renderSchema(items, reading) } : {}),
    ...(isObject(properties) ? { properties: renderProperties(properties, reading) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties: isObject(additionalProperties)
            ? renderSchema(additionalProperties, reading)
            : additionalProperties,
        }),
    ...(example === undefined ? {} : { example }),
  }
}

function renderProperties(properties: JsonObject, reading: Reading): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, renderSchema(member as JsonObject, reading)]),
  )
}

function renderUnion({ anyOf, examples, ...rest }: JsonObject, reading: Reading): JsonObject {
  const all = flatten(anyOf as readonly JsonObject[])
  const kinds = all.filter(({ type }) => type !== 'null')
  const nullable = kinds.length < all.length ? { nullable: true } : {}
  const [first] = kinds
  if (first === undefined) return { ...rest, ...nullable }
  const isNarrowed = reading.isRequest && kinds.every(({ type }) => type !== 'object')
  if (kinds.length === 1 || isNarrowed) {
    if (typeof first.$ref === 'string') {
      const $ref = first.$ref
      const type = reading.schemas[nameOf($ref)]?.type ?? 'object'
      return 'nullable' in nullable ? { type, allOf: [{ $ref }], ...nullable } : { $ref }
    }
    const one = renderSchema({ ...first, ...(examples === undefined ? {} : { examples }) }, reading)
    return { ...one, ...rest, ...nullable }
  }
  const named = kinds.map(({ $ref }) => reading.schemas[nameOf($ref)])
  if (named.every((kind) => kind !== undefined)) return { ...rest, ...merge(named, reading), ...nullable }
  // Any value, and null.
  return rest
}

function flatten(kinds: readonly JsonObject[]): JsonObject[] {
  return kinds.flatMap((kind) => (Array.isArray(kind.anyOf) ? flatten(kind.anyOf as JsonObject[]) : [kind]))
}

/** An object with the members of all, of which those are required that all require. */
function merge(kinds: readonly JsonObject[], reading: Reading): JsonObject {
  const properties = Object.assign({}, ...kinds.map((kind) => kind.properties)) as JsonObject
  const requirements = kinds.map(({ required }) => (Array.isArray(required) ? required : []))
  const required = Object.keys(properties).filter((name) => requirements.every((some) => some.includes(name)))
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: renderProperties(properties, reading),
  }
}

function requestsOf(paths: JsonObject): Json[] {
  return Object.values(paths).flatMap((path) =>
    Object.values(path as JsonObject).flatMap((operation) => {
      const { requestBody, parameters } = operation as JsonObject
      return [requestBody ?? null, parameters ?? null]
    }),
  )
}

/** The names of the schemas that the values refer to, directly or through others. */
function reachableFrom(values: Json, schemas: Readonly<Record<string, JsonObject>>): Set<string> {
  const found = new Set<string>()
  const look = (value: Json | undefined): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(schemas[name])
    }
  }
  look(values)
  return found
}

function nameOf(reference: Json | undefined): string {
  return String(reference).replace('#/components/schemas/', '')
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
