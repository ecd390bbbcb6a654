/** The fields of the items of a list, which a person adds and removes. An item is an index in the names of fields. */
import { type Field, firstValues, type Values } from './field.ts'

export interface Repeated<List extends string = string> {
  /** The list of the request. The fields of its first item, `list[0].member`, are those of every item. */
  readonly list: List
  /** The name of an item, such as "Request". */
  readonly item: string
  /** The label of the button that adds an item. */
  readonly add: string
}

/** The number of items, at least 1. */
export function countItems(values: Values, list: string): number {
  const indexes = Object.keys(values).map((name) => (name.startsWith(`${list}[`) ? indexOf(name) : 0))
  return Math.max(0, ...indexes) + 1
}

/** The fields of one item. */
export function fieldsOfItem(fields: readonly Field[], list: string, at: number): Field[] {
  return fields.filter((field) => isOf(field.name, list, 0)).map((field) => moved(field, list, at))
}

/** All fields: those outside the list, then those of each item. */
export function repeatFields(fields: readonly Field[], list: string, count: number): Field[] {
  const others = fields.filter((field) => !isOf(field.name, list, 0))
  return [...others, ...Array.from({ length: count }, (_, at) => fieldsOfItem(fields, list, at)).flat()]
}

export function withItem(values: Values, fields: readonly Field[], list: string): Values {
  return { ...values, ...firstValues(fieldsOfItem(fields, list, countItems(values, list))) }
}

/** Without the item. The following items move up. */
export function withoutItem(values: Values, list: string, at: number): Values {
  const left = Object.entries(values).filter(([name]) => !isOf(name, list, at))
  return Object.fromEntries(
    left.map(([name, value]) => {
      const isAfter = name.startsWith(`${list}[`) && indexOf(name) > at
      return [isAfter ? nameAt(name, list, indexOf(name) - 1) : name, value]
    }),
  )
}

function moved(field: Field, list: string, at: number): Field {
  return { ...field, name: nameAt(field.name, list, at) }
}

function nameAt(name: string, list: string, at: number) {
  return `${list}[${at}]${name.slice(name.indexOf(']') + 1)}`
}

function isOf(name: string, list: string, at: number) {
  return name.startsWith(`${list}[${at}].`)
}

function indexOf(name: string) {
  return Number(/\[(\d+)\]/.exec(name)?.[1] ?? 0)
}
