// One row per value of a kind of field: the sent value, and the read value or the error code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import {
  block,
  city,
  code,
  codeOrText,
  codes,
  country,
  date,
  email,
  entityNumber,
  flag,
  list,
  name,
  optional,
  postal,
  state,
  street,
  text,
  words,
} from '../../field.ts'
import { readRequest } from '../read-request.ts'
import { E, type Kinds, type Row, read, testKinds } from './test-rows.ts'

const kinds: Kinds = {
  'text is converted to upper case, trimmed, its white space collapsed, and its length counted in characters':
    {
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
  'free text keeps its letter case': {
    kind: words(11),
    rows: [
      ['Bill  of May', 'Bill of May'],
      ['Bill\u202e', E('ERR.1016')],
      ['Bill\u00ad', E('ERR.1016')],
      ['cafe\u0301', 'caf\u00e9'],
      ['123456789012', E('ERR.1010')],
      ['é'.repeat(11), 'é'.repeat(11)],
      ['é'.repeat(12), E('ERR.1010')],
    ],
  },
  'a part of a name contains letters and a few punctuation marks': {
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
      // The hyphens and apostrophes of all scripts are stored as the plain marks.
      ['בן־גוריון', 'בן-גוריון'],
      ['ז׳בוטינסקי', "ז'בוטינסקי"],
      ['Սարգիս\u058aԱնի', 'ՍԱՐԳԻՍ-ԱՆԻ'],
      ['Դ\u055aԱրկ', "Դ'ԱՐԿ"],
      ['ジョン゠ポール', 'ジョン-ポール'],
      ['ᐃᓄᒃ᐀ᑎᑐᑦ', 'ᐃᓄᒃ-ᑎᑐᑦ'],
      ['李－王', '李-王'],
      // Marks within a word have one form each.
      ['Gal·la', 'GAL·LA'],
      ['Gal\u0387la', 'GAL·LA'],
      ['Gal\u2027la', 'GAL·LA'],
      ['买买提·艾力', '买买提·艾力'],
      ['ジョン・スミス', 'ジョン·スミス'],
      ['ｼﾞｮﾝ･ｽﾐｽ', 'ｼﾞｮﾝ·ｽﾐｽ'],
      ['רש״י', 'רש״י'],
      ['רש"י', 'רש״י'],
      ['רש”י', 'רש״י'],
      ['བསྟན་འཛིན་', 'བསྟན་འཛིན་'],
      ['བསྟན༌འཛིན', 'བསྟན་འཛིན'],
      ['王〇', '王〇'],
      // They stand within a word, and letters of Hebrew are beside a quotation mark.
      ['·Gal', E('ERR.1016')],
      ['Gal·', E('ERR.1016')],
      ['Gal · la', E('ERR.1016')],
      ['Gal··la', E('ERR.1016')],
      ['רש״', E('ERR.1016')],
      ['"רש"', E('ERR.1016')],
      ['An "Al" Li', E('ERR.1016')],
      ['་', E('ERR.1016')],
      ['〇', E('ERR.1016')],
      // Dashes of sentences, other punctuation, symbols, numbers and invisible joiners are no part of a name.
      ...[
        '—',
        '―',
        '〜',
        '〰',
        '⸺',
        '·',
        '•',
        '«',
        '»',
        '„',
        '؟',
        '،',
        '。',
        '፡',
        '॥',
        '§',
        '™',
        '②',
        'Ⅱ',
        '٣',
        '\u200c',
        '\u05c0',
      ].map((mark): Row => [`A${mark} B`, E('ERR.1016')]),
      ['a'.repeat(31), E('ERR.1010')],
    ],
  },
  'an email address keeps its letter case': {
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
  'a coded value is matched in any letter case': {
    kind: code('registrationType'),
    rows: [
      ['individual', 'Individual'],
      ['JOINTWROS', 'JointWROS'],
      ['Individua', E('ERR.1015')],
      [' Individual', E('ERR.1015')],
      [1, E('ERR.2002')],
    ],
  },
  'several coded values are an array or one text': {
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
  'a flag is text in any letter case or a JSON boolean, and is capitalized in some blocks': {
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
  'a city contains letters': {
    kind: city(),
    rows: [
      ["St. John's", "ST. JOHN'S"],
      ['São Paulo', 'SÃO PAULO'],
      ['Dublin 2', 'DUBLIN 2'],
      ['Paris Cedex 08', 'PARIS CEDEX 08'],
      ['Frankfurt (Oder)', 'FRANKFURT (ODER)'],
      ['Halle/Saale', 'HALLE/SAALE'],
      ['Bern, Stadt', 'BERN, STADT'],
      ['12345', E('ERR.1005')],
      ['(1)', E('ERR.1005')],
      ['City #17', E('ERR.1005')],
      ['City & Co', E('ERR.1005')],
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
      ['-', E('ERR.1016')],
      ['.', E('ERR.1016')],
      ['#', E('ERR.1016')],
      ['-\n.', E('ERR.1016')],
      ['-\n5', '-\n5'],
      ['Ж', 'Ж'],
      ['½', '½'],
      ['', ''],
      ['12 Harbor St\r\n Apt 4 ', '12 HARBOR ST\nAPT 4'],
      ['\n12 Harbor St\n\n', '12 HARBOR ST'],
      [`${'x'.repeat(30)}\n${'y'.repeat(30)}`, `${'X'.repeat(30)}\n${'Y'.repeat(30)}`],
      [`${'x'.repeat(31)}\ny`, E('ERR.1010')],
      ['a\nb\nc', E('ERR.1010')],
      ['a\tb', E('ERR.1016')],
      ['a\n\0', E('ERR.1016')],
    ],
  },
  'a plain integer has limits and accepts no other type': {
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
  'a plain boolean accepts no other type': {
    kind: Type.Boolean(),
    rows: [
      [true, true],
      ['true', E('ERR.2002')],
      [0, E('ERR.2002')],
    ],
  },
  'a plain string has limits': {
    kind: Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]+$' }),
    rows: [
      ['ab', 'ab'],
      ['abc', 'abc'],
      ['a', E('ERR.1016')],
      ['abcd', E('ERR.1010')],
      ['AB', E('ERR.1016')],
    ],
  },
  'a plain string without limits is any text of whole characters': {
    kind: Type.String(),
    rows: [
      ['a\tb', 'a\tb'],
      ['a\0', E('ERR.1016')],
      ['\ud800', E('ERR.1016')],
    ],
  },
  'a pattern counts characters': {
    kind: Type.String({ pattern: '^.$' }),
    rows: [['\u{1f600}', '\u{1f600}']],
  },
  'a plain value can be limited to a short list': {
    kind: Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }),
    rows: [
      ['b', 'b'],
      ['c', E('ERR.1015')],
    ],
  },
  'a plain constant has only one value': {
    kind: Type.Literal('a'),
    rows: [
      ['a', 'a'],
      ['b', E('ERR.1015')],
    ],
  },
  'a plain number may have a fraction, and has no negative zero': {
    kind: Type.Number(),
    rows: [
      [1.5, 1.5],
      [-0, 0],
      [Number.NaN, E('ERR.2002')],
      [Number.NEGATIVE_INFINITY, E('ERR.2002')],
    ],
  },
  'a union is read by the JSON type of the value': {
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
  'a coded field can accept other texts': {
    kind: codeOrText('relationship', 10),
    rows: [
      [' spouse ', 'Spouse'],
      ['old friend', 'OLD FRIEND'],
      ['a very old friend', E('ERR.1010')],
      [5, E('ERR.2002')],
    ],
  },
  'a name in a list is the name of a person': { kind: list(name()), rows: [[['3M'], E('ERR.1016')]] },
}

testKinds(kinds)

test('the reason contains a length in characters after normalization, and the nearest values of a list', () => {
  const reasonOf = (kind: TSchema, given: string) => read(kind, given).rejections[0]?.reason
  assert.equal(
    reasonOf(city(), `${'x'.repeat(20)}   ${'y'.repeat(20)}`),
    'Field must be at most 30 characters; got 41.',
  )
  assert.equal(reasonOf(city(), '- .'), 'Field must contain a letter.')
  assert.equal(reasonOf(name(), '.'), 'Field must contain a letter.')
  assert.match(reasonOf(code('registrationType'), 'JointWRO') ?? '', /nearest: JointWROS/)
  assert.equal(
    reasonOf(Type.String({ pattern: '^[a-z]+$' }), 'A b'),
    'Field must match the pattern ^[a-z]+$.',
  )
  assert.match(reasonOf(code('annualIncome'), '75000') ?? '', /allowed: A, B, C, D, E, F, G, H, I\.$/)
  assert.match(reasonOf(code('optionTradingLevel'), '6') ?? '', /allowed: 0, 1, 2, 3, 4, 5\.$/)
})

test('an empty text is a value in a field of free text, and counts as absent in a field with a required form', () => {
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

test('the reason for a line break or a tab names it', () => {
  const reasonOf = (sent: string) =>
    readRequest(block({ note: words(90) }), { note: sent }).rejections[0]?.reason
  for (const sent of ['a\nb', 'a\r\nb', '\n'])
    assert.equal(reasonOf(sent), 'Note must be one line: it holds a line break.')
  assert.equal(reasonOf('a\tb'), 'Note holds a tab. Send spaces instead.')
  assert.match(reasonOf('a\0b') ?? '', /^Note holds a character that is never accepted/)
})
