/**
 * The name of a beneficiary in an update. A name in one field replaces the whole name. A name in parts is merged part
 * by part, but its other parts may be empty if it replaces the first or the last name.
 */
import { plainMarks } from '@clearing/protocol/values'
import { isBlank } from './blank.ts'
import type { Merge } from './merge-blocks.ts'
import { fullName, namedInOne, splitName } from './name.ts'
import type { Beneficiary } from './record.ts'

const parts = ['firstName', 'middleName', 'lastName', 'suffix'] as const

interface Item {
  readonly present: Beneficiary
  readonly given: Beneficiary
  /** Whether the request has the name in one field. */
  readonly inOne: boolean
  /** Path of the beneficiary in the record. */
  readonly place: string
}

/** The present item and the given one, as they are merged attribute by attribute. */
export function mergeName(
  merge: Merge,
  item: Item,
): { readonly before: Beneficiary; readonly given: Beneficiary } {
  const { present, given, inOne, place } = item
  if (!inOne)
    return isReplaced(present, given) ? emptyParts(merge, present, given, place) : { before: present, given }
  const { nameType, ...others } = given
  const whole = fullName(given)
  if (whole === '') return { before: present, given }
  if (sameName(given, present)) return { before: present, given: withoutName(others) }
  const isEntity = present.nameType === 'Entity'
  const named = isEntity
    ? { firstName: whole }
    : namedInOne(whole, given.relationship ?? present.relationship)
  const { nameType: kind, ...name } = { nameType: undefined, ...named }
  const emptied = emptyParts(merge, present, { ...withoutName(others), ...noName, ...name }, place)
  if (kind === undefined || kind === present.nameType) return emptied
  // The service gave the kind: a request with the name in one field has none.
  merge.changes.push({ field: `${place}.nameType`, from: present.nameType, to: kind })
  return { ...emptied, before: { ...emptied.before, nameType: kind } }
}

const noName = { firstName: '', middleName: '', lastName: '', suffix: '' }

/** Removes the parts that the given name has empty. */
function emptyParts(merge: Merge, present: Beneficiary, given: Beneficiary, place: string) {
  const [before, kept] = [{ ...present }, { ...given }]
  for (const part of parts) {
    if (!(part in given) || !isBlank(given[part])) continue
    if (!isBlank(present[part]))
      merge.changes.push({ field: `${place}.${part}`, from: present[part], to: undefined })
    delete before[part]
    delete kept[part]
  }
  return { before, given: kept }
}

/** Whether the first and the last name are given, and one of them is another one. */
function isReplaced(present: Beneficiary, given: Beneficiary): boolean {
  if (isBlank(given.firstName) || isBlank(given.lastName)) return false
  return (['firstName', 'lastName'] as const).some((part) => given[part] !== plainMarks(present[part] ?? ''))
}

function withoutName({ firstName, middleName, lastName, suffix, ...others }: Beneficiary): Beneficiary {
  return others
}

/**
 * Names of earlier releases may have typographic marks, which a request no longer has, and a comma before the suffix.
 */
export function sameName(given: Beneficiary, present: Beneficiary): boolean {
  const [one, other] = [fullName(given), plainMarks(fullName(present))]
  return one === other || one === fullName(splitName(other))
}
