/** The members of a request as flags (`--account-number`, `--main.rep-code`), and the request made from given flags. */
import { type CodeListName, codeLists, type Deprecation, type OperationDefinition } from '@clearing/protocol'
import type { Flag, Given } from './verb.ts'
import { WrongUsage } from './wrong-usage.ts'

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly description?: string
  readonly 'x-code-list'?: CodeListName
  readonly 'x-deprecated'?: Deprecation
  readonly 'x-reads'?: { readonly kind: string; readonly max?: number }
}

/** The type of a flag's value: a text, a number, a Boolean value, a list of texts, or JSON. */
type Kind = 'text' | 'whole' | 'number' | 'yesNo' | 'texts' | 'json'

export interface Field {
  readonly path: readonly string[]
  readonly flag: Flag
  readonly kind: Kind
  readonly required: boolean
}

/** The members of a request that flags can set, those of the top level first. */
export function fieldsOf({ request }: Pick<OperationDefinition, 'request'>): Field[] {
  return walk(request as Shape, []).sort((a, b) => a.path.length - b.path.length)
}

function walk({ properties = {}, required = [] }: Shape, above: readonly string[]): Field[] {
  return Object.entries(properties).flatMap(([name, shape]) => {
    const path = [...above, name]
    if (shape.properties !== undefined) return walk(shape, path)
    return [makeField(path, shape, above.length === 0 && required.includes(name))]
  })
}

function makeField(path: readonly string[], shape: Shape, required: boolean): Field {
  const kind = kindOf(shape)
  const choices = choicesOf(shape)
  return {
    path,
    kind,
    required,
    flag: {
      name: path.map(kebab).join('.'),
      summary: summaryOf(shape, kind, choices),
      ...(kind === 'yesNo' ? { negatable: true } : { value: valueName(shape, kind) }),
      ...(kind === 'texts' ? { repeatable: true } : {}),
      ...(choices === undefined ? {} : { choices }),
    },
  }
}

/** Converts `accountNumber` to `account-number`. */
function kebab(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function kindOf(shape: Shape): Kind {
  const types = (shape.anyOf ?? [shape]).map(({ type }) => type)
  if (types.includes('string')) return 'text'
  if (types.length > 1) return 'json'
  switch (types[0]) {
    case 'integer':
      return 'whole'
    case 'number':
      return 'number'
    case 'boolean':
      return 'yesNo'
    case 'array':
      return shape.items?.type === 'object' ? 'json' : 'texts'
    default:
      return shape.anyOf === undefined && choicesOf(shape) !== undefined ? 'text' : 'json'
  }
}

function choicesOf(shape: Shape): readonly string[] | undefined {
  const list = shape['x-code-list'] ?? shape.items?.['x-code-list']
  if (list !== undefined) return codeLists[list].map(({ value }) => value)
  if (shape['x-reads']?.kind === 'flag') return ['true', 'false']
  const literals = shape.enum ?? shape.anyOf?.map((each) => each.const)
  return literals?.every((literal) => typeof literal === 'string') ? (literals as string[]) : undefined
}

const choicesNamedMax = 6

function summaryOf(shape: Shape, kind: Kind, choices: readonly string[] | undefined): string {
  const deprecated = shape['x-deprecated']
  if (deprecated !== undefined) return `deprecated: ${deprecated.instead.replaceAll('`', '')}`
  const named = choices?.slice(0, choicesNamedMax).join(', ')
  const list = choices === undefined || shape['x-reads']?.kind === 'flag' ? undefined : named
  const more = (choices?.length ?? 0) > choicesNamedMax ? ' …' : ''
  const form =
    kind === 'json' ? 'as JSON' : kind === 'texts' ? 'several values separated by commas' : undefined
  const parts = [list && `${list}${more}`, form].filter(Boolean).join('; ')
  if (shape.description === undefined) return parts
  const said = beginningOf(shape.description.replaceAll('`', ''))
  return parts === '' ? said : `${said} ${list === undefined ? upperFirst(parts) : `Values: ${parts}`}`
}

const saidLengthMax = 100

/** The first sentence of a description, and those after it that fit into a line. The reference has all of them. */
function beginningOf(description: string): string {
  const [first = '', ...others] = description.split(/(?<=\.) (?=[A-Z])/)
  return others.reduce(
    ({ text, full }, sentence) =>
      full || text.length + 1 + sentence.length > saidLengthMax
        ? { text, full: true }
        : { text: `${text} ${sentence}`, full: false },
    { text: first, full: false },
  ).text
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const valueNames: Readonly<Record<string, string>> = {
  date: 'date',
  birthDate: 'date',
  rangeDate: 'date',
  flag: 'true|false',
  code: 'code',
  codes: 'codes',
  accountNumber: 'number',
  entityNumber: 'number',
}

function valueName(shape: Shape, kind: Kind): string {
  return (
    valueNames[shape['x-reads']?.kind ?? ''] ??
    { text: 'text', whole: 'number', number: 'number', yesNo: '', texts: 'texts', json: 'json' }[kind]
  )
}

/** The request: the members of the file, overridden by the flags. */
export function renderRequest(
  fields: readonly Field[],
  given: Given,
  file: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const request: Record<string, unknown> = structuredClone(file)
  for (const field of fields) {
    const values = given.flags.get(field.flag.name)
    if (values !== undefined) setMember(request, field.path, parseValue(field, values))
  }
  return request
}

/**
 * Sets a member, whatever the letter case of its name in a file (Reading 1.1). A member in two spellings would be
 * rejected as a duplicate.
 */
export function setMember(request: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path
  const spelled = Object.keys(request).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name
  if (rest.length === 0) {
    request[spelled] = value
    return
  }
  const inner = request[spelled]
  const record = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  request[spelled] = record
  setMember(record, rest, value)
}

function parseValue({ kind, flag }: Field, given: readonly string[] | boolean): unknown {
  if (typeof given === 'boolean') return given
  const text = given.at(-1) ?? ''
  switch (kind) {
    case 'text':
      return text
    case 'texts':
      return given.flatMap((each) => each.split(',')).map((each) => each.trim())
    case 'whole':
      if (!/^-?\d{1,15}$/.test(text)) throw new WrongUsage(`--${flag.name} takes a whole number, not ${text}`)
      return Number(text)
    case 'number':
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new WrongUsage(`--${flag.name} takes a number, not ${text}`)
      return Number(text)
    case 'json':
      return parseJsonOrText(text)
    case 'yesNo':
      return true
    default:
      return kind satisfies never
  }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
