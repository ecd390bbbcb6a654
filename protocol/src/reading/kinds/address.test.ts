import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress } from './address.ts'

const place = { street: '1 A ST', city: 'X' }
const us = { ...place, country: 'US', stateProvince: 'NJ', postalCode: '07302' }
const canada = { ...place, country: 'CA', stateProvince: 'ON', postalCode: 'K1A 0B1' }

const rows: readonly [
  sentence: string,
  address: Parameters<typeof checkAddress>[0],
  due: readonly string[],
][] = [
  ['a US address with five digits', us, []],
  ['a US postal code of nine digits', { ...us, postalCode: '073021234' }, []],
  ['a US postal code of nine digits with a hyphen', { ...us, postalCode: '07302-1234' }, []],
  ['a US postal code of six digits', { ...us, postalCode: '073021' }, ['ERR.1007 a.postalCode']],
  ['letters in a US postal code', { ...us, postalCode: 'K1A 0B1' }, ['ERR.1007 a.postalCode']],
  ['no US state', { ...us, stateProvince: '' }, ['ERR.1008 a.stateProvince']],
  ['an unknown US state', { ...us, stateProvince: 'ON' }, ['ERR.1008 a.stateProvince']],
  ['no US postal code', { ...us, postalCode: null }, ['ERR.1007 a.postalCode']],
  ['a Canadian address', canada, []],
  ['a Canadian postal code without its space', { ...canada, postalCode: 'K1A0B1' }, []],
  [
    'a Canadian postal code with an invalid letter',
    { ...canada, postalCode: 'D1A 0B1' },
    ['ERR.1007 a.postalCode'],
  ],
  ['a US state in Canada', { ...canada, stateProvince: 'NJ' }, ['ERR.1008 a.stateProvince']],
  [
    'a Canadian postal code with a letter before it',
    { ...canada, postalCode: 'XK1A 0B1' },
    ['ERR.1007 a.postalCode'],
  ],
  [
    'a Canadian postal code that is too long',
    { ...canada, postalCode: 'K1A 0B12' },
    ['ERR.1007 a.postalCode'],
  ],
  ['no Canadian province', { ...canada, stateProvince: '' }, ['ERR.1008 a.stateProvince']],
  ['no Canadian postal code', { ...canada, postalCode: '' }, ['ERR.1007 a.postalCode']],
  ['an address elsewhere without a state and a postal code', { ...place, country: 'DE' }, []],
  ['a US city with a digit', { ...us, city: 'CITY 17' }, ['ERR.1005 a.city']],
  ['a US city with a slash', { ...us, city: 'MINNEAPOLIS/ST. PAUL' }, ['ERR.1005 a.city']],
  ['a US city with an apostrophe, a hyphen and a full stop', { ...us, city: "ST. JOHN'S-ON-SEA" }, []],
  ['a Canadian city with a digit', { ...canada, city: 'TORONTO 2' }, ['ERR.1005 a.city']],
  ['a city with a digit elsewhere', { ...place, city: 'DUBLIN 2', country: 'IE' }, []],
  ['a city with a region elsewhere', { ...place, city: 'FRANKFURT (ODER)', country: 'DE' }, []],
  ['a state elsewhere', { ...place, country: 'DE', stateProvince: 'BY' }, ['ERR.1008 a.stateProvince']],
  ['a free postal code elsewhere', { ...place, country: 'GB', postalCode: 'SW1A 1AA' }, []],
  ['an empty address', {}, ['ERR.1000 a.street', 'ERR.1000 a.city', 'ERR.1000 a.country']],
  ['no address', undefined, ['ERR.1000 a.street', 'ERR.1000 a.city', 'ERR.1000 a.country']],
]

for (const [sentence, address, due] of rows) {
  test(`${sentence} ${due.length === 0 ? 'is accepted' : `is rejected with ${due.join(', ')}`}`, () => {
    assert.deepEqual(
      checkAddress(address, 'a').map(({ code, field }) => `${code} ${field}`),
      due,
    )
  })
}
