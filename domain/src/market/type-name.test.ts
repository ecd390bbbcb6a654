/** The kinds of securities for the type names of feeds and brokers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type NamedType, namedDebt, namedType } from './type-name.ts'

const names: Readonly<Record<NamedType | 'nothing', readonly string[]>> = {
  Fund: [
    'Mutual Fund',
    'Money Market Fund',
    'Treasury Money Market',
    'Open-End Fund',
    'OPEN END MUNICIPAL FUND',
  ],
  Stock: [
    ...[
      'Common Stock',
      'STOCKS',
      'Preferred',
      'ADR',
      'REIT',
      'Treasury Stock',
      'Convertible Preferred Stock',
    ],
    ...['Treasury ETF', 'Municipal ETFs', 'ETN', 'Exchange-Traded Note', 'Exchange Traded Fund'],
    ...['Closed-End Municipal Fund', 'Closed End', 'Corporate Bond Fund'],
  ],
  HighlyRatedSovereign: ['Highly Rated Sovereign', 'Highly-rated Foreign Government Bond'],
  Agency: [
    ...[
      'Federal Agency Bond',
      'Agencies',
      'U.S. Government Agency',
      'Government Sponsored Enterprise',
      'GSE',
    ],
    ...[
      'Fannie Mae',
      'Ginnie Mae Pool',
      'Freddie Mac Note',
      'FNMA',
      'GNMA Pool',
      'FHLMC',
      'FHLB Bond',
      'FFCB',
    ],
    ...['Federal Home Loan Bank', 'Federal Farm Credit Banks', 'Tennessee Valley Authority'],
  ],
  Treasury: [
    ...[
      'US Treasury',
      'TREASURY NOTE',
      'Treasuries',
      'T-Bill',
      'T-Notes',
      'T-Bonds',
      'TIPS',
      'Treasury STRIPS',
    ],
    ...['U.S. Government Bond', 'US Government', 'United States Government Note'],
  ],
  Municipal: ['Municipal Bond', 'Muni', 'MUNICIPALS'],
  InvestmentGrade: ['Investment Grade', 'Investment-Grade Corporate Bond'],
  OtherDebt: [
    ...[
      'Corporate Bond',
      'High-Yield Bond',
      'High Yield',
      'Certificate of Deposit',
      'Certificates of Deposit',
    ],
    ...['Commercial Paper', 'Foreign Government Bond', 'Foreign Treasury Bill', 'Sovereign', 'Supranational'],
  ],
  nothing: [
    '',
    'Bond',
    'Note',
    'Fixed Income',
    'Government Bond',
    'Mortgage Pool',
    'Option',
    'Warrant',
    'Stockholm',
  ],
}

describe('the type name', () => {
  for (const [type, written] of Object.entries(names)) {
    test(`of ${type} is recognized: ${written.filter((name) => name !== '').join(', ')}`, () => {
      const expected = type === 'nothing' ? undefined : type
      assert.deepEqual(
        written.map((name) => [name, namedType(name)]),
        written.map((name) => [name, expected]),
      )
    })
  }

  test('is a debt name only if it is not a name of a fund or of stock', () => {
    assert.deepEqual(
      ['Mutual Fund', 'Common Stock', 'Bond', 'Treasury Bill', 'Corporate Bond'].map(namedDebt),
      [undefined, undefined, undefined, 'Treasury', 'OtherDebt'],
    )
  })
})
