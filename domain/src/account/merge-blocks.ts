/**
 * Merges blocks into blocks, attribute by attribute. An absent attribute keeps its value, a deletion is refused with
 * ERR.1020, a change of a fixed attribute with ERR.1021, and every change is listed.
 */
import { plainMarks, type Rejection, reject } from '@clearing/protocol/values'
import { isBlank } from './blank.ts'
import { maskNumber } from './mask-numbers.ts'

export interface FieldChange {
  /** Path in the record, list items by customer id: `associatedParties[100…].email`. */
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

type Json = { [name: string]: unknown }

const none: ReadonlySet<string> = new Set()

export interface BlockSettings {
  /** The attributes that cannot be changed. */
  readonly fixed?: ReadonlySet<string>
  /** Path of the block in the record, if it is not that in the request. */
  readonly place?: string
  /** Path of an attribute in the request, if the request has another name for it. */
  readonly fieldOf?: (name: string) => string
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A submitted attribute, and the block that receives it. */
interface Member {
  readonly into: Json
  readonly name: string
  readonly value: unknown
  /** Path of the attribute in the request. */
  readonly path: string
  readonly fixed: ReadonlySet<string>
  /** Path of the attribute in the record. */
  readonly place: string
}

/** One merge with its rejections and its changes. */
export class Merge {
  readonly rejections: Rejection[] = []
  readonly changes: FieldChange[] = []

  /** The block with the submitted attributes merged into it. `path` is its path in the request. */
  block<T extends object>(
    before: T | undefined,
    given: object | null | undefined,
    path: string,
    { fixed = none, place = path, fieldOf = (name) => within(path, name) }: BlockSettings = {},
  ): T {
    const merged = { ...(before ?? {}) } as Json
    if (given === null) {
      if (!isBlank(before)) this.refuseDeletion(path)
      return merged as T
    }
    this.leaveCountry(merged, (given ?? {}) as Json, path, place)
    for (const [name, value] of Object.entries(given ?? {})) {
      this.member({
        into: merged,
        name,
        value,
        path: fieldOf(name),
        fixed,
        place: within(place, name),
      })
    }
    return merged as T
  }

  /**
   * State and postal code belong to a country: an address that moves to another country loses them unless the change
   * brings new ones. Otherwise no customer could move abroad, where a state must be empty (Reading 1.7).
   */
  leaveCountry(address: Json, given: Json, path: string, place: string): void {
    if (!/address$/i.test(path) || !given.country || !address.country) return
    if (given.country === address.country) return
    for (const name of ['stateProvince', 'postalCode']) {
      if (isBlank(address[name]) || !isBlank(given[name])) continue
      this.changes.push({ field: `${place}.${name}`, from: address[name], to: undefined })
      delete address[name]
    }
  }

  member(member: Member): void {
    const { into, name, value, path, place } = member
    const before = into[name]
    if (isBlank(value)) {
      if (isBlock(value)) into[name] = this.block(before as object | undefined, value, path, { place })
      else if (!isBlank(before)) this.refuseDeletion(path)
      if (isBlank(into[name]) && name !== 'legalAddress') delete into[name]
      return
    }
    if (isBlock(value) || isBlock(before)) {
      into[name] = this.block(longForm(before), longForm(value), path, { place })
      return
    }
    if (!sameValue(before, value, name)) this.replace(member)
  }

  replace({ into, name, value, path, fixed, place }: Member): void {
    if (fixed.has(name)) {
      this.rejections.push(reject('ERR.1021', path, `${path} cannot be changed.`))
      return
    }
    this.changes.push({ field: place, from: into[name], to: value })
    into[name] = value
  }

  refuseDeletion(path: string): void {
    this.rejections.push(reject('ERR.1020', path, `${path} has a value, and values cannot be deleted.`))
  }

  fixedValue(path: string, before: string, given: unknown): void {
    if (given === undefined) return
    if (given === null || given === '') {
      if (before !== '') this.refuseDeletion(path)
      return
    }
    if (String(given).toUpperCase() !== before.toUpperCase()) {
      this.rejections.push(reject('ERR.1021', path, `${path} cannot be changed.`))
    }
  }
}

function isBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The block of an affiliation, or the block that its flag stands for (Reading 3.5). A change from one form to the other
 * keeps the members that it does not name.
 */
function longForm(value: unknown): object | undefined {
  return typeof value === 'string' ? { associated: value } : (value as object | undefined)
}

const namesOfPersons: ReadonlySet<string> = new Set(['firstName', 'middleName', 'lastName', 'suffix', 'name'])

/**
 * Equal, or what a caller sends back unchanged: the masked form of the value for a caller without `pii:read`, and the
 * plain form of a name that an earlier release stored with typographic marks.
 */
function sameValue(before: unknown, given: unknown, name: string): boolean {
  if (JSON.stringify(before) === JSON.stringify(given)) return true
  if (typeof before !== 'string') return false
  if (namesOfPersons.has(name)) return plainMarks(before) === given
  return (name === 'taxIdNumber' || name === 'idNumber') && maskNumber(before) === given
}
