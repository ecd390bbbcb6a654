/**
 * Texts that would run if a screen treated them as markup, stored in every field that takes free text. The fields are
 * read from the contract, so that a new field is covered too. Each stored text has its own number, by which the tests
 * find it again.
 */
import assert from 'node:assert/strict'
import { type OperationName, operations } from '@clearing/protocol'
import { RequestRejected } from '@clearing/sdk'

/** The global function that the texts call. The window under test defines it. */
export const hostileCall = 'ran'

const forms: readonly ((call: string) => string)[] = [
  (call) => `<img src=x onerror=${call}>`,
  (call) => `<svg/onload=${call}>`,
  (call) => `javascript:${call}`,
  (call) => `"><b onclick=${call}>`,
  (call) => `{{${call}}}<b>`,
]

export interface Planted {
  /** Operation and field. */
  readonly where: string
  readonly text: string
}

/** Issues texts, and remembers where each was stored. */
export class Hostile {
  readonly planted: Planted[] = []
  /** Operations and fields that were tried, whether they accepted the text or not. */
  readonly tried = new Set<string>()
  #number = 0

  /** A new text for a field. */
  text(where: string, max = 60): string {
    const number = this.#number++
    const usual = (forms[number % forms.length] as (call: string) => string)(`${hostileCall}(${number})`)
    const text = usual.length <= max ? usual : `<b id=${number}>`.slice(0, max)
    this.planted.push({ where, text })
    this.tried.add(where.replace(/\[\d+\]/g, ''))
    return text
  }

  /** The field does not take it. */
  forget(text: string): void {
    const index = this.planted.findIndex((one) => one.text === text)
    if (index >= 0) this.planted.splice(index, 1)
  }
}

/** A schema of the contract, with the members that are read here. */
interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly 'x-reads'?: { readonly kind: string; readonly max?: number }
}

const freeKinds = new Set([
  'codeOrText',
  'flagOrText',
  'text',
  'wholeName',
  'words',
  'name',
  'street',
  'city',
  'email',
  'state',
  'postal',
])
const shortest = 10
const maxOf: Readonly<Record<string, number>> = { street: 60, city: 30, postal: 10, state: 30 }
function isFree(schema: Schema) {
  return freeKinds.has(schema['x-reads']?.kind ?? '') && lengthOf(schema) >= shortest
}
function lengthOf({ 'x-reads': reads }: Schema) {
  return reads?.max ?? maxOf[reads?.kind ?? ''] ?? 0
}
function schemaOf(name: OperationName) {
  return operations[name].request as unknown as Schema
}

/** Paths of the fields of an operation that take free text. */
function freeFieldsOf(name: OperationName): string[] {
  const found: string[] = []
  const walk = (schema: Schema, path: string): void => {
    for (const one of schema.anyOf ?? []) walk(one, path)
    if (schema.items !== undefined) walk(schema.items, path)
    for (const [member, one] of Object.entries(schema.properties ?? {}))
      walk(one, path === '' ? member : `${path}.${member}`)
    if (isFree(schema)) found.push(path)
  }
  walk(schemaOf(name), '')
  return [...new Set(found)]
}

type Value = { [member: string]: unknown }

/**
 * The request with a hostile text in every free field of the base's blocks, including fields that the base leaves out.
 */
export function plantIn(hostile: Hostile, name: OperationName, base: object): Value {
  const plant = (schema: Schema, value: unknown, path: string): unknown => {
    const free = [schema, ...(schema.anyOf ?? [])].find(isFree)
    if (free !== undefined) return hostile.text(`${name} ${path}`, lengthOf(free))
    const block = [schema, ...(schema.anyOf ?? [])].find(({ properties, items }) => properties ?? items)
    if (block?.items?.properties !== undefined) {
      const list = Array.isArray(value) ? value : []
      return list.length === 0
        ? value
        : list.map((one, index) => plant(block.items as Schema, one, `${path}[${index}]`))
    }
    if (block?.properties === undefined || typeof value !== 'object' || value === null) return value
    const before = value as Value
    const entries = Object.entries(block.properties)
      .map(([member, one]) => [
        member,
        plant(one, before[member], path === '' ? member : `${path}.${member}`),
      ])
      .filter(([, one]) => one !== undefined)
    return Object.fromEntries(entries)
  }
  return plant(schemaOf(name), base, '') as Value
}

const triesMax = 30

/** Sends the request. After a refusal, sends it again without the refused texts, until it is accepted. */
export async function sendWhatIsTaken<T>(
  hostile: Hostile,
  request: Value,
  base: object,
  send: (request: never) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      return await send(request as never)
    } catch (fault) {
      if (!(fault instanceof RequestRejected)) throw fault
      const paths = fault.rejections.map(({ field }) => field.split(/[.[\]]+/).filter(Boolean))
      const given = paths.map((path) => giveBack(hostile, request, base, path))
      // A base value that is refused nevertheless is refused because of the fields around it.
      const around = () => paths.some((path) => giveBackAround(hostile, request, base, path))
      if (!given.includes(true) && !around()) throw fault
    }
  }
  return assert.fail('the request is refused again and again')
}

/** Restores the base value at a path. Returns false when it is already there. */
function giveBack(hostile: Hostile, request: Value, base: object, path: readonly string[]): boolean {
  const [holder, known] = [request, base].map((value) =>
    path.slice(0, -1).reduce<unknown>((one, step) => (one as Value | undefined)?.[step], value),
  ) as [Value | undefined, Value | undefined]
  const member = path.at(-1) ?? ''
  if (holder === undefined) return false
  const [now, before] = [holder[member], known?.[member]]
  if (JSON.stringify(now) === JSON.stringify(before)) return false
  for (const text of textsOf(now)) hostile.forget(text)
  if (before === undefined) delete holder[member]
  else holder[member] = structuredClone(before)
  return true
}

function giveBackAround(hostile: Hostile, request: Value, base: object, path: readonly string[]): boolean {
  return path.some((_, index) => index > 0 && giveBack(hostile, request, base, path.slice(0, -index)))
}

function textsOf(value: unknown): string[] {
  return typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []
}

/** These fields name existing objects, and any other text is refused. */
const naming =
  /(Ids?|types|cursor|after|email|assignedTo|mentions|screen|search|listName|symbols|seed|requests\.field)$|^(replace-client-keys|update-credential) /
/**
 * Another operation, or another spelling, covers the same shape stored in the same place. A close moves the clock under
 * every session. The console shows no isolated sandboxes.
 */
const elsewhere =
  /^(decide-document idNumber|close-business-day|create-sandbox|validate-account|open-accounts|answer-follow-up changes|decide-work|settle-work|update-webhook) ?|^load-(fx-rates|held-away|account-terms|location-positions) source$|^update-account (.*governmentId.*|.*Parties|.*ene\w*s|largeTraders|\w+String)\b|\.employer\.|account trustedContact\.|account transferOfDeath/

/** Fields of write operations that take free text and were not tried. */
export function untried(hostile: Hostile): string[] {
  return (Object.keys(operations) as OperationName[])
    .filter((name) => operations[name].writes)
    .flatMap((name) => freeFieldsOf(name).map((path) => `${name} ${path}`))
    .filter((where) => !naming.test(where) && !elsewhere.test(where) && !hostile.tried.has(where))
}
