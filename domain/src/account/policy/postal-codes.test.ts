// Every prefix of a ZIP Code, by state, in the form of the list of the Postal Service (publication L002).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOfPostalCode } from './postal-codes.ts'

/** By USPS code: the first three digits, from and to. A prefix of two states is listed for both. */
const prefixes: Readonly<Record<string, string>> = {
  AA: '340',
  AE: '090-099',
  AK: '995-999',
  AL: '350-369',
  AP: '962-966',
  AR: '716-729',
  AS: '967',
  AZ: '850-865',
  CA: '900-961',
  CO: '800-816',
  CT: '060-069',
  DC: '200 202-205 569',
  DE: '197-199',
  FL: '320-339 341-349',
  FM: '969',
  GA: '300-319 398-399',
  GU: '969',
  HI: '967-968',
  IA: '500-528',
  ID: '832-838',
  IL: '600-629',
  IN: '460-479',
  KS: '660-679',
  KY: '400-427',
  LA: '700-714',
  MA: '010-027 055',
  MD: '206-219',
  ME: '039-049',
  MH: '969',
  MI: '480-499',
  MN: '550-567',
  MO: '630-658',
  MP: '969',
  MS: '386-397',
  MT: '590-599',
  NC: '270-289',
  ND: '580-588',
  NE: '680-693',
  NH: '030-038',
  NJ: '070-089',
  NM: '870-884',
  NV: '889-898',
  NY: '005 063 100-149',
  OH: '430-459',
  OK: '730-732 734-749',
  OR: '970-979',
  PA: '150-196',
  PR: '006-007 009',
  PW: '969',
  RI: '028-029',
  SC: '290-299',
  SD: '570-577',
  TN: '370-385',
  TX: '733 750-799 885',
  UT: '840-847',
  VA: '201 220-246',
  VI: '008',
  VT: '050-054 056-059',
  WA: '980-994',
  WI: '530-549',
  WV: '247-268',
  WY: '820-831 834',
}

function isWithin(prefix: string, runs: string): boolean {
  return runs.split(' ').some((run) => {
    const [from = '', to = from] = run.split('-')
    return prefix >= from && prefix <= to
  })
}

test('every prefix is in the states of the list and in no other state', () => {
  for (let number = 0; number < 1000; number += 1) {
    const prefix = String(number).padStart(3, '0')
    const expected = Object.keys(prefixes).filter((state) => isWithin(prefix, prefixes[state] ?? ''))
    assert.deepEqual([...(stateOfPostalCode(`${prefix}01`) ?? [])].sort(), expected, prefix)
  }
})

test('an unassigned prefix and text that is no postal code are in no state', () => {
  for (const code of [
    '00000',
    '00401',
    '26901',
    '42801',
    '52901',
    '71501',
    '99',
    '9',
    '',
    'K1A 0B1',
    'N07302',
  ])
    assert.equal(stateOfPostalCode(code), undefined, code)
})

test('a postal code of nine digits is in the state of its first five digits', () => {
  assert.deepEqual(stateOfPostalCode('07302-1234'), ['NJ'])
  assert.deepEqual(stateOfPostalCode('073021234'), ['NJ'])
})
