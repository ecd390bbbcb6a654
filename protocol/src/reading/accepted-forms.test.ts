// Common forms of values that the reader accepts, and two that it rejects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestCodes } from '../codes/index.ts'
import { operations } from '../operations/index.ts'
import { readRequest } from './read-request.ts'

const request = operations['new-account'].request

function read(primaryOwner: object) {
  const { value, rejections } = readRequest(request, { primaryOwner })
  return { owner: (value as { primaryOwner: Record<string, unknown> }).primaryOwner, rejections }
}

function refusals(primaryOwner: object) {
  return read(primaryOwner)
    .rejections.filter(({ field }) => field.startsWith('primaryOwner'))
    .map(({ code, field }) => `${code} ${field}`)
}

test('a suffix may be an ordinal number for a generation: 2nd, 3rd, 4th', () => {
  for (const suffix of ['2nd', '3rd', '4TH'])
    assert.equal(read({ suffix }).owner.suffix, suffix.toUpperCase())
  for (const suffix of ['3', '1st0', '33'])
    assert.deepEqual(refusals({ suffix }), ['ERR.1016 primaryOwner.suffix'])
})

test('a typographic apostrophe is read as an apostrophe, and a typographic hyphen as a hyphen', () => {
  for (const [apostrophe, hyphen] of [
    ['’', '\u2010'],
    ['‘', '\u2011'],
    ['\u02bc', '\u2012'],
    ['´', '–'],
    ['`', '\u2212'],
    ['\u201b', '\uff0d'],
    ['\u2032', '-'],
    ['\uff07', '-'],
    ["'", '-'],
  ]) {
    const lastName = `O${apostrophe}Brien${hyphen}Li`
    const city = `Coeur d${apostrophe}Alene${hyphen}Li`
    const { owner, rejections } = read({ lastName, legalAddress: { city } })
    assert.equal(owner.lastName, "O'BRIEN-LI")
    assert.equal((owner.legalAddress as Record<string, unknown>).city, "COEUR D'ALENE-LI")
    assert.deepEqual(
      rejections.filter(({ field }) => field.endsWith('ame') || field.endsWith('city')),
      [],
    )
  }
})

test('the name of a beneficiary or a trusted contact has plain marks, as the name of an owner has', () => {
  const { value } = readRequest(request, {
    primaryOwner: { trustedContact: { name: 'Ana O’Brien–Li' } },
    beneficiaries: [{ name: 'Eva D´Arc & Sons, 1' }],
    transferOfDeathBeneficiaries: [{ name1: 'Eva', name3: 'D`Arc' }],
    retirementBenes: [{ name3: 'D’Arc' }],
  })
  const read = JSON.stringify(value)
  for (const name of ["ANA O'BRIEN-LI", "EVA D'ARC & SONS, 1", `"name3":"D'ARC"`])
    assert.ok(read.includes(name), name)
  assert.doesNotMatch(read, /[’´`–]/)
})

test('the name of a beneficiary or a trusted contact has the characters of names, and no other symbols', () => {
  const refused = (body: object) =>
    readRequest(request, body)
      .rejections.filter(({ code }) => code === 'ERR.1016')
      .map(({ field }) => field)
  for (const name of [
    '<Ana>',
    'Ana; Eva',
    'Ana ☺',
    'Ana_Li',
    '$100',
    '50%',
    'Ana = Eva',
    '{Ana}',
    'A|B',
    'A*B',
  ]) {
    assert.deepEqual(refused({ beneficiaries: [{ name }] }), ['beneficiaries[0].name'], name)
    assert.deepEqual(refused({ retirementBenes: [{ name3: name }] }), ['retirementBenes[0].name3'], name)
    assert.deepEqual(refused({ trustedContact: { name } }), ['trustedContact.name'], name)
  }
  for (const name of [
    'St. Jude’s Fund (2019)',
    '中国平安（集团）公司',
    'אורן בע"מ',
    'Reed & Son',
    'Łucja Đỗ-Ng',
    '24/7 Trust #2',
    'u/a 1/2/2020: Li + Ng, Jr.',
  ])
    assert.deepEqual(refused({ beneficiaries: [{ name }] }), [], name)
  assert.deepEqual(refused({ retirementBenes: [{ name1: 'Reed', name2: '&', name3: 'Son' }] }), [])
})

test('ŉ becomes an apostrophe and N in upper case, and the result is read unchanged', () => {
  assert.equal(read({ lastName: 'ŉguyen' }).owner.lastName, "'NGUYEN")
  assert.equal(read({ lastName: "'NGUYEN" }).owner.lastName, "'NGUYEN")
})

test('a text with only an asterisk is rejected', () => {
  assert.deepEqual(refusals({ jobTitle: '*' }), ['ERR.1016 primaryOwner.jobTitle'])
  assert.deepEqual(refusals({ jobTitle: ' * ' }), ['ERR.1016 primaryOwner.jobTitle'])
  assert.deepEqual(refusals({ jobTitle: 'HEAD* OF' }), [])
})

test('the nearest code of a misspelled prefix is the code with this prefix', () => {
  assert.equal(nearestCodes('occupation', 'Acounting')[0], 'AccountingOrAuditing')
  assert.equal(nearestCodes('occupation', 'Accounting')[0], 'AccountingOrAuditing')
})
