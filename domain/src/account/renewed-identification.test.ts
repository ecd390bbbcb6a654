// The change of a record by an approved identification: its place, its members, and the party.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GovernmentIdentification } from './record.ts'
import { isIdentification, isStated, renewIdentification, type ShownId } from './renewed-identification.ts'
import { person, rightAccount } from './testing/right-accounts.ts'

const field = 'primaryOwner.governmentIdentification'
const shown: ShownId = {
  idNumber: 'P7',
  idLocation: 'US',
  idIssueDate: undefined,
  idExpiration: '2036-12-02',
}
const expired = { idType: 'Passport', idNumber: 'P1', idLocation: 'US', idExpiration: '2026-12-02' }
const license = { idType: 'DriversLicense', idNumber: 'D1', idLocation: 'NJ', idExpiration: '2026-12-01' }
const written = { idType: 'Passport', idNumber: 'P7', idLocation: 'US', idExpiration: '2036-12-02' }

function renewed(ids: GovernmentIdentification | undefined, reference = 'PASS', given = shown) {
  const record = rightAccount('Individual')
  const { governmentIdentification: _, ...rest } = record.primaryOwner
  const owner = { ...rest, ...(ids && { governmentIdentification: ids }) }
  const found = renewIdentification({ ...record, primaryOwner: owner }, field, reference, given)
  return 'blocks' in found ? found.blocks : found.rejections.map(({ code, field: of }) => `${code} ${of}`)
}
function inPlace(member: string, id: object) {
  return { primaryOwner: { governmentIdentification: { [member]: id } } }
}

describe('a renewed identification', () => {
  test('replaces the document of its type', () => {
    assert.deepEqual(renewed({ governmentId1: expired }), inPlace('governmentId1', written))
    assert.deepEqual(
      renewed({ governmentId1: license, governmentId2: expired }),
      inPlace('governmentId2', written),
    )
  })

  test('of another type takes an empty place, or that of the document that expires first', () => {
    const dated = { ...shown, idIssueDate: '2026-12-01' }
    const card = { ...written, idIssueDate: '2026-12-01' }
    assert.deepEqual(renewed(undefined), inPlace('governmentId1', written))
    assert.deepEqual(
      renewed({ governmentId1: license }, 'NATL', dated),
      inPlace('governmentId2', { ...card, idType: 'NationalId' }),
    )
    assert.deepEqual(
      renewed({ governmentId1: expired, governmentId2: license }, 'NATL'),
      inPlace('governmentId2', { ...written, idType: 'NationalId' }),
    )
    assert.deepEqual(
      renewed({ governmentId1: license, governmentId2: expired }, 'NATL'),
      inPlace('governmentId1', { ...written, idType: 'NationalId' }),
    )
    const endless = { idType: 'Passport', idNumber: 'P1', idLocation: 'US' }
    assert.deepEqual(
      renewed({ governmentId1: endless, governmentId2: { ...license, idType: 'NationalId' } }, 'DRLC'),
      inPlace('governmentId2', { ...written, idType: 'DriversLicense' }),
    )
  })

  test('of an associated party is written to that party', () => {
    const record = rightAccount('Individual')
    const agent = person({ role: 'PowerOfAttorney', customerId: '77' })
    const found = renewIdentification(
      { ...record, associatedParties: [agent] },
      'associatedParties[0].governmentIdentification',
      'PASS',
      shown,
    )
    const governmentIdentification = { governmentId1: written }
    assert.deepEqual(found, {
      blocks: { associatedParties: [{ customerId: '77', governmentIdentification }] },
    })
  })

  test('of a person in several roles is written to each, in the place that each has for it', () => {
    const role = (name: string, ids: GovernmentIdentification, customerId: string) =>
      person({ role: name, customerId, taxIdNumber: '401120001', governmentIdentification: ids })
    const record = {
      ...rightAccount('Individual'),
      associatedParties: [
        role('PowerOfAttorney', { governmentId1: license }, '7'),
        person({ role: 'InterestedParty', customerId: '8' }),
        role('AuthorizedSigner', { governmentId1: { ...expired, idIssueDate: '2016-12-03' } }, '9'),
      ],
    }
    const at = 'associatedParties[0].governmentIdentification'
    const issued = { ...shown, idIssueDate: '2026-12-01' }
    const id = { ...written, idIssueDate: '2026-12-01' }
    const blocks = {
      associatedParties: [
        { customerId: '7', governmentIdentification: { governmentId2: id } },
        { customerId: '9', governmentIdentification: { governmentId1: id } },
      ],
    }
    assert.deepEqual(renewIdentification(record, at, 'PASS', issued), { blocks })
    const unissued = renewIdentification(record, at, 'PASS', shown)
    assert.deepEqual('rejections' in unissued && unissued.rejections.map(({ field: name }) => name), [
      'idIssueDate',
    ])
    const owner = role('', {}, '1')
    const ofOwner = renewIdentification({ ...record, primaryOwner: owner }, at, 'PASS', issued)
    assert.deepEqual(ofOwner, {
      blocks: { primaryOwner: { governmentIdentification: { governmentId1: id } }, ...blocks },
    })
  })

  test('needs its number, place and expiration, and the issue date if the record has one', () => {
    const nothing = { idNumber: undefined, idLocation: undefined, idIssueDate: undefined }
    const only = { ...nothing, idExpiration: '2036-12-02' }
    assert.deepEqual(renewed(undefined, 'PASS', only), ['ERR.1000 idNumber', 'ERR.1000 idLocation'])
    assert.deepEqual(renewed(undefined, 'PASS', { ...shown, idExpiration: undefined }), [
      'ERR.1000 idExpiration',
    ])
    const issued = { ...expired, idIssueDate: '2016-12-03' }
    assert.deepEqual(renewed({ governmentId1: issued }), ['ERR.1000 idIssueDate'])
  })

  test('is a passport, a license or an identity card of a party', () => {
    assert.deepEqual(['PASS', 'DRLC', 'NATL', 'UTIL', 'CREG'].map(isIdentification), [
      true,
      true,
      true,
      false,
      false,
    ])
    assert.deepEqual(renewed(undefined, 'UTIL'), ['ERR.1015 idNumber'])
    const other = renewIdentification(rightAccount('Individual'), 'primaryOwner', 'PASS', shown)
    assert.ok('rejections' in other)
    const none = {
      idNumber: undefined,
      idLocation: undefined,
      idIssueDate: undefined,
      idExpiration: undefined,
    }
    assert.deepEqual([isStated(none), isStated({ ...none, idIssueDate: '2026-12-01' })], [false, true])
  })
})
