import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRecords } from './compare-records.ts'
import type { AccountRecord } from './record.ts'

function record(changes: Partial<AccountRecord> = {}): AccountRecord {
  return {
    registrationType: 'JointWROS',
    entityNumber: '301',
    main: { repCode: 'JC01' },
    electronicDelivery: {},
    mailingAddress: { street: '12 HARBOR STREET', city: 'JERSEY CITY' },
    primaryOwner: { customerId: '1', firstName: 'ADA', sourceOfFunds: ['Employment'] },
    associatedParties: [
      { customerId: '2', firstName: 'LUIS', email: 'luis@example.com' },
      { customerId: '3', firstName: 'EVA' },
    ],
    financialProfile: {},
    beneficiaries: [],
    largeTraders: [],
    ...changes,
  }
}

test('a record does not differ from itself', () => {
  assert.deepEqual(compareRecords(record(), record()), [])
})

test('added, removed and changed values are listed with their paths, ordered by path', () => {
  const after = record({
    mailingAddress: { street: '8 PIER ROAD', city: 'JERSEY CITY', postalCode: '07302' },
    primaryOwner: { customerId: '1', firstName: 'ADA', sourceOfFunds: ['Employment', 'Gift'] },
    main: {},
  })
  assert.deepEqual(compareRecords(record(), after), [
    { field: 'mailingAddress.postalCode', from: null, to: '07302' },
    { field: 'mailingAddress.street', from: '12 HARBOR STREET', to: '8 PIER ROAD' },
    { field: 'main.repCode', from: 'JC01', to: null },
    { field: 'primaryOwner.sourceOfFunds', from: ['Employment'], to: ['Employment', 'Gift'] },
  ])
})

test('items of a list are matched by customer id, whatever their positions', () => {
  const [luis, eva] = record().associatedParties
  assert.ok(luis && eva)
  const after = record({ associatedParties: [eva, { ...luis, email: 'l@example.com' }] })
  assert.deepEqual(compareRecords(record(), after), [
    { field: 'associatedParties[2].email', from: 'luis@example.com', to: 'l@example.com' },
  ])
})

test('a new item is listed value by value', () => {
  const after = record({ largeTraders: [{ largeTraderId: '12345678-0001', effectiveDate: '2026-01-02' }] })
  assert.deepEqual(compareRecords(record(), after), [
    { field: 'largeTraders[12345678-0001].effectiveDate', from: null, to: '2026-01-02' },
    { field: 'largeTraders[12345678-0001].largeTraderId', from: null, to: '12345678-0001' },
  ])
})

test('an attribute without a value equals an absent attribute', () => {
  const absent = record({ main: { repCode: 'JC01', ...{ branch: undefined } } as AccountRecord['main'] })
  assert.deepEqual(compareRecords(record(), absent), [])
  assert.deepEqual(compareRecords(absent, record()), [])
})
