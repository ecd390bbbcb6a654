/**
 * Finds the field of a record that a request for information names: by the names of the record, or by those that
 * update-account accepts for the same fields. Names without a block, such as the registration type, are fields too.
 */
import type { AccountRecord } from '@clearing/domain'
import { operations } from '@clearing/protocol'

interface Schema {
  readonly properties?: object
  readonly items?: Schema
}

const changeable: Schema = operations['update-account'].request
/** The blocks of a record, each by its name in the record. */
const blocks = [
  'main',
  'electronicDelivery',
  'mailingAddress',
  'primaryOwner',
  'associatedParties',
  'financialProfile',
  'beneficiaries',
] as const satisfies readonly (keyof AccountRecord)[]

/** `associatedParties[0]`: a name, and the position in a list. */
const step = /^(\w+)(?:\[(\d{1,3})\])?$/

const lists: readonly string[] = ['associatedParties', 'beneficiaries']
const fixed: readonly string[] = ['registrationType', 'entityNumber']
const otherNames = [
  [/^trustedContact\b/, 'primaryOwner.trustedContact'],
  [/^(retirementBenes|transferOfDeathBeneficiaries)\b/, 'beneficiaries'],
] as const

/** The path by the names of the record. */
export function pathInRecord(path: string): string {
  const [other, name] = otherNames.find(([one]) => one.test(path)) ?? []
  return other === undefined || name === undefined ? path : path.replace(other, name)
}

/** Whether the path is that of a whole list, to which the firm adds a party or a beneficiary. */
export function isList(path: string): boolean {
  return lists.includes(path)
}

/** Whether the record has a field at the path, filled or empty, such as `primaryOwner.birthDate`. */
export function hasField(record: AccountRecord, path: string): boolean {
  if (fixed.includes(path) || isList(path)) return true
  const [first = '', ...rest] = path.split('.')
  const [, name, at] = step.exec(first) ?? []
  const block = blocks.find((one) => one === name)
  if (block === undefined) return false
  const items = record[block]
  if (Array.isArray(items) ? items[Number(at ?? -1)] === undefined : at !== undefined) return false
  const schema = memberOf(changeable, block)
  return hasMember(at === undefined ? schema : schema?.items, rest)
}

function hasMember(schema: Schema | undefined, [name, ...rest]: readonly string[]): boolean {
  if (schema === undefined || name === undefined) return schema !== undefined
  return hasMember(memberOf(schema, name), rest)
}

function memberOf({ properties = {} }: Schema, name: string): Schema | undefined {
  return new Map<string, Schema>(Object.entries(properties)).get(name)
}
