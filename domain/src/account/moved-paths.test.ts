/** Errors of values that the request has in another place than the record, or without their country. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MovedPaths } from './moved-paths.ts'
import { change, individual, submit } from './testing/applications.ts'

const email = 'lea@example.com'
const contactRows = [
  ['without a name', { email }, 'ERR.1000 trustedContact.name'],
  ['with an unreadable name', { name: '*', email }, 'ERR.1016 trustedContact.name'],
  [
    'without a city',
    { name: 'Lea', address: { street: '1 Pier', country: 'FR' } },
    'ERR.1000 trustedContact.address.city',
  ],
] as const
for (const [what, trustedContact, code] of contactRows) {
  test(`a trusted contact beside the owner ${what} is rejected with ${code}`, () => {
    const application = change(individual, { trustedContact, 'primaryOwner.trustedContact': {} })
    assert.deepEqual(submit(application).codes, [code])
  })
}

test('a phone has its region by a legal address of its own, although the country of the mailing address is missing', () => {
  const legalAddress = { street: '1 Quai', city: 'Paris', country: 'FR', postalCode: '75001' }
  const application = change(individual, {
    'mailingAddress.country': undefined,
    'primaryOwner.phoneRegionCell': undefined,
    'primaryOwner.legalAddress': legalAddress,
  })
  assert.deepEqual(submit(application).codes, [
    'ERR.1000 mailingAddress.country',
    'ERR.1013 primaryOwner.phoneRegionCell',
  ])
})

const countryRows = [
  ['cannot be read', 'USA', 'ERR.1006 mailingAddress.country'],
  ['is missing', undefined, 'ERR.1000 mailingAddress.country'],
] as const
for (const [what, country, code] of countryRows) {
  test(`a country of the mailing address that ${what} is the only error, although a phone has no region`, () => {
    const owner = { 'primaryOwner.phoneRegionCell': undefined, 'primaryOwner.legalAddress': {} }
    const application = change(individual, { 'mailingAddress.country': country, ...owner })
    assert.deepEqual(submit(application).codes, [code])
  })
}

for (const [request, record] of [
  ['primaryOwner.caisCustomerType', 'primaryOwner.caisInformation.customerType'],
  ['primaryOwner.caisCustomerType[1]', 'primaryOwner.caisInformation.customerType[1]'],
  ['primaryOwner.caisCustomerType.x', 'primaryOwner.caisInformation.customerType.x'],
  ['primaryOwner.caisCustomerTypes', undefined],
  ['primaryOwner', undefined],
] as const) {
  test(`a refused value ${request} of the request is ${record ?? 'no other value'} of the record`, () => {
    const moved = new MovedPaths()
    moved.add('primaryOwner.caisInformation.customerType', 'primaryOwner.caisCustomerType')
    const expected = record === undefined ? [request] : [request, record]
    assert.deepEqual([...moved.inRecord(new Set([request]))], expected)
  })
}
