/**
 * Folds the variants of a request into the one canonical form of the record: the employer as an object, the CAIS
 * list of shape 2, the trusted contact beside the owner, the three spellings of beneficiaries (Reading 1.1, 1.11).
 * Blank values are kept, because in an update they request a deletion.
 */
import type { Request } from '@clearing/protocol'
import { canonicalCode, type Rejection, reject } from '@clearing/protocol/values'
import { isBlank } from './blank.ts'
import { MovedPaths } from './moved-paths.ts'
import { namedInOne } from './name.ts'
import type { Beneficiary, LargeTrader, Party } from './record.ts'

/** The member of the request that held an item, and its spelling of the attributes. */
export interface Placed<T> {
  readonly value: T
  /** Path of the item in the caller's request. */
  readonly path: string
  /** The item of a record that the request does not name; its path is that in the record. */
  readonly unnamed?: true
}

export interface CanonicalRequest {
  primaryOwner: Party | undefined
  associatedParties: readonly Placed<Party>[] | undefined
  beneficiaries: readonly Placed<Beneficiary>[] | undefined
  largeTraders: readonly LargeTrader[] | undefined
  /** Empty lists by path: in an update they request a deletion. */
  emptyLists: readonly string[]
  rejections: Rejection[]
  movedPaths: MovedPaths
}

type Json = Record<string, unknown>
type Parties = Partial<
  Pick<
    Request<'update-account'>,
    | 'primaryOwner'
    | 'associatedParties'
    | 'trustedContact'
    | 'beneficiaries'
    | 'transferOfDeathBeneficiaries'
    | 'retirementBenes'
    | 'largeTraders'
  >
>

type Folded = Pick<CanonicalRequest, 'rejections' | 'movedPaths'>

/** Where a value goes in the record, and where the request has it. */
interface Places {
  readonly record: string
  readonly request: string
  /** The path that is rejected if the request has another value in the place of the record. */
  readonly twice: string
}

/** Moves `from` into `into.name`. Two different values are rejected as a duplicate property. */
function moveInto(
  into: Json,
  name: string,
  from: unknown,
  { record, request, twice }: Places,
  { rejections, movedPaths }: Folded,
) {
  if (from === undefined) return
  const present = into[name]
  if (isBlank(present)) {
    into[name] = from
    movedPaths.add(record, request)
  } else if (!isBlank(from) && JSON.stringify(present) !== JSON.stringify(from)) {
    rejections.push(reject('ERR.1014', twice, `${twice} is given twice with different values.`))
  }
}

/** A null employer deletes each of its members. */
const noEmployer = {
  employerName: null,
  employerPhoneRegionCode: null,
  employerPhoneNumber: null,
  employerPhoneExtension: null,
  employerAddress: null,
}

function foldParty(party: Json, path: string, into: Folded): Party {
  const { employer, caisCustomerType, ...folded } = party as Json & { employer?: Json | null }
  for (const [name, value] of Object.entries(employer === null ? noEmployer : (employer ?? {}))) {
    const record = `${path}.${name}`
    const request = employer === null ? record : `${path}.employer.${name}`
    moveInto(folded, name, value, { record, request, twice: record }, into)
  }
  if (caisCustomerType !== undefined) {
    const cais = { ...((folded.caisInformation as Json | null) ?? {}) }
    const record = `${path}.caisInformation.customerType`
    const request = `${path}.caisCustomerType`
    moveInto(cais, 'customerType', caisCustomerType, { record, request, twice: request }, into)
    folded.caisInformation = cais
  }
  const affiliation = folded.affiliation as Json | null | undefined
  if (typeof affiliation?.relationship === 'string') {
    const relationship = canonicalCode('relationship', affiliation.relationship) ?? affiliation.relationship
    folded.affiliation = { ...affiliation, relationship }
  }
  return folded as Party
}

/** A name that is empty stays, as an empty part of it: in an update it requests a deletion. */
function shape1Beneficiary({ name, ...rest }: Json): Beneficiary {
  if (name === undefined) return rest as Beneficiary
  const { relationship } = rest as Beneficiary
  const parts =
    typeof name === 'string' && !isBlank(name) ? namedInOne(name, relationship) : { firstName: name }
  return { ...rest, ...parts } as Beneficiary
}

const shape2Names: Record<string, string> = {
  name1: 'firstName',
  name2: 'middleName',
  name3: 'lastName',
  name4: 'suffix',
  taxId: 'taxIdNumber',
  percentAllocation: 'percentageAllocation',
}

function shape2Beneficiary(item: Json): Beneficiary & { id?: string } {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [shape2Names[name] ?? name, value]))
}

function place<T>(
  items: readonly unknown[] | null | undefined,
  path: string,
  fold: (item: Json, path: string) => T,
): Placed<T>[] {
  return (items ?? []).flatMap((item, index) =>
    item === null || item === undefined
      ? []
      : [{ value: fold(item as Json, `${path}[${index}]`), path: `${path}[${index}]` }],
  )
}

/** Whether a value deletes a list. An empty item is an item without its required fields. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => item === null || item === undefined) : isBlank(value)
}

/**
 * Returns the folded values with the paths that the caller used, and rejections of values that contradict each
 * other.
 */
export function canonicalRequest(request: Parties): CanonicalRequest {
  const rejections: Rejection[] = []
  const movedPaths = new MovedPaths()
  const folded = { rejections, movedPaths }
  const emptyLists: string[] = []
  const asked = request as { [name: string]: unknown }
  for (const name of [
    'associatedParties',
    'beneficiaries',
    'transferOfDeathBeneficiaries',
    'retirementBenes',
    'largeTraders',
  ]) {
    if (name in asked && isEmptyList(asked[name])) emptyLists.push(name)
  }
  let owner: Json | undefined
  if (request.primaryOwner !== undefined && request.primaryOwner !== null) {
    owner = { ...foldParty(request.primaryOwner as Json, 'primaryOwner', folded) }
  }
  if (!isBlank(request.trustedContact)) {
    owner ??= {}
    const places = {
      record: 'primaryOwner.trustedContact',
      request: 'trustedContact',
      twice: 'trustedContact',
    }
    moveInto(owner, 'trustedContact', request.trustedContact, places, folded)
  }
  const beneficiaries = [
    ...place(request.beneficiaries, 'beneficiaries', shape1Beneficiary),
    ...place(request.transferOfDeathBeneficiaries, 'transferOfDeathBeneficiaries', shape2Beneficiary),
    ...place(request.retirementBenes, 'retirementBenes', shape2Beneficiary),
  ]
  return {
    primaryOwner: owner as Party | undefined,
    associatedParties:
      request.associatedParties &&
      place(request.associatedParties, 'associatedParties', (item, path) => foldParty(item, path, folded)),
    beneficiaries: beneficiaries.length > 0 ? beneficiaries : undefined,
    largeTraders: request.largeTraders as LargeTrader[] | undefined,
    emptyLists,
    rejections,
    movedPaths,
  }
}

/** The name of a beneficiary's attribute as the list at `path` spells it. */
export function beneficiaryField(path: string, attribute: keyof Beneficiary): string {
  const shape1 = path.startsWith('beneficiaries')
  if (shape1 && ['firstName', 'middleName', 'lastName', 'suffix'].includes(attribute)) return `${path}.name`
  if (shape1) return `${path}.${attribute}`
  const spelled = Object.entries(shape2Names).find(([, canonical]) => canonical === attribute)?.[0]
  return `${path}.${spelled ?? attribute}`
}
