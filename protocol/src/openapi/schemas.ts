/**
 * Converts schemas of the contract to OpenAPI 3.1 schemas. Shared shapes and coded lists become components; the rules
 * of the reader become descriptions. Coded lists are open (Reading 9), so their values are `x-extensible-enum`, never
 * `enum`. Responses can have more members than described.
 */
import { type CodeListName, codeLists } from '../codes/index.ts'
import type { Reads } from '../field.ts'
import type { Deprecation } from '../operation.ts'
import { describeDeprecation } from './describe-deprecation.ts'
import { describeReads } from './describe-reads.ts'
import { admitEmptyText } from './empty-texts.ts'
import { compact, type Json, type JsonObject, pascalCase, refer } from './schema-json.ts'
import { findNamedShape } from './shape-names.ts'

/** The direction of a shape: requests are closed, responses are open. */
export type Direction = 'request' | 'answer'

/** The schemas of a document, collected while the document is rendered. */
export interface SchemaBook {
  /** The OpenAPI schema of a shape: a reference if the shape has a name. */
  render(shape: object, direction: Direction): JsonObject
  /** Adds a shape under the given name, unless it has a name, and returns a reference to it. */
  enter(name: string, shape: object, direction: Direction): JsonObject
  /** Adds a schema that is already in OpenAPI form. */
  enterRendered(name: string, schema: JsonObject): JsonObject
  /** The schemas added so far, by name. */
  schemas(): JsonObject
}

interface Shape {
  readonly type?: string
  readonly pattern?: string
  readonly format?: string
  readonly description?: string
  readonly examples?: Json
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly 'x-reads'?: Reads
  readonly 'x-aliases'?: Readonly<Record<string, string>>
  readonly 'x-shown-aliases'?: readonly string[]
  readonly 'x-blanks'?: string
  readonly 'x-code-list'?: CodeListName
  readonly 'x-deprecated'?: Deprecation
}

export function startSchemaBook(): SchemaBook {
  const entries = new Map<string, { readonly schema: JsonObject; readonly source: string }>()

  /** A name is unique. Two different schemas with one name are an error of the contract. */
  const keep = (name: string, source: string, makeSchema: () => JsonObject): JsonObject => {
    const known = entries.get(name)
    if (known === undefined) {
      entries.set(name, { schema: {}, source })
      entries.set(name, { schema: makeSchema(), source })
    } else if (known.source !== source) {
      throw new Error(`two schemas are called ${name}`)
    }
    return refer('schemas', name)
  }

  const enter = (name: string, shape: object, direction: Direction) =>
    findNamedShape(shape) === undefined
      ? keep(name, `${direction} ${JSON.stringify(shape)}`, () => renderBare(shape as Shape, direction))
      : render(shape, direction)

  const render = (given: object, direction: Direction): JsonObject => {
    const shape = given as Shape
    const known = findNamedShape(shape)
    if (known !== undefined) {
      const common = known.shape as Shape
      const source = `${direction} ${JSON.stringify(common)}`
      const one = keep(known.name, source, () => renderBare(common, direction))
      return shape.description === common.description
        ? one
        : compact({ ...one, description: shape.description })
    }
    const list = shape['x-code-list'] ?? (shape['x-reads']?.kind === 'country' ? 'country' : undefined)
    return list === undefined ? renderBare(shape, direction) : renderCoded(shape, list)
  }

  const renderCoded = (shape: Shape, list: CodeListName): JsonObject => {
    const one = keep(`${pascalCase(list).replace(/Code$/, '')}Code`, list, () => renderCodeList(list))
    const described = compact({ description: shape.description, examples: shape.examples })
    if (shape['x-reads']?.kind === 'codes' && shape.anyOf !== undefined) {
      const [array, text] = shape.anyOf
      const joined = { ...(text as object), description: 'The values, separated by commas.' }
      return { ...described, anyOf: [{ ...(array as object), items: one }, joined] }
    }
    return { ...one, ...described }
  }

  const renderBare = (shape: Shape, direction: Direction): JsonObject => {
    const { 'x-reads': reads, 'x-aliases': aliases, 'x-blanks': _, 'x-code-list': _list, ...given } = shape
    const { 'x-deprecated': deprecated, 'x-shown-aliases': shown = [], ...rest } = given
    const { properties, patternProperties, items, anyOf, description, ...plain } = rest as Omit<
      Shape,
      'x-deprecated' | 'x-shown-aliases'
    > &
      Record<string, Json>
    if (direction === 'answer' && plain.additionalProperties === false) delete plain.additionalProperties
    const admitted = properties && (direction === 'request' ? withEmptyTexts(properties, shape) : properties)
    const words = [
      description,
      describeReads(reads),
      describeAliases(aliases),
      deprecated && describeDeprecation(deprecated),
    ].filter((text) => text !== undefined)
    return compact({
      ...(words.length > 0 ? { description: words.join(' ') } : {}),
      ...(deprecated === undefined ? {} : { deprecated: true }),
      ...plain,
      properties: admitted && {
        ...renderAll(admitted, direction),
        ...renderAll(aliasesShown(admitted, aliases, shown), direction),
      },
      additionalProperties: patternProperties
        ? (Object.values(patternProperties).map((value) => render(value, direction))[0] ?? {})
        : plain.additionalProperties,
      items: items && render(items, direction),
      anyOf: anyOf?.map((branch) => render(branch, direction)),
    })
  }

  const renderAll = (shapes: Readonly<Record<string, Shape>>, direction: Direction): JsonObject =>
    Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, render(shape, direction)]))

  return {
    render,
    enter,
    enterRendered: (name, schema) => keep(name, JSON.stringify(schema), () => schema),
    schemas: () =>
      Object.fromEntries(
        [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
      ),
  }
}

/** The properties of a request, of which the optional ones may be empty texts. */
function withEmptyTexts(
  properties: Readonly<Record<string, Shape>>,
  { required = [] }: Shape,
): Readonly<Record<string, Shape>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [
      name,
      required.includes(name) ? shape : admitEmptyText(shape),
    ]),
  )
}

/** The properties under the other names that the contract lists. */
function aliasesShown(
  properties: Readonly<Record<string, Shape>>,
  aliases: Readonly<Record<string, string>> = {},
  shown: readonly string[],
): Readonly<Record<string, Shape>> {
  return Object.fromEntries(
    shown.map((alias) => {
      const name = aliases[alias] ?? aliases[alias.toLowerCase()] ?? alias
      return [
        alias,
        { ...properties[name], description: `Another name of \`${name}\`; send one of the two.` },
      ]
    }),
  )
}

const exampleCodesMax = 3

function renderCodeList(list: CodeListName): JsonObject {
  const values = codeLists[list].map(({ value }) => value)
  return {
    description: `A value of the coded list \`${list}\`, matched without regard to letter case. Values may be added: a client must accept values that it does not know. The operation code-lists returns the labels.`,
    type: 'string',
    'x-code-list': list,
    'x-extensible-enum': values,
    examples: values.slice(0, exampleCodesMax),
  }
}

function describeAliases(aliases: Readonly<Record<string, string>> | undefined): string | undefined {
  if (aliases === undefined) return undefined
  const pairs = Object.entries(aliases).map(([alias, name]) => `\`${alias}\` for \`${name}\``)
  return `Names are matched without regard to letter case. Also accepted: ${pairs.join(', ')}.`
}
