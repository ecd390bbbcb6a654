/** The person or address of a match, from the record and from the change that waits for the decision. */

import { type Block, isBlock } from '../account/record.ts'
import type { Answered } from '../client.ts'

type Match = Answered<'list-matches'>['matches'][number]
type Change = Answered<'list-changes'>['changes'][number]

/** A person, an organization or an address, with the names of the record's members. */
export interface Customer {
  readonly name: string
  readonly birthDate: string
  readonly citizenship: string
  readonly addresses: readonly Block[]
  readonly ids: readonly string[]
}

export function customerOf(match: Match, record: Block, change: Change | undefined): Customer {
  const place = placeOf(match.field)
  const found = { ...find(record, place), ...newValues(place, change) }
  const text = (...names: string[]) =>
    names
      .map((name) => found[name])
      .filter((value): value is string => typeof value === 'string' && value !== '')
  const own = place === 'primaryOwner' && isBlock(record.mailingAddress) ? [record.mailingAddress] : []
  const ids = isBlock(found.governmentIdentification) ? Object.values(found.governmentIdentification) : []
  return {
    name: (text('firstName', 'middleName', 'lastName', 'suffix').join(' ') || text('name').join(' ')).trim(),
    birthDate: text('birthDate')[0] ?? '',
    citizenship: text('citizenshipCountry')[0] ?? '',
    addresses: [found.legalAddress, found.address, ...own].filter(isAddress),
    ids: [
      ...text('taxIdNumber'),
      ...ids.filter(isBlock).map(({ idNumber }) => String(idNumber ?? '')),
    ].filter(Boolean),
  }
}

function isAddress(value: unknown): value is Block {
  return isBlock(value) && Object.values(value).some((part) => part !== '')
}

/** The person at a path: the address of an owner belongs to the owner. */
function placeOf(field: string): string {
  return field.replace(/\.(legalAddress|employerAddress|address|citizenshipCountry|affiliation)\b.*$/, '')
}

const lists = ['beneficiaries', 'transferOfDeathBeneficiaries', 'retirementBenes', 'associatedParties']

/**
 * The block at a path whose items are identified by their customer id, with the API's names of the members: `firstName`
 * for `name1`.
 */
function find(record: Block, place: string): Record<string, unknown> {
  let at: unknown = record
  for (const part of place === '' ? [] : place.split('.')) {
    const [, list = part, id] = /^(\w+)\[(.*)\]$/.exec(part) ?? []
    at =
      id === undefined
        ? isBlock(at)
          ? at[list]
          : undefined
        : lists.flatMap((name) => itemsOf(record[name])).find(({ customerId }) => customerId === id)
  }
  return isBlock(at) && at !== record ? canonical(at) : {}
}

function itemsOf(value: unknown): readonly Block[] {
  return Array.isArray(value) ? value.filter(isBlock) : []
}

const names: Readonly<Record<string, string>> = {
  name1: 'firstName',
  name2: 'middleName',
  name3: 'lastName',
  name4: 'suffix',
  taxId: 'taxIdNumber',
}

function canonical(block: Block): Record<string, unknown> {
  return Object.fromEntries(Object.entries(block).map(([name, value]) => [names[name] ?? name, value]))
}

/** The person after the change. */
function newValues(place: string, change: Change | undefined): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const { field, after } of change?.fields ?? []) {
    if (field === place && isBlock(after)) Object.assign(made, canonical(after))
    const [, member = ''] = field.startsWith(`${place}.`)
      ? (/^([^.[]+)$/.exec(field.slice(place.length + 1)) ?? [])
      : []
    if (member !== '' && after !== null && after !== undefined) made[names[member] ?? member] = after
  }
  return made
}
