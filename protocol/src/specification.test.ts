// Every field that a table or list of docs/specification.md names is in the shapes of the contract, with its type and
// length.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { activityFieldLengths, activityFieldsUnbounded } from './activity-fields.ts'
import { envelopeShape, errorShape } from './envelope.ts'
import { addDocument } from './operations/documents.ts'
import { operations } from './operations/index.ts'
import {
  accountShape1,
  accountShape2,
  newAccountEcho,
  newAccountRequest,
  updateAccountRequest,
} from './shapes/account.ts'
import { addressRequest, addressShape } from './shapes/address.ts'
import { affiliationRequest, affiliationShape } from './shapes/affiliation.ts'
import {
  beneficiaryRequest,
  beneficiaryShape,
  todBeneficiaryRequest,
  todBeneficiaryShape,
} from './shapes/beneficiary.ts'
import { documentShape } from './shapes/document.ts'
import {
  caisInformationRequest,
  caisInformationShape,
  electronicDeliveryRequest,
  electronicDeliveryShape,
  financialProfileRequest,
  financialProfileShape,
  investmentExperienceRequest,
  investmentExperienceShape,
  mainRequest,
  mainShape,
} from './shapes/main.ts'
import { onboardingResultShape } from './shapes/onboarding.ts'
import {
  associatedPartyRequest,
  associatedPartyShape1,
  associatedPartyShape2,
  primaryOwnerRequest,
  primaryOwnerShape1,
  primaryOwnerShape2,
} from './shapes/party.ts'
import {
  portfolioItemShape,
  positionSummaryShape,
  summaryItemShape,
  unrealizedGainLossShape,
} from './shapes/position-summary.ts'
import { activityShape } from './shapes/trade-activity.ts'
import { trustedContactRequest, trustedContactShape } from './shapes/trusted-contact.ts'

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly maxLength?: number
  readonly maximum?: number
  readonly 'x-aliases'?: Readonly<Record<string, string>>
}

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')

/** The text under a heading, up to the next heading. */
function section(heading: string): string {
  const [, after] = specification.split(`\n${heading}\n`)
  assert.ok(after !== undefined, `the specification has no heading "${heading}"`)
  return after.split(/\n#+ /)[0] ?? ''
}

/** The rows of the table in a section, as cells by the title of their column. */
function tableOf(text: string): Record<string, string>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const [titles = [], , ...rows] = cells
  return rows.map((row) => Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])))
}

/** The names of a list such as `date (string), quantity, cost (numbers)`. */
function namesOf(list: string): string[] {
  return list
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map((name) => name.trim().split(' ')[0] ?? '')
    .filter((name) => name !== '')
}

/** The text between two texts of the specification. */
function between(start: string, end: string): string {
  const at = specification.indexOf(start)
  assert.ok(at >= 0, `the specification does not say "${start}"`)
  return specification.slice(at + start.length, specification.indexOf(end, at + start.length))
}

/** The field of a shape, by its name or another accepted spelling, in any letter case. */
function fieldOf(shape: object, name: string): Shape | undefined {
  const { properties = {}, 'x-aliases': aliases = {} } = shape as Shape
  const wanted = (aliases[name.toLowerCase()] ?? name).toLowerCase()
  return Object.entries(properties).find(([own]) => own.toLowerCase() === wanted)?.[1]
}

function mustHave(shapes: readonly object[], names: readonly string[], where: string) {
  assert.ok(names.length > 0, where)
  const missing = names.filter((name) => shapes.every((shape) => fieldOf(shape, name) === undefined))
  assert.deepEqual(missing, [], where)
}

/** The fields that a cell names. The masked field of the account record is retirementBenes (Reading 1.5). */
function fieldsOf(cell: string) {
  return cell === 'the service'
    ? ['retirementBenes']
    : namesOf(cell).map((name) => name.split('.')[0] ?? name)
}

/** Each table of fields: its heading, and the groups of shapes. The shapes of a group together must have all fields. */
const tables: readonly [heading: string, ...groups: (readonly object[])[]][] = [
  ['### Response envelope (all business endpoints)', [envelopeShape({})]],
  [
    '### Address (used by mailingAddress, legalAddress, employerAddress and nested addresses)',
    [addressRequest],
    [addressShape],
  ],
  ['### Account record', [accountShape2], [updateAccountRequest]],
  ['### Main', [mainRequest], [mainShape]],
  ['### Electronic Delivery', [electronicDeliveryRequest], [electronicDeliveryShape]],
  [
    '### Primary Owner and Associated Party',
    [associatedPartyRequest],
    [associatedPartyShape1, associatedPartyShape2, { properties: { employer: {} } }],
  ],
  ['### Financial Profile', [financialProfileRequest], [financialProfileShape]],
  ['### Beneficiary (new-account request and shape 1 records)', [beneficiaryRequest], [beneficiaryShape]],
  ['### Onboarding result record', [onboardingResultShape]],
  ['### Position summary record (`data` of position-summary)', [portfolioItemShape]],
  ['### Document record (add-document response)', [documentShape]],
  ['### POST /account-api/v1/add-document', [addDocument.request, { properties: { file: {} } }]],
]

for (const [heading, ...groups] of tables) {
  test(`every field of the table under "${heading.replace(/^#+ /, '')}" is in the shapes`, () => {
    const names = tableOf(section(heading)).flatMap((row) => fieldsOf(row.Field ?? ''))
    for (const shapes of groups) mustHave(shapes, names, heading)
  })
}

test('every table of fields is compared', () => {
  const found = specification.split(/\n(?=#+ )/).filter((part) => /\n\| Field \|/.test(part))
  const headings = found.map((part) => part.split('\n')[0] ?? '')
  assert.deepEqual(headings.sort(), tables.map(([heading]) => heading).sort())
})

/** Each list of names in running text: its position, and the shapes that must have the names. */
const lists: readonly [title: string, list: () => string, ...groups: (readonly object[])[]][] = [
  ['an error', () => between('Error object: ', '.').replaceAll('`', ''), [errorShape]],
  ['shape 1', () => between('It holds: ', '.'), [accountShape1]],
  [
    'the second create variant',
    () => between('echoes the submitted blocks (', ')'),
    [newAccountEcho, { properties: { trustedContact: {} } }],
  ],
  [
    'CAIS information',
    () => 'customerType, accountType, role',
    [caisInformationRequest],
    [caisInformationShape],
  ],
  [
    'the trusted contact',
    () => between('| trustedContact | object | ', ' |'),
    [trustedContactRequest],
    [trustedContactShape],
  ],
  [
    'the affiliation',
    () => between('| affiliation | object | ', ' |'),
    [affiliationRequest],
    [affiliationShape],
  ],
  [
    'the investment experience',
    () => between('| investmentExperience | object | keys ', ';'),
    [investmentExperienceRequest],
    [investmentExperienceShape],
  ],
  [
    'a government identification',
    () =>
      between('Government identification entry (governmentId1, governmentId2): ', '\n').replace(/\.$/, ''),
    [fieldOf(fieldOf(primaryOwnerRequest, 'governmentIdentification') ?? {}, 'governmentId1') ?? {}],
    [fieldOf(fieldOf(primaryOwnerShape2, 'governmentIdentification') ?? {}, 'governmentId2') ?? {}],
  ],
  [
    'a T.O.D. beneficiary',
    () => between('### T.O.D. beneficiary (shape 2)\n\n', '.\n'),
    [todBeneficiaryRequest],
    [todBeneficiaryShape],
  ],
  ['the names of shape 1', () => 'firstName, middleName, lastName', [primaryOwnerShape1]],
  ['the names of shape 2', () => 'name1, name2, name3, name4', [primaryOwnerShape2], [primaryOwnerRequest]],
  [
    'the position summary',
    () => between('Account-level fields (all numbers unless stated): ', '\n').replace(/\.$/, ''),
    [positionSummaryShape],
  ],
  ['the four summaries', () => between('Four arrays of summary items: ', '.'), [positionSummaryShape]],
  ['a summary item', () => between('Each item: ', '.'), [summaryItemShape]],
  [
    'an unrealized gain or loss',
    () => between('unrealizedGainLoss fields: ', '\n').replace(/\.$/, ''),
    [unrealizedGainLossShape],
  ],
  ['new-account, shape 1', () => between('Request shape 1: ', '\n').replace(/\.$/, ''), [newAccountRequest]],
  ['new-account, shape 2', () => between('Request shape 2: ', ';'), [newAccountRequest]],
]

for (const [title, list, ...groups] of lists) {
  test(`every field that the specification lists for ${title} is in the shapes`, () => {
    for (const shapes of groups) mustHave(shapes, namesOf(list()), title)
  })
}

test('the spellings of requests in the specification are accepted', () => {
  const notes = between('| otherSourceOfFund | string | ', ' |')
  const spellings = [...notes.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  assert.deepEqual(spellings, ['othersourceoffund', 'otherSourceOfFunds'])
  const others = namesOf(between('request examples spell them ', ' |'))
  for (const request of [primaryOwnerRequest, associatedPartyRequest]) {
    mustHave([request], [...spellings, ...others], 'spellings')
  }
  mustHave([newAccountRequest], ['Beneficiaries', 'registrationtype'], 'spellings')
})

const typeWords = /^(string|integer|number|boolean|object|array)\b/

/** The JSON types that a schema allows. */
function typesOf({ type, anyOf = [] }: Shape): (string | undefined)[] {
  return type === undefined ? anyOf.flatMap(typesOf) : [type]
}

for (const [heading, shape] of [
  ['### Position summary record (`data` of position-summary)', portfolioItemShape],
  ['### Onboarding result record', onboardingResultShape],
  ['### Document record (add-document response)', documentShape],
  ['### Response envelope (all business endpoints)', envelopeShape({ type: 'object' })],
] as const) {
  test(`the types in the table under "${heading.replace(/^#+ /, '')}" are those of the shape`, () => {
    for (const { Field = '', Type = '' } of tableOf(section(heading))) {
      const type = typeWords.exec(Type)?.[1]
      assert.ok(type, `${Field}: ${Type}`)
      for (const name of namesOf(Field)) assert.deepEqual(typesOf(fieldOf(shape, name) ?? {}), [type], name)
    }
  })
}

test('amounts of the position summary are numbers, and its names are strings', () => {
  const stated = between('Account-level fields (all numbers unless stated): ', '\n')
  for (const name of namesOf(stated.replace(/\.$/, ''))) {
    const isText = new RegExp(`\\b${name} \\(string`).test(stated)
    assert.equal(fieldOf(positionSummaryShape, name)?.type, isText ? 'string' : 'number', name)
  }
})

test('the stated lengths of trade activity are those of the shape, and the other fields have none', () => {
  const pairs = between('Fields with a stated length: ', '.\n')
    .split(', ')
    .map((pair) => pair.split(' '))
  const stated = Object.fromEntries(pairs.map(([name, length]) => [name, Number(length)]))
  assert.deepEqual(activityFieldLengths, stated)
  for (const [name, length] of Object.entries(stated))
    assert.equal(fieldOf(activityShape, name)?.maxLength, length, name)
  const unbounded = namesOf(between('Fields without a stated length: ', '.\n'))
  assert.deepEqual([...activityFieldsUnbounded].sort(), unbounded.sort())
  for (const name of unbounded) {
    const { type, maxLength } = fieldOf(activityShape, name) ?? {}
    assert.deepEqual([type, maxLength], ['string', undefined], name)
  }
  assert.deepEqual(fieldOf(activityShape, 'activityTypeViewsList')?.items, { type: 'string' })
})

/** The stated lengths of positions: the characters of a text, or the digits of an integer. */
function lengthsOfPositions(): [name: string, length: number][] {
  return tableOf(section('### Position summary record (`data` of position-summary)'))
    .filter((row) => /^\d+$/.test(row['Length / values'] ?? ''))
    .map((row) => [row.Field ?? '', Number(row['Length / values'])])
}

test('the stated lengths of positions are those of the shape', () => {
  assert.equal(lengthsOfPositions().length, 12)
  for (const [name, length] of lengthsOfPositions()) {
    const { type, maxLength, maximum } = fieldOf(portfolioItemShape, name) ?? {}
    if (type === 'integer') assert.ok(maximum !== undefined && String(maximum).length <= length, name)
    else assert.ok(maxLength !== undefined && maxLength <= length, name)
  }
})

test('every endpoint of the specification is an operation of the contract', () => {
  const paths = [...specification.matchAll(/### POST \/account-api\/v1\/([a-z-]+)/g)].map(([, name]) => name)
  const own = Object.entries(operations).filter(([, { origin }]) => origin === 'specification')
  assert.deepEqual(own.map(([name]) => name).sort(), paths.sort())
})
