import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  abs,
  allocate,
  DECIMAL_PLACES,
  type Decimal,
  decimal,
  divide,
  max,
  min,
  multiply,
  multiplyAll,
  multiplyDivide,
  ONE,
  parseDecimal,
  renderDecimal,
  roundTo,
  sum,
  wholeDecimal,
  ZERO,
} from './decimal.ts'

/** An independent exact rational: numerator and denominator, rounded by its own definition of "half away from zero". */
interface Rational {
  readonly over: bigint
  readonly under: bigint
}
function rational(value: Decimal): Rational {
  return { over: value, under: 10n ** 10n }
}

/** The nearest multiple of 10^-places as text, which is found by a search outwards from the floor. */
function nearest({ over, under }: Rational, places: number): string {
  const positive = over < 0n === under < 0n || over === 0n
  const numerator = (over < 0n ? -over : over) * 10n ** BigInt(places)
  const denominator = under < 0n ? -under : under
  const candidates = [numerator / denominator, numerator / denominator + 1n]
  const distance = (candidate: bigint) => {
    const difference = candidate * denominator - numerator
    return difference < 0n ? -difference : difference
  }
  const [low = 0n, high = 0n] = candidates
  const units = distance(high) <= distance(low) ? high : low
  const digits = units.toString().padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return positive || units === 0n ? text : `-${text}`
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 1000 })

const decimals = fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n })
/** Whole numbers and cents take shorter paths in the code, so they must occur as often as other values. */
const smallDecimals = fc.oneof(
  decimals,
  fc.bigInt({ min: -2000n, max: 2000n }).map((n) => n * 5n * 10n ** 7n),
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map((n) => n * 10n ** 8n),
  fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }).map((n) => n * ONE),
)
const placesUpTo10 = fc.integer({ min: 0, max: DECIMAL_PLACES })
const wide = { places: 10, integerDigits: 30 }

describe('reading and writing', () => {
  const money = { places: 2, integerDigits: 16 }
  const rows: [string, Decimal | string][] = [
    ['0', ZERO],
    ['-0', ZERO],
    ['-0.00', ZERO],
    ['0e9', ZERO],
    ['1', ONE],
    ['12.5', 125n * 10n ** 9n],
    ['-12.50', -125n * 10n ** 9n],
    ['1.5e3', wholeDecimal(1500)],
    ['1500E-3', 15n * 10n ** 9n],
    ['1.2500000000000000000000', 125n * 10n ** 8n],
    ['9999999999999999.99', 999999999999999999n * 10n ** 8n],
    ['1.001', 'too many decimal places'],
    ['1e-3', 'too many decimal places'],
    ['1e-999', 'too many decimal places'],
    ['10000000000000000', 'too many digits'],
    ['1e16', 'too many digits'],
    ['1e999', 'too many digits'],
    ['1'.repeat(65), 'too many digits'],
    [`0.${'0'.repeat(62)}`, ZERO],
    [`0.${'0'.repeat(63)}`, 'too many digits'],
    ...[
      '',
      ' ',
      ' 1',
      '1 ',
      '+1',
      '01',
      '.5',
      '5.',
      '1,000',
      '1/5',
      '1:',
      '1_000',
      '0x10',
      '0b1',
      'NaN',
      'Infinity',
      '-Infinity',
    ]
      .concat(['1e', 'e1', '1e1.5', '1e9999', '--1', '-', '1n', '１', '1\n', '$1'])
      .map((text): [string, string] => [text, 'not a decimal number']),
  ]
  for (const [text, expected] of rows) {
    test(`${JSON.stringify(text.slice(0, 30))} is ${typeof expected === 'bigint' ? `read as ${renderDecimal(expected)}` : `refused: ${expected}`}`, () => {
      assert.equal(parseDecimal(text, money), expected)
    })
  }

  test('a negative number is refused for an unsigned column, and negative zero is accepted', () => {
    assert.equal(parseDecimal('-1', { ...money, signed: false }), 'negative')
    assert.equal(parseDecimal('-0', { ...money, signed: false }), ZERO)
  })

  test('a column wider than a Decimal still refuses an eleventh decimal place', () => {
    assert.equal(parseDecimal('0.00000000001', { places: 18, integerDigits: 18 }), 'too many decimal places')
  })

  test('a column without integer digits holds only fractions', () => {
    assert.equal(parseDecimal('0.05', { places: 2, integerDigits: 0 }), decimal('0.05'))
    assert.equal(parseDecimal('1.05', { places: 2, integerDigits: 0 }), 'too many digits')
    assert.equal(parseDecimal('-0.005e1', { places: 2, integerDigits: 0 }), decimal('-0.05'))
  })

  test('a written value is read back as the same value', () => {
    fc.assert(
      fc.property(decimals, placesUpTo10, (value, places) => {
        assert.equal(parseDecimal(renderDecimal(value), wide), value)
        assert.equal(parseDecimal(renderDecimal(value, places), wide), value)
      }),
    )
  })

  test('a value is written with the fewest digits or padded, and is never truncated', () => {
    assert.equal(renderDecimal(decimal('-12.50')), '-12.5')
    assert.equal(renderDecimal(decimal('-12.50'), 2), '-12.50')
    assert.equal(renderDecimal(decimal('12.345'), 2), '12.345')
    assert.equal(renderDecimal(ZERO, 2), '0.00')
    assert.equal(renderDecimal(decimal('-0.0000000001')), '-0.0000000001')
  })

  test('a value with any number of places is written as it is read', () => {
    for (const text of [
      ...['0', '1', '-1', '7', '10', '100', '0.1', '-0.1', '0.5', '12.5', '0.01', '-0.01', '0.09', '0.10001'],
      ...[
        '0.0214358881',
        '12.05',
        '12.34',
        '-12.34',
        '99.99',
        '0.99',
        '900719.92',
        '-900719.92',
        '1.001',
        '0.0000000001',
      ],
      // The floats nearest to these numbers of units are whole numbers and cents.
      ...['1000000000.0000000001', '-1000000000.0000000001', '1000000000.1200000001'],
    ])
      assert.equal(renderDecimal(decimal(text)), text)
  })

  test('a value is written with at least the requested number of places', () => {
    const asked: [string, number, string][] = [
      ['0', 1, '0.0'],
      ['1', 1, '1.0'],
      ['-3', 2, '-3.00'],
      ['12.5', 1, '12.5'],
      ['12.5', 10, '12.5000000000'],
      ['0.25', 1, '0.25'],
    ]
    for (const [text, places, expected] of asked) assert.equal(renderDecimal(decimal(text), places), expected)
  })

  test('a number without a point is whole, and each place is a tenth of the previous one', () => {
    assert.equal(wholeDecimal(3), 30_000_000_000n)
    assert.equal(wholeDecimal(-3n), -30_000_000_000n)
    assert.equal(decimal('0.0000000001'), 1n)
    assert.equal(decimal('102.03'), 1_020_300_000_000n)
  })

  test('any spelling of a value with an exponent is read as that value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: -10, max: 10 }),
        (digits, exponent) => {
          const exact = digits * 10n ** BigInt(DECIMAL_PLACES + exponent)
          assert.equal(parseDecimal(`${digits}e${exponent}`, wide), exact)
        },
      ),
    )
  })
})

describe('arithmetic is rounded once, half away from zero, from the exact result', () => {
  test('a product equals the exact rational product', () => {
    fc.assert(
      fc.property(smallDecimals, smallDecimals, placesUpTo10, (a, b, places) => {
        const exact = { over: a * b, under: 10n ** 20n }
        assert.equal(multiply(a, b, places), decimal(nearest(exact, places)))
      }),
    )
  })

  test('a quotient equals the exact rational quotient', () => {
    fc.assert(
      fc.property(smallDecimals, smallDecimals, placesUpTo10, (a, b, places) => {
        fc.pre(b !== 0n)
        assert.equal(divide(a, b, places), decimal(nearest({ over: a, under: b }, places)))
      }),
    )
  })

  test('a share of a whole equals the exact rational a × b ÷ c', () => {
    fc.assert(
      fc.property(smallDecimals, smallDecimals, smallDecimals, placesUpTo10, (a, b, c, places) => {
        fc.pre(c !== 0n)
        const exact = { over: a * b, under: c * 10n ** 10n }
        assert.equal(multiplyDivide(a, b, c, places), decimal(nearest(exact, places)))
      }),
    )
  })

  test('ones change neither a product nor a quotient', () => {
    const [three, two] = [decimal('3'), decimal('2')]
    assert.equal(multiplyAll([ONE, three, ONE], [ONE, two, ONE], 1), decimal('1.5'))
    assert.equal(multiplyAll([three], [two], 1), decimal('1.5'))
  })

  test('the quotient of two longer products equals the exact rational', () => {
    const few = fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { maxLength: 4 })
    fc.assert(
      fc.property(few, few, placesUpTo10, (factors, divisors, places) => {
        fc.pre(divisors.every((divisor) => divisor !== 0n))
        let exact: Rational = { over: 1n, under: 1n }
        for (const f of factors.map(rational))
          exact = { over: exact.over * f.over, under: exact.under * f.under }
        for (const d of divisors.map(rational))
          exact = { over: exact.over * d.under, under: exact.under * d.over }
        assert.equal(multiplyAll(factors, divisors, places), decimal(nearest(exact, places)))
      }),
    )
  })

  test('rounding equals the nearest multiple of the place', () => {
    fc.assert(
      fc.property(smallDecimals, placesUpTo10, (value, places) => {
        assert.equal(roundTo(value, places), decimal(nearest(rational(value), places)))
      }),
    )
  })

  test('a half is rounded away from zero on both sides', () => {
    assert.equal(roundTo(decimal('0.005'), 2), decimal('0.01'))
    assert.equal(roundTo(decimal('-0.005'), 2), decimal('-0.01'))
    assert.equal(roundTo(decimal('0.0049999999'), 2), ZERO)
    assert.equal(multiply(decimal('-1.5'), decimal('0.01'), 2), decimal('-0.02'))
    assert.equal(divide(decimal('-1'), decimal('200'), 2), decimal('-0.01'))
  })

  test('a product is not rounded twice', () => {
    assert.equal(multiply(decimal('0.0049999999'), decimal('0.9999999999'), 2), ZERO)
  })

  test('a factor that is nearly whole keeps its last place', () => {
    const nearlyOne = decimal('1.0000000001')
    assert.equal(multiply(decimal('2.5'), nearlyOne, 10), decimal('2.5000000003'))
    assert.equal(multiply(nearlyOne, decimal('2.5'), 10), decimal('2.5000000003'))
    assert.equal(multiplyDivide(ONE, nearlyOne, decimal('3'), 10), decimal('0.3333333334'))
    assert.equal(multiplyDivide(decimal('3'), ONE, nearlyOne, 10), decimal('2.9999999997'))
  })

  test('half of the smallest unit is rounded away from zero', () => {
    assert.equal(divide(1n, 2n, 0), ONE)
    assert.equal(divide(-1n, 2n, 0), -ONE)
    assert.equal(divide(1n, 3n, 0), ZERO)
    assert.equal(divide(decimal('0.0000000001'), decimal('2'), 10), 1n)
  })

  test('a division by zero and more places than the type has are faults', () => {
    assert.throws(() => divide(ONE, ZERO, 2), RangeError)
    assert.throws(() => roundTo(ONE, 11), RangeError)
    assert.throws(() => multiply(ONE, ONE, -11), RangeError)
    assert.throws(() => decimal('1.23456789012'), RangeError)
  })
})

describe('allocation', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: 1, maxLength: 12 })

  test('the parts add up exactly, and each is within one unit of its exact share', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        weights,
        placesUpTo10,
        (units, shares, places) => {
          fc.pre(shares.some((share) => share > 0n))
          const unit = 10n ** BigInt(DECIMAL_PLACES - places)
          const amount = units * unit
          const parts = allocate(amount, shares, places)
          assert.equal(sum(parts), amount)
          const total = sum(shares)
          parts.forEach((part, index) => {
            const off = part * total - amount * (shares[index] ?? 0n)
            assert.ok(abs(off) < unit * total)
            assert.equal(part % unit, 0n)
            if (shares[index] === 0n) assert.equal(part, 0n)
          })
        },
      ),
    )
  })

  test('the last cent goes to the part with the largest remainder, and to the earlier part of two equal ones', () => {
    assert.deepEqual(allocate(decimal('100'), [1n, 1n, 1n], 2), ['33.34', '33.33', '33.33'].map(decimal))
    assert.deepEqual(allocate(decimal('0.05'), [1n, 3n, 1n], 2), ['0.01', '0.03', '0.01'].map(decimal))
    assert.deepEqual(allocate(decimal('-100'), [1n, 2n], 2), ['-33.33', '-66.67'].map(decimal))
    // 2.29 and 1.71 cents: the smaller share has the larger remainder.
    assert.deepEqual(allocate(decimal('0.04'), [4n, 3n], 2), ['0.02', '0.02'].map(decimal))
    assert.deepEqual(allocate(decimal('0.03'), [1n, 1n, 1n, 1n, 1n], 2), [
      ...['0.01', '0.01', '0.01', '0', '0'].map(decimal),
    ])
  })

  test('an amount finer than the places, a negative weight and a missing weight are faults', () => {
    assert.throws(() => allocate(decimal('0.001'), [1n], 2), RangeError)
    assert.throws(() => allocate(ONE, [2n, -1n], 2), /a weight is negative/)
    assert.throws(() => allocate(ONE, [0n], 2), RangeError)
    assert.throws(() => allocate(ONE, [], 2), RangeError)
  })
})

test('the least, the greatest and the sum are those of the values', () => {
  assert.equal(min(3n, -2n, 7n), -2n)
  assert.equal(min(-2n, 3n), -2n)
  assert.equal(max(3n, -2n, 7n), 7n)
  assert.equal(max(7n, 3n), 7n)
  assert.equal(sum([1n, 2n, 3n]), 6n)
  assert.equal(sum([]), ZERO)
  assert.equal(abs(-4n), 4n)
})

test('whole numbers at the limit of a float keep every digit', () => {
  for (const text of [
    '999999999999999',
    '9007199254740993',
    '9999999999999999',
    '900719925474099.3',
    '99999999999999.99',
  ]) {
    assert.equal(renderDecimal(decimal(text)), text)
  }
})
