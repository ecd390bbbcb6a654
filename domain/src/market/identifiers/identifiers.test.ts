import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { publishedCase } from '../test-published-case.ts'
import type { IdentifierCheck } from './check.ts'
import { checkCusip, cusipCheckDigit, isCins } from './cusip.ts'
import { checkIsin, cusipOfIsin, isinCheckDigit, isinOfCusip } from './isin.ts'
import oracles from './oracles.json' with { type: 'json' }
import { checkSedol, sedolCheckDigit } from './sedol.ts'

interface Numbers {
  valid: string[]
  invalid: string[]
}

const checks: [string, (text: string) => IdentifierCheck][] = [
  ['ID-CUSIP', checkCusip],
  ['ID-ISIN', checkIsin],
  ['ID-SEDOL', checkSedol],
]

describe('published numbers', () => {
  for (const [id, check] of checks) {
    const { given } = publishedCase<Numbers, unknown>(oracles, id)
    for (const text of given.valid) {
      test(`${text} is valid (${id})`, () => assert.deepEqual(check(text), { valid: true }))
    }
    for (const text of given.invalid) {
      test(`${text} is not valid (${id})`, () => assert.equal(check(text).valid, false))
    }
  }

  const pairs = publishedCase<{ pairs: [string, string][] }, unknown>(oracles, 'ID-CUSIP-ISIN').given.pairs
  for (const [cusip, isin] of pairs) {
    test(`the CUSIP ${cusip} and the ISIN ${isin} convert into each other (ID-CUSIP-ISIN)`, () => {
      assert.equal(isinOfCusip(cusip), isin)
      assert.equal(cusipOfIsin(isin), cusip)
    })
  }
})

describe('the reason for an invalid identifier', () => {
  const table: [(text: string) => IdentifierCheck, string, string][] = [
    [checkCusip, '03783310', 'A CUSIP has 9 characters; got 8.'],
    [checkCusip, '037833101', 'The check digit of this CUSIP should be 0; got 1.'],
    [checkCusip, '03783310X', 'The last character of a CUSIP is its check digit; got X.'],
    [checkCusip, '03783310#', 'The last character of a CUSIP is its check digit; got #.'],
    [checkCusip, '0378331:0', 'A CUSIP has digits, capital letters and * @ # only.'],
    [checkCusip, '0378331[0', 'A CUSIP has digits, capital letters and * @ # only.'],
    [checkCusip, '0378-3100', 'A CUSIP has digits, capital letters and * @ # only.'],
    [checkCusip, 'dus0421c5', 'A CUSIP has digits, capital letters and * @ # only.'],
    [checkIsin, 'US037833100', 'An ISIN has 12 characters; got 11.'],
    [checkIsin, 'ZZ0378331005', 'An ISIN begins with the two capital letters of a country or XS.'],
    [checkIsin, 'US0378331003', 'The check digit of this ISIN should be 5; got 3.'],
    [checkIsin, 'US037833100X', 'The last character of an ISIN is its check digit; got X.'],
    [checkIsin, 'US037833100/', 'The last character of an ISIN is its check digit; got /.'],
    [checkIsin, 'US0378331:05', 'An ISIN has digits and capital letters only.'],
    [checkIsin, 'US03783*1005', 'An ISIN has digits and capital letters only.'],
    [checkSedol, 'B15KXQ', 'A SEDOL has 7 characters; got 6.'],
    [checkSedol, 'A15KXQ8', 'A SEDOL has digits and capital consonants only, and ends with a digit.'],
    [checkSedol, 'B15KXQX', 'A SEDOL has digits and capital consonants only, and ends with a digit.'],
    [checkSedol, 'B15KXQ88', 'A SEDOL has 7 characters; got 8.'],
    [checkSedol, '026349B', 'A SEDOL has digits and capital consonants only, and ends with a digit.'],
    [checkSedol, '0B15KX8', 'A SEDOL that begins with a digit has digits only.'],
    [checkSedol, 'B15KXQ7', 'The check digit of this SEDOL should be 8; got 7.'],
  ]
  for (const [check, text, reason] of table) {
    test(`for ${text} is: ${reason}`, () => assert.deepEqual(check(text), { valid: false, reason }))
  }

  test('a SEDOL of the older kind has digits only, and a check digit may be 0', () => {
    assert.deepEqual(checkSedol('0263494'), { valid: true })
    assert.deepEqual(checkSedol('B001B10'), { valid: true })
  })

  test('a CUSIP may contain the special characters', () => {
    assert.equal(cusipCheckDigit('037833*@'), 1)
    assert.deepEqual(checkCusip('037833*@1'), { valid: true })
    // 0 + 6 + 7 + (1 + 6) + 3 + 6 + (3 + 8) + (7 + 4) = 51, and 9 more are 60.
    assert.equal(cusipCheckDigit('037833#@'), 9)
    assert.equal(isinOfCusip('037833*@1'), null, 'an ISIN may not contain them')
  })

  test('a CINS and an invalid CUSIP have no US ISIN', () => {
    assert.ok(isCins('G7945E105'))
    assert.equal(isinOfCusip('G7945E105'), null)
    assert.equal(isinOfCusip('922908768'), null)
    assert.equal(isinOfCusip('136385101', 'CA'), 'CA1363851017')
    assert.equal(cusipOfIsin('GB00B15KXQ89'), null)
  })

  test('only a valid ISIN of the United States or Canada contains a CUSIP', () => {
    const isinOf = (first11: string) => first11 + isinCheckDigit(first11)
    assert.equal(cusipOfIsin(isinOf('US037833100')), '037833100')
    assert.equal(cusipOfIsin(isinOf('CA136385101')), '136385101')
    assert.equal(cusipOfIsin('US0378331004'), null, 'a wrong check digit')
    assert.equal(cusipOfIsin(isinOf('US037833101')), null, 'no valid CUSIP in it')
    const cusip = `0US00000${cusipCheckDigit('0US00000')}`
    assert.equal(cusipOfIsin(isinOf(`US${cusip}`)), cusip)
    assert.equal(cusipOfIsin(isinOf(`GB${cusip}`)), null, 'of another country')
  })
})

describe('check digits', () => {
  const alphanumeric = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const consonants = fc.constantFrom(...'BCDFGHJKLMNPQRSTVWXYZ')
  const text = (length: number) =>
    fc.array(alphanumeric, { minLength: length, maxLength: length }).map((characters) => characters.join(''))

  test('any eight characters with their check digit are a CUSIP, and are none with another digit', () => {
    fc.assert(
      fc.property(text(8), fc.integer({ min: 0, max: 9 }), (first8, digit) => {
        assert.equal(checkCusip(first8 + digit).valid, digit === cusipCheckDigit(first8))
      }),
    )
  })

  test('a single wrong digit in a CUSIP, an ISIN or a SEDOL is always found', () => {
    fc.assert(
      fc.property(text(8), fc.nat(7), fc.integer({ min: 1, max: 9 }), (first8, at, change) => {
        const spoil = (number: string, index: number) => {
          const old = number.charCodeAt(index) - 48
          if (old < 0 || old > 9) return null
          return number.slice(0, index) + ((old + change) % 10) + number.slice(index + 1)
        }
        const cusip = first8 + cusipCheckDigit(first8)
        const wrongCusip = spoil(cusip, at)
        if (wrongCusip !== null) assert.equal(checkCusip(wrongCusip).valid, false)
        const isin = `US${cusip}${isinCheckDigit(`US${cusip}`)}`
        const wrongIsin = spoil(isin, at + 2)
        if (wrongIsin !== null) assert.equal(checkIsin(wrongIsin).valid, false)
      }),
    )
  })

  test('any letter and five characters without vowels are a SEDOL with their check digit', () => {
    const six = fc
      .tuple(
        consonants,
        fc.array(fc.oneof(consonants, fc.constantFrom(...'0123456789')), { minLength: 5, maxLength: 5 }),
      )
      .map(([first, rest]) => first + rest.join(''))
    fc.assert(
      fc.property(six, fc.integer({ min: 0, max: 9 }), (first6, digit) => {
        assert.equal(checkSedol(first6 + digit).valid, digit === sedolCheckDigit(first6))
      }),
    )
  })
})
