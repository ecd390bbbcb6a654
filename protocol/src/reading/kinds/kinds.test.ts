// One row per value: what a caller sends in a field of a kind, and what is read, or the code that refuses it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { codeLists } from '../../codes/index.ts'
import {
  accountNumber,
  birthDate,
  block,
  city,
  code,
  codeOrText,
  codes,
  count,
  country,
  customerId,
  date,
  email,
  entityNumber,
  extension,
  flag,
  knownAt,
  list,
  name,
  optional,
  percent,
  phone,
  postal,
  rangeDate,
  region,
  repCode,
  state,
  street,
  taxId,
  text,
  words,
} from '../../field.ts'
import { readRequest } from '../read-request.ts'

const codesOfFunds = codes('sourceOfFunds')

type Row = readonly [given: unknown, read: unknown]
function refusedWith(code: string) {
  return { code }
}
const E = refusedWith

function read(kind: TSchema, given: unknown) {
  return readRequest(block({ field: optional(kind) }, { blanks: 'kept' }), { field: given })
}

/** The last day of every month of a leap year, and the day after it. */
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].flatMap((days, index): Row[] => {
  const month = `2024-${String(index + 1).padStart(2, '0')}`
  return [
    [`${month}-${days}`, `${month}-${days}`],
    [`${month}-${days + 1}`, E('ERR.1024')],
  ]
})

const kinds: Record<string, { kind: TSchema; rows: readonly Row[] }> = {
  'text is upper case, trimmed, its white space collapsed, and counted in characters': {
    kind: text(5),
    rows: [
      ['ab', 'AB'],
      ['  a \u00a0\u2003b ', 'A B'],
      ['e\u0301', 'É'],
      ['straß', E('ERR.1010')],
      ['traß', 'TRASS'],
      ['abcdef', E('ERR.1010')],
      ['\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}', '\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}'],
      ['\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}a', E('ERR.1010')],
      ['', ''],
      ['   ', ''],
      [null, null],
      ['a\0', E('ERR.1016')],
      ['a\tb', E('ERR.1016')],
      ['a\nb', E('ERR.1016')],
      ['a\u001b[31m', E('ERR.1016')],
      ['a\u007f', E('ERR.1016')],
      ['a\u0085', E('ERR.1016')],
      ['a\u202eb', E('ERR.1016')],
      ['a\u2067b', E('ERR.1016')],
      ['a\u200bb', E('ERR.1016')],
      ['\u3164\u3164', E('ERR.1016')],
      ['a\u2800', E('ERR.1016')],
      ['\ufeffa', E('ERR.1016')],
      ['a\ufe0f', E('ERR.1016')],
      ['\ud800', E('ERR.1016')],
      ['\udc00a', E('ERR.1016')],
      [5, E('ERR.2002')],
      [['AB'], E('ERR.2002')],
      [{}, E('ERR.2002')],
      [true, E('ERR.2002')],
    ],
  },
  'words keep their letter case': {
    kind: words(11),
    rows: [
      ['Bill  of May', 'Bill of May'],
      ['Bill\u202e', E('ERR.1016')],
      ['Bill\u00ad', E('ERR.1016')],
      ['cafe\u0301', 'caf\u00e9'],
      ['123456789012', E('ERR.1010')],
    ],
  },
  'a part of a name holds letters and a few marks': {
    kind: name(),
    rows: [
      ["o'Neill-Smith Jr., a/b #.", "O'NEILL-SMITH JR., A/B #."],
      ['Đặng', 'ĐẶNG'],
      ['王', '王'],
      ['x', 'X'],
      ...[
        0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200d, 0x2060, 0x2800, 0x3164, 0xfe0f, 0xffa0,
        0xe0041,
      ].flatMap((blank): Row[] => [
        [String.fromCodePoint(blank), E('ERR.1016')],
        [`A${String.fromCodePoint(blank)}B`, E('ERR.1016')],
      ]),
      ['3M', E('ERR.1016')],
      ['slow30', 'SLOW30'],
      ['slow31', E('ERR.1016')],
      ['12ND', E('ERR.1016')],
      ['2NDX', E('ERR.1016')],
      ['-', E('ERR.1016')],
      ['A&B', E('ERR.1016')],
      ['<b>', E('ERR.1016')],
      ['a'.repeat(31), E('ERR.1010')],
    ],
  },
  'an e-mail address keeps its letter case': {
    kind: email(),
    rows: [
      ['Ada.Moreno+x@Example.co', 'Ada.Moreno+x@Example.co'],
      [' a@b.co ', 'a@b.co'],
      ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
      ['a@b', E('ERR.1009')],
      ['@b.co', E('ERR.1009')],
      ['a@', E('ERR.1009')],
      ['a.b.co', E('ERR.1009')],
      ['a..b@c.co', E('ERR.1009')],
      ['.a@c.co', E('ERR.1009')],
      ['a@-c.co', E('ERR.1009')],
      ['a@c..co', E('ERR.1009')],
      ['a@c.1', E('ERR.1009')],
      ['a@b@c.co', E('ERR.1009')],
      ['a b@c.co', E('ERR.1009')],
      ['bücher@c.co', E('ERR.1009')],
      [`${'a'.repeat(65)}@c.co`, E('ERR.1009')],
      [`${'a'.repeat(60)}@${'c'.repeat(10)}.co`, E('ERR.1010')],
    ],
  },
  'a coded value is matched without regard to case': {
    kind: code('registrationType'),
    rows: [
      ['individual', 'Individual'],
      ['JOINTWROS', 'JointWROS'],
      ['Individua', E('ERR.1015')],
      [' Individual', E('ERR.1015')],
      [1, E('ERR.2002')],
    ],
  },
  'several coded values come as an array or as one text': {
    kind: codes('sourceOfFunds'),
    rows: [
      [
        ['gift', 'EMPLOYMENT'],
        ['Gift', 'Employment'],
      ],
      ['gift, employment', ['Gift', 'Employment']],
      ['Gift', ['Gift']],
      [[], []],
      ['', ''],
      [['Gift', 'gift'], E('ERR.1014')],
      ['Gift,gift', E('ERR.1014')],
      [['Nonsense'], E('ERR.1015')],
      ['Gift,', E('ERR.1015')],
      [[1], E('ERR.2002')],
      [[null], E('ERR.2002')],
      [7, E('ERR.2002')],
      [Array.from({ length: 101 }, () => 'Gift'), E('ERR.1015')],
    ],
  },
  'a flag is text in any case or a JSON boolean, capitalised where the block does so': {
    kind: flag('True'),
    rows: [
      ['TRUE', 'True'],
      ['false', 'False'],
      [true, 'True'],
      [false, 'False'],
      ['yes', E('ERR.1015')],
      ['1', E('ERR.1015')],
      [1, E('ERR.2002')],
      ['', ''],
    ],
  },
  'a flag of main is in lower case': {
    kind: flag('true'),
    rows: [
      ['True', 'true'],
      [false, 'false'],
      ['untrue', E('ERR.1015')],
      ['truest', E('ERR.1015')],
      ['unfalse', E('ERR.1015')],
      ['falsehood', E('ERR.1015')],
      [1, E('ERR.2002')],
    ],
  },
  'a country is a code of ISO 3166-1': {
    kind: country(),
    rows: [
      ['us', 'US'],
      ['XX', E('ERR.1006')],
      ['USA', E('ERR.1006')],
      ['U\0', E('ERR.1006')],
    ],
  },
  'a state is two letters': {
    kind: state(),
    rows: [
      ['nj', 'NJ'],
      ['', ''],
      ['N', E('ERR.1008')],
      ['New Jersey', E('ERR.1008')],
      ['N1', E('ERR.1008')],
    ],
  },
  'a postal code is at most ten letters, digits, spaces and hyphens': {
    kind: postal(),
    rows: [
      ['07302-1234', '07302-1234'],
      [' 07302 ', '07302'],
      ['   ', ''],
      ['!07302', E('ERR.1007')],
      ['k1a 0b1', 'K1A 0B1'],
      ['12345678901', E('ERR.1007')],
      ['07302!', E('ERR.1007')],
      ['-', E('ERR.1007')],
    ],
  },
  'a city holds letters': {
    kind: city(),
    rows: [
      ["St. John's", "ST. JOHN'S"],
      ['São Paulo', 'SÃO PAULO'],
      ['City 17', E('ERR.1005')],
      ['1 City', E('ERR.1005')],
      ['', ''],
      ['  ', ''],
      ['-', E('ERR.1005')],
      ['x'.repeat(31), E('ERR.1010')],
      ['x\0', E('ERR.1016')],
    ],
  },
  'a street is one text of 60 characters or two lines of 30': {
    kind: street(),
    rows: [
      ['12 Harbor  St', '12 HARBOR ST'],
      ['x'.repeat(60), 'X'.repeat(60)],
      ['x'.repeat(61), E('ERR.1010')],
      ['12 Harbor St\r\n Apt 4 ', '12 HARBOR ST\nAPT 4'],
      ['\n12 Harbor St\n\n', '12 HARBOR ST'],
      [`${'x'.repeat(30)}\n${'y'.repeat(30)}`, `${'X'.repeat(30)}\n${'Y'.repeat(30)}`],
      [`${'x'.repeat(31)}\ny`, E('ERR.1010')],
      ['a\nb\nc', E('ERR.1010')],
      ['a\tb', E('ERR.1016')],
      ['a\n\0', E('ERR.1016')],
    ],
  },
  'a date is a real calendar date': {
    kind: date(),
    rows: [
      ['2024-02-29', '2024-02-29'],
      ['2023-02-29', E('ERR.1024')],
      ['1900-02-29', E('ERR.1024')],
      ['2000-02-29', '2000-02-29'],
      ['1900-01-01', '1900-01-01'],
      ['2024-02-30', E('ERR.1024')],
      ...daysOfMonths,
      ['x2023-01-01', E('ERR.1024')],
      ['2023-04-31', E('ERR.1024')],
      ['2023-00-10', E('ERR.1024')],
      ['2023-13-01', E('ERR.1024')],
      ['2023-01-00', E('ERR.1024')],
      ['0000-00-00', E('ERR.1024')],
      ['1899-12-31', E('ERR.1024')],
      ['2023-1-1', E('ERR.1024')],
      ['20230101', E('ERR.1024')],
      ['01/31/2023', E('ERR.1024')],
      ['2023-01-01T00:00:00Z', E('ERR.1024')],
      ['2023-01-01 ', E('ERR.1024')],
      ['２０２３-01-01', E('ERR.1024')],
      ['+002023-01-01', E('ERR.1024')],
      [20230101, E('ERR.2002')],
    ],
  },
  'a birth date has a code of its own': {
    kind: birthDate(),
    rows: [
      ['1986-04-17', '1986-04-17'],
      ['1899-12-31', E('ERR.1012')],
      ['2023-02-30', E('ERR.1012')],
    ],
  },
  'a date of a range may have three forms': {
    kind: rangeDate(),
    rows: [
      ['2025-01-31', '2025-01-31'],
      ['20250131', '2025-01-31'],
      ['01/31/2025', '2025-01-31'],
      ['0001-01-01', '0001-01-01'],
      ['0000-01-01', E('ERR.1024')],
      ['120250131', E('ERR.1024')],
      ['202501311', E('ERR.1024')],
      ['101/31/2025', E('ERR.1024')],
      ['01/31/20251', E('ERR.1024')],
      ['31/01/2025', E('ERR.1024')],
      ['1/31/2025', E('ERR.1024')],
      ['20250229', E('ERR.1024')],
      ['02/29/2023', E('ERR.1024')],
      ['yesterday', E('ERR.1024')],
    ],
  },
  'a phone number is 6 to 15 digits': {
    kind: phone(),
    rows: [
      ['201555', '201555'],
      ['123456789012345', '123456789012345'],
      ['12345', E('ERR.1011')],
      ['1234567890123456', E('ERR.1011')],
      ['(201) 555-0123', E('ERR.1011')],
      ['１２３４５６', E('ERR.1011')],
      [2015550123, E('ERR.2002')],
    ],
  },
  'a phone region is a calling code in use': {
    kind: region(),
    rows: [
      ['1', '1'],
      ['+44', '44'],
      ['01', E('ERR.1013')],
      ['999', E('ERR.1013')],
      ['++1', E('ERR.1013')],
      ['US', E('ERR.1013')],
    ],
  },
  'a phone extension is 1 to 5 digits': {
    kind: extension(),
    rows: [
      ['00123', '00123'],
      ['1', '1'],
      ['123456', E('ERR.1016')],
      ['x1', E('ERR.1016')],
    ],
  },
  'a tax id is 9 digits, of which a masked one shows the last four': {
    kind: taxId(),
    rows: [
      ['219099998', '219099998'],
      ['*****9998', '*****9998'],
      ['****99998', E('ERR.1016')],
      ['*********', E('ERR.1016')],
      ['21909999', E('ERR.1016')],
      ['2190999980', E('ERR.1016')],
      ['x219099998', E('ERR.1016')],
      ['219-09-9998', E('ERR.1016')],
      [219099998, E('ERR.2002')],
    ],
  },
  'an account number is 8 letters or digits, its letter case without meaning': {
    kind: accountNumber(),
    rows: [
      ['ab12cd34', 'AB12CD34'],
      ['1234567', E('ERR.1016')],
      ['123456789', E('ERR.1016')],
      ['1234567!', E('ERR.1016')],
      ['12345678\n', E('ERR.1016')],
      [12345678, E('ERR.2002')],
      [['AAAAAAAA'], E('ERR.2002')],
    ],
  },
  'an entity number is 3 digits, or an integer that lost its zeros': {
    kind: entityNumber(),
    rows: [
      ['007', '007'],
      [7, '007'],
      [301, '301'],
      [0, '000'],
      [999, '999'],
      [-0, E('ERR.1001')],
      ['0301', E('ERR.1001')],
      ['3010', E('ERR.1001')],
      ['7', E('ERR.1001')],
      ['3O1', E('ERR.1001')],
      [1000, E('ERR.1001')],
      [-1, E('ERR.1001')],
      [30.5, E('ERR.1001')],
      [true, E('ERR.2002')],
      [['301'], E('ERR.2002')],
    ],
  },
  'a rep code is 4 letters or digits': {
    kind: repCode(),
    rows: [
      ['jc01', 'JC01'],
      ['JC1', E('ERR.1002')],
      ['JC011', E('ERR.1002')],
      [1234, E('ERR.2002')],
    ],
  },
  'a customer id is 18 digits': {
    kind: customerId(),
    rows: [
      ['123456789012345678', '123456789012345678'],
      ['12345678901234567', E('ERR.1016')],
      ['1234567890123456789', E('ERR.1016')],
      ['x123456789012345678', E('ERR.1016')],
      ['123456789012345678x', E('ERR.1016')],
    ],
  },
  'a percentage is text from 0 to 100, read with two decimals': {
    kind: percent(),
    rows: [
      ['50', '50.00'],
      ['33.3', '33.30'],
      ['100', '100.00'],
      ['0', '0.00'],
      ['007.5', '7.50'],
      ['100.01', E('ERR.1015')],
      ['101', E('ERR.1015')],
      ['1000', E('ERR.1016')],
      ['33.333', E('ERR.1016')],
      ['-1', E('ERR.1016')],
      ['1e2', E('ERR.1016')],
      ['50%', E('ERR.1016')],
      ['.5', E('ERR.1016')],
      [50, E('ERR.2002')],
    ],
  },
  'a count is one or two digits': {
    kind: count(),
    rows: [
      ['0', '0'],
      ['02', '2'],
      ['100', E('ERR.1016')],
      ['-1', E('ERR.1016')],
    ],
  },
  'a plain integer has its bounds and no other type': {
    kind: Type.Integer({ minimum: 1, maximum: 10 }),
    rows: [
      [1, 1],
      [10, 10],
      [0, E('ERR.1015')],
      [11, E('ERR.1015')],
      [1.5, E('ERR.2002')],
      [Number.POSITIVE_INFINITY, E('ERR.2002')],
      ['1', E('ERR.2002')],
    ],
  },
  'a plain boolean has no other type': {
    kind: Type.Boolean(),
    rows: [
      [true, true],
      ['true', E('ERR.2002')],
      [0, E('ERR.2002')],
    ],
  },
  'a plain string has its bounds': {
    kind: Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]+$' }),
    rows: [
      ['ab', 'ab'],
      ['a', E('ERR.1016')],
      ['abcd', E('ERR.1010')],
      ['AB', E('ERR.1016')],
    ],
  },
  'a union is read by the JSON type that came': {
    kind: Type.Union([text(5), block({ associated: optional(flag('True')) })]),
    rows: [
      ['ab', 'AB'],
      [{ Associated: 'TRUE' }, { associated: 'True' }],
      [1, E('ERR.2002')],
      [[], E('ERR.2002')],
    ],
  },
  'a list has at most its limit of items, none of them empty': {
    kind: list(entityNumber()),
    rows: [
      [Array.from({ length: 100 }, () => '301'), Array.from({ length: 100 }, () => '301')],
      [
        [1, '002'],
        ['001', '002'],
      ],
      [[], []],
      [['301', ''], E('ERR.1000')],
      ['301', E('ERR.2002')],
      [{ 0: '301' }, E('ERR.2002')],
      [Array.from({ length: 101 }, () => '301'), E('ERR.1015')],
    ],
  },
}

Object.assign(kinds, {
  'a coded value or another text': {
    kind: codeOrText('relationship', 10),
    rows: [
      [' spouse ', 'Spouse'],
      ['old friend', 'OLD FRIEND'],
      ['a very old friend', E('ERR.1010')],
      [5, E('ERR.2002')],
    ],
  },
  'a day of knowledge is now or a date': {
    kind: knownAt(),
    rows: [
      ['NOW', 'now'],
      ['2025-01-31', '2025-01-31'],
      ['2025-02-29', E('ERR.1024')],
      ['later', E('ERR.1024')],
    ],
  },
  'a name in a list is of a person': { kind: list(name()), rows: [[['3M'], E('ERR.1016')]] },
} satisfies typeof kinds)

for (const [sentence, { kind, rows }] of Object.entries(kinds)) {
  describe(sentence, () => {
    for (const [given, due] of rows) {
      test(JSON.stringify(given).slice(0, 60), () => {
        const { value, rejections } = read(kind, given)
        if (due !== null && typeof due === 'object' && 'code' in due) {
          assert.deepEqual(
            rejections.map((rejection) => rejection.code),
            [due.code],
          )
        } else {
          assert.deepEqual(rejections, [])
          assert.deepEqual(value, { field: due })
        }
      })
    }
  })
}

test('no reason repeats the value that was refused', () => {
  const secret = 'Zq7!kW'
  for (const { kind } of Object.values(kinds)) {
    const { rejections } = read(kind, `${secret}\u202e${secret.repeat(40)}`)
    for (const { reason } of rejections)
      assert.ok(!reason.toLowerCase().includes(secret.toLowerCase()), reason)
  }
})

test('the reason names a length in characters after normalisation, and the nearest values of a list', () => {
  const reasonOf = (kind: TSchema, given: string) => read(kind, given).rejections[0]?.reason
  assert.equal(
    reasonOf(city(), `${'x'.repeat(20)}   ${'y'.repeat(20)}`),
    'Field must be at most 30 characters; got 41.',
  )
  assert.match(reasonOf(code('registrationType'), 'JointWRO') ?? '', /nearest: JointWROS/)
})

test('the reason names the types that a field may have, and the values of a short list', () => {
  const reasonOf = (kind: TSchema, given: unknown) => read(kind, given).rejections[0]?.reason
  assert.equal(reasonOf(codes('sourceOfFunds'), 5), 'Field must be an array or a string; got a number.')
  assert.equal(reasonOf(codes('sourceOfFunds'), [5]), 'Field must be a string; got a number.')
  assert.equal(reasonOf(flag('True'), 5), 'Field must be a string or a boolean; got a number.')
  assert.equal(reasonOf(entityNumber(), true), 'Field must be a string or a number; got a boolean.')
  assert.equal(reasonOf(list(name()), 5), 'Field must be an array; got a number.')
  assert.equal(
    reasonOf(Type.Union([text(5), block({ a: optional(text(5)) })]), 5),
    'Field must be a string or an object; got a number.',
  )
  assert.equal(reasonOf(code('taxIdType'), 'VAT'), 'Field is not in the list; allowed: SSN, TaxId.')
})

test('a list of codes with a wrong value or a repeated one is not read at all, and each of them is refused', () => {
  const [first, second] = codeLists.sourceOfFunds.map(({ value }) => value) as [string, string]
  const rows: readonly [given: unknown, codes: string[]][] = [
    [
      [first, 'XX', 'YY', second],
      ['ERR.1015 field[1]', 'ERR.1015 field[2]'],
    ],
    [[first, 5], ['ERR.2002 field[1]']],
    [[first, second, first], ['ERR.1014 field[2]']],
    [`XX, ${first}, YY`, ['ERR.1015 field']],
    [`${first},${second}, ${first}`, ['ERR.1014 field']],
  ]
  for (const [given, codes] of rows) {
    const { value, rejections } = read(codesOfFunds, given)
    assert.deepEqual(
      rejections.map((rejection) => `${rejection.code} ${rejection.field}`),
      codes,
    )
    assert.deepEqual(value, {})
  }
  assert.deepEqual(read(codesOfFunds, `${first}, ${second}`).value, { field: [first, second] })
})

test('a list of codes has at most 100 values, written as a list or as one text', () => {
  const reasonsOf = (given: unknown) => read(codesOfFunds, given).rejections.map(({ reason }) => reason)
  const many = (count: number) => Array.from({ length: count }, (_, index) => `X${index}`)
  for (const given of [many(101), many(101).join()])
    assert.deepEqual(reasonsOf(given), ['Field must have at most 100 values.'])
  for (const given of [many(100), many(100).join()])
    assert.match(reasonsOf(given)[0] ?? '', /not in the list/)
})

test('the first hundred errors name values of the list, the others do not', () => {
  const schema = block({ one: list(code('taxIdType')), other: list(code('taxIdType')) })
  const wrong = Array.from({ length: 60 }, () => 'VAT')
  const { rejections } = readRequest(schema, { one: wrong, other: wrong })
  const named = rejections.map(({ reason }) => /allowed: /.test(reason))
  assert.deepEqual([named.indexOf(false), named.lastIndexOf(true)], [100, 99])
  assert.equal(rejections[100]?.reason, 'Other is not in the list.')
})

test('an empty text stands where any text may, and is absent where a form is due', () => {
  const empties: readonly [TSchema, boolean][] = [
    [text(5), true],
    [words(5), true],
    [name(), true],
    [codeOrText('relationship', 5), true],
    [Type.String(), true],
    [Type.String({ minLength: 1 }), false],
    [date(), false],
    [code('taxIdType'), false],
    [Type.Literal('a'), false],
  ]
  for (const [kind, kept] of empties) {
    const { value } = readRequest(block({ field: optional(kind) }), { field: '' })
    assert.deepEqual(value, kept ? { field: '' } : {}, JSON.stringify(kind))
  }
})

// A quadratic step anywhere would take minutes here.
test('a megabyte in any kind of field is judged in time linear in its length', { timeout: 60_000 }, () => {
  const pieces = ['a', ' ', '\u0301', 'a\u0327\u0301', '\u{1f600}', 'a@', 'a.', '-', '1', '\n', 'ß', 'a ']
  for (const { kind } of Object.values(kinds)) {
    for (const piece of pieces) read(kind, piece.repeat(1_048_576 / piece.length))
  }
})
