// The day since which a foreign owner has an address in the United States, from the earlier records of the account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRecord, Address } from '../record.ts'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { fallsDue, type YearFacts } from './falls-due.ts'
import { usAddressSince } from './us-address.ts'

const paris = { street: '1 Rue Oberkampf', city: 'Paris', country: 'FR' }
const jersey = { street: '12 Harbor Street', city: 'Jersey City', stateProvince: 'NJ', country: 'US' }
const none: ReadonlySet<string> = new Set()

function at(mailingAddress: Address, legalAddress: Address = {}): AccountRecord {
  const record = rightAccount('IndividualJointForeign')
  return {
    ...record,
    mailingAddress,
    primaryOwner: { ...record.primaryOwner, citizenshipCountry: 'FR', legalAddress },
  }
}
function since(record: AccountRecord, ...earlier: [record: AccountRecord, endedOn: string][]) {
  const records = earlier.map(([before, endedOn]) => ({ record: before, endedOn, endedAt: '' }))
  return [...usAddressSince(record, none, records)]
}

test('it is the end of the last record without such an address', () => {
  const moved = [['primaryOwner', '2027-03-04']]
  assert.deepEqual(since(at(jersey), [at(paris), '2027-03-04']), moved)
  assert.deepEqual(since(at(paris, jersey), [at(paris), '2027-03-04']), moved)
  const corrected = { ...jersey, street: '14 Harbor Street' }
  const records: [AccountRecord, string][] = [
    [at(jersey), '2027-05-01'],
    [at(paris), '2027-03-04'],
    [at(jersey), '2027-01-02'],
  ]
  assert.deepEqual(since(at(corrected), ...records), moved)
})

test('it is unknown of an owner with such an address since the opening, and of an owner without one', () => {
  assert.deepEqual(since(at(jersey)), [])
  assert.deepEqual(since(at(jersey, paris), [at(paris, jersey), '2027-03-04']), [])
  assert.deepEqual(since(at(paris), [at(jersey), '2027-03-04']), [])
})

test('an address in a territory is abroad for the tax law', () => {
  const sanJuan = { street: '3 Calle Sol', city: 'San Juan', stateProvince: 'PR', country: 'US' }
  assert.deepEqual(since(at(sanJuan), [at(paris), '2027-03-04']), [])
  assert.deepEqual(since(at({ ...sanJuan, country: 'PR' }), [at(paris), '2027-03-04']), [])
})

test('a joint owner is compared by the customer id, and a US owner is not asked', () => {
  const joint = (record: AccountRecord, citizenshipCountry: string) => ({
    ...record,
    associatedParties: [person({ role: 'Secondary', customerId: '7', citizenshipCountry })],
  })
  const paths = (citizenshipCountry: string) =>
    since(joint(at(jersey), citizenshipCountry), [joint(at(paris), citizenshipCountry), '2027-03-04']).map(
      ([path]) => path,
    )
  assert.deepEqual(paths('CA'), ['primaryOwner', 'associatedParties[0]'])
  assert.deepEqual(paths('US'), ['primaryOwner'])
})

test('a form that was signed before the address is asked again, and the evidence of the foreign status with it', () => {
  const { governmentIdentification: _, ...primaryOwner } = at(jersey).primaryOwner
  const dueWith = (given: Partial<YearFacts>) =>
    fallsDue(
      { ...at(jersey), primaryOwner },
      {
        openedOn: '2026-11-20',
        w9On: undefined,
        w8On: undefined,
        w8EntityOn: undefined,
        w8FlowThroughOn: undefined,
        ofAgeAnswers: 0,
        residenceAtTransfer: undefined,
        magicTaxIds: none,
        usAddressSince: new Map([['primaryOwner', '2027-03-04']]),
        ...given,
      },
    )
      .filter(({ kind }) => kind !== 'TrustedContact')
      .map(({ kind, fallsOn }) => `${kind} ${fallsOn}`)
  const evidence = 'ForeignStatusEvidence 2027-03-04'
  assert.deepEqual(dueWith({ w8On: '2027-03-03' }), ['W8Certification 2027-03-04', evidence])
  assert.deepEqual(dueWith({ w8On: '2027-03-04' }), ['W8Certification 2031-01-01', evidence])
  const foreignEvidence = new Set(['primaryOwner'])
  assert.deepEqual(dueWith({ w8On: '2027-03-05', foreignEvidence }), ['W8Certification 2031-01-01'])
  assert.deepEqual(dueWith({ w8On: '2027-03-03', w9On: '2027-03-05' }), [])
  assert.deepEqual(dueWith({}), ['W8Certification 2026-11-20'])
})
