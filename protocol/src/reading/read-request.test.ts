import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { block, code, date, list, name, optional, text, words } from '../field.ts'
import { limits } from '../limits.ts'
import { jointAccountExample, newAccountExample } from '../operations/examples.ts'
import { operations } from '../operations/index.ts'
import { parseJson } from './json-text.ts'
import { prepareReading, readRequest } from './read-request.ts'

const newAccount = operations['new-account'].request
const updateAccount = operations['update-account'].request
function codesOf(rejections: readonly { code: string; field: string }[]) {
  return rejections.map(({ code, field }) => `${code} ${field}`)
}

test('the request of every operation can be read', () => {
  for (const operation of Object.values(operations)) prepareReading(operation.request)
})

test('every example of the contract is read without a rejection', () => {
  for (const operation of Object.values(operations)) {
    for (const example of operation.examples) {
      assert.deepEqual(readRequest(operation.request, example.request).rejections, [])
    }
  }
})

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The same JSON with the letter case and the order of its names selected by the bits. */
function respell(json: Json, bits: () => boolean): Json {
  if (Array.isArray(json)) return json.map((item) => respell(item, bits))
  if (json === null || typeof json !== 'object') return json
  const members = Object.entries(json).map(([key, value]): [string, Json] => [
    [...key].map((letter) => (bits() ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    respell(value, bits),
  ])
  return Object.fromEntries(bits() ? members.reverse() : members)
}

test('the letter case and the order of names make no difference, at any depth', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(newAccountExample as Json, jointAccountExample as Json),
      fc.infiniteStream(fc.boolean()),
      (example, stream) => {
        const bits = () => stream.next().value as boolean
        const plain = readRequest(newAccount, example)
        const respelled = readRequest(newAccount, respell(example, bits))
        assert.deepEqual(respelled.rejections, [])
        assert.equal(JSON.stringify(respelled.value), JSON.stringify(plain.value))
      },
    ),
  )
})

test('a canonical request is read unchanged', () => {
  for (const example of [newAccountExample, jointAccountExample]) {
    const { value } = readRequest(newAccount, example)
    assert.deepEqual(readRequest(newAccount, value), {
      value,
      rejections: [],
      refusedPaths: new Set(),
      unlessStored: new Map(),
    })
  }
})

test('every text that was read is read again unchanged', () => {
  const schema = block({ text: optional(text(20)), words: optional(words(20)), name: optional(name()) })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (given) => {
      const { value } = readRequest(schema, { text: given, words: given, name: given })
      assert.deepEqual(readRequest(schema, value).value, value)
      assert.deepEqual(readRequest(schema, value).rejections, [])
    }),
    { numRuns: 2_000 },
  )
})

test('any JSON value is read or rejected without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      for (const operation of Object.values(operations)) readRequest(operation.request, json)
    }),
  )
})

test('other accepted spellings name the same property', () => {
  const { value, rejections } = readRequest(updateAccount, {
    ACCOUNTNUMBER: 'abcd1234',
    subNumber: 301,
    associatedParty: [{ Name1: 'Ada', NAME3: 'Moreno', OtherSourceOfFunds: 'Lottery' }],
    todBenes: [{ firstName: 'Luis', taxIdNumber: '219099998' }],
    retirementBeneficiaries: [],
  })
  assert.deepEqual(rejections, [])
  assert.deepEqual(value, {
    accountNumber: 'ABCD1234',
    entityNumber: '301',
    associatedParties: [{ firstName: 'ADA', lastName: 'MORENO', otherSourceOfFund: 'LOTTERY' }],
    transferOfDeathBeneficiaries: [{ name1: 'LUIS', taxId: '219099998' }],
    retirementBenes: [],
  })
  for (const name of ['get-account', 'account-number'] as const) {
    const read = readRequest(operations[name].request, { subNumber: '301' })
    assert.equal((read.value as { entityNumber?: string }).entityNumber, '301', name)
  }
})

test('a property that occurs twice, also in two spellings, is rejected, and neither value is read', () => {
  const { value, rejections, refusedPaths } = readRequest(updateAccount, {
    accountNumber: '30100001',
    primaryOwner: { firstName: 'Ada', FIRSTNAME: 'Eva', name3: 'Moreno', lastName: 'Haddad', NAME3: 'Third' },
  })
  assert.deepEqual(
    [...new Set(codesOf(rejections))],
    ['ERR.1014 primaryOwner.firstName', 'ERR.1014 primaryOwner.lastName'],
  )
  assert.deepEqual(value, { accountNumber: '30100001', primaryOwner: {} })
  assert.ok(refusedPaths.has('primaryOwner.firstName'))
})

test('a part of a name in both of its names is read if they agree, or if one is empty', () => {
  function read(primaryOwner: object) {
    const { value, rejections } = readRequest(updateAccount, { accountNumber: '30100001', primaryOwner })
    return [(value as { primaryOwner: object }).primaryOwner, codesOf(rejections)]
  }
  const twice = ['ERR.1014 primaryOwner.suffix']
  const cases: [object, object, string[]][] = [
    [{ suffix: '', name4: '' }, { suffix: '' }, []],
    [{ suffix: 'Jr', name4: ' jr' }, { suffix: 'JR' }, []],
    [{ name4: 'Jr', suffix: '' }, { suffix: 'JR' }, []],
    [{ name4: null, suffix: 'Jr' }, { suffix: 'JR' }, []],
    [
      { Name1: 'Ada', firstname: 'ADA', name2: '', middleName: 'M' },
      { firstName: 'ADA', middleName: 'M' },
      [],
    ],
    [{ suffix: 'Jr', name4: 'Sr' }, {}, twice],
    [{ suffix: 'Jr', SUFFIX: 'Jr' }, {}, twice],
    [{ suffix: '', SUFFIX: '', name4: 'Jr' }, {}, twice],
    [{ suffix: 'J*', name4: 'Jr' }, {}, ['ERR.1016 primaryOwner.suffix']],
    [{ suffix: 'Jr', name4: 'J*' }, {}, ['ERR.1016 primaryOwner.suffix']],
  ]
  for (const [given, value, codes] of cases) {
    const [found, rejections] = read(given)
    assert.deepEqual([found, [...new Set(rejections as string[])]], [value, codes], JSON.stringify(given))
  }
})

test('a duplicate key of the text is rejected at its canonical path', () => {
  const parsed = parseJson(
    '{"ACCOUNTNUMBER":"30100001","associatedParty":[{},{"Employer":{"NAME":"a","\\u004eAME":"b"}}],"subNumber":1,"subNumber":2}',
  )
  assert.ok('json' in parsed)
  const { value, rejections } = readRequest(updateAccount, parsed.json, { duplicates: parsed.duplicates })
  assert.deepEqual(codesOf(rejections), [
    'ERR.1014 associatedParties[1].employer.employerName',
    'ERR.1014 entityNumber',
  ])
  assert.deepEqual(value, { accountNumber: '30100001', associatedParties: [{}, { employer: {} }] })
})

test('a duplicate key is rejected even if no object was read at its path', () => {
  const texts: [string, string[]][] = [
    ['{"nonsense":{"a":1,"a":2}}', ['ERR.2001 nonsense', 'ERR.1014 nonsense.a']],
    ['{"types":["*",{"a":1,"a":2}]}', ['ERR.2002 types[1]', 'ERR.1014 types[1].a']],
    ['{"types":{"a":1,"a":2}}', ['ERR.2002 types', 'ERR.1014 types.a']],
  ]
  for (const [text, expected] of texts) {
    const parsed = parseJson(text)
    assert.ok('json' in parsed)
    const { request } = operations['create-webhook']
    const { rejections } = readRequest(request, parsed.json, { duplicates: parsed.duplicates })
    const found = codesOf(rejections).filter((one) => one.includes(' types') || one.includes(' nonsense'))
    assert.deepEqual(found, expected)
  }
})

test('an unknown property is rejected under the name that the caller used, with a suggested name', () => {
  const { rejections } = readRequest(newAccount, { ...newAccountExample, PrimryOwner: {}, nonsense: 1 })
  assert.deepEqual(codesOf(rejections), ['ERR.2001 PrimryOwner', 'ERR.2001 nonsense'])
  assert.match(rejections[0]?.reason ?? '', /Did you mean primaryOwner\?/)
  assert.doesNotMatch(rejections[1]?.reason ?? '', /Did you mean/)
})

test('a value of a record that only responses have is not taken for a misspelt name', () => {
  for (const name of ['accountName', 'AccountStatus', 'mailingAddressString']) {
    const { rejections } = readRequest(newAccount, { ...newAccountExample, [name]: 'ADA MORENO' })
    const reason = 'The operation has no such field. Only responses have it: leave it out.'
    assert.deepEqual(rejections, [{ code: 'ERR.2001', field: name, reason }])
  }
})

test('an unknown name is truncated to 100 characters, and only the first twenty errors suggest a name', () => {
  const fieldOf = (length: number) =>
    readRequest(newAccount, { ...newAccountExample, ['x'.repeat(length)]: 1 }).rejections[0]?.field
  assert.equal(fieldOf(100), 'x'.repeat(100))
  assert.equal(fieldOf(101), `${'x'.repeat(100)}…`)
  const misspelt = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`primryOwner${index}`, 1]))
  const hinted = readRequest(newAccount, { ...newAccountExample, ...misspelt }).rejections.map(({ reason }) =>
    /Did you mean/.test(reason),
  )
  assert.deepEqual([hinted.indexOf(false), hinted.length], [20, 22])
  const [unknown] = readRequest(newAccount, { ...newAccountExample, nonsense: 1 }).rejections
  assert.equal(unknown?.reason, 'The operation has no such field.')
})

test('an unknown name shows the characters in it that cannot be seen', () => {
  for (const [spelled, field] of [
    ['accountNumber\u200b', 'accountNumber\\u200b'],
    ['\u202eyteic', '\\u202eyteic'],
    ['a\r\nb\u001b[31m', 'a\\u000d\\u000ab\\u001b[31m'],
    ['\ud800\u2028\u2800', '\\ud800\\u2028\\u2800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['città', 'città'],
  ] as const) {
    const { rejections } = readRequest(newAccount, { ...newAccountExample, [spelled]: 1 })
    assert.equal(rejections[0]?.field, field)
    if (spelled.startsWith('account'))
      assert.match(rejections[0]?.reason ?? '', /Did you mean accountNumber\?/)
  }
})

test('an undefined property counts as absent, whether or not it is known', () => {
  const { value, rejections } = readRequest(block({ note: optional(words(5)) }), {
    note: undefined,
    nonsense: undefined,
  })
  assert.deepEqual([value, rejections], [{}, []])
})

test('names of members of JavaScript objects are unknown names', () => {
  const given = JSON.parse(
    '{"accountNumber":"30100001","__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"toString":1,"main":{"__proto__":{"repCode":"JC01"}}}',
  )
  const { value, rejections } = readRequest(updateAccount, given)
  assert.deepEqual(codesOf(rejections), [
    'ERR.2001 __proto__',
    'ERR.2001 constructor',
    'ERR.2001 toString',
    'ERR.2001 main.__proto__',
  ])
  assert.deepEqual(value, { accountNumber: '30100001', main: {} })
  assert.equal(({} as { x?: number }).x, undefined)
})

test('letters beyond ASCII do not match letters of a name', () => {
  const { rejections } = readRequest(block({ link: optional(words(5)) }), { lin\u212a: 'x' })
  assert.deepEqual(codesOf(rejections), ['ERR.2001 lin\u212a'])
})

test('a required field is rejected when absent, null or empty; an optional field that is null or empty is absent', () => {
  const schema = block({ lastName: name(), items: list(words(5)), note: optional(words(5)) })
  const due = ['ERR.1000 lastName', 'ERR.1000 items']
  assert.deepEqual(codesOf(readRequest(schema, {}).rejections), due)
  assert.deepEqual(codesOf(readRequest(schema, { lastName: null, items: null }).rejections), due)
  assert.deepEqual(codesOf(readRequest(schema, { lastName: '  ', items: [] }).rejections), due)
  assert.equal(readRequest(schema, {}).rejections[0]?.reason, 'Last name is required.')
  const empty = readRequest(schema, { lastName: 'x', items: ['a'], note: '' })
  assert.deepEqual(empty.value, { lastName: 'X', items: ['a'], note: '' })
  assert.ok(!('note' in readRequest(schema, { lastName: 'x', items: ['a'], note: null }).value))
})

test('null counts as absent, and so does an empty text in a field with a required form', () => {
  const schema = block({ on: optional(date()), cursor: optional(Type.String({ pattern: '^c' })) })
  for (const given of [null, ''])
    assert.deepEqual(readRequest(schema, { on: given, cursor: given }).value, {})
})

test('an operation that distinguishes a deletion from an absent value gets null and empty texts, at every depth', () => {
  const schema = block({ party: optional(block({ on: optional(date()) })) }, { blanks: 'kept' })
  for (const on of [null, ''])
    assert.deepEqual(readRequest(schema, { party: { on } }).value, { party: { on } })
  assert.deepEqual(readRequest(schema, { party: null }).value, { party: null })
})

test('all errors are reported at once, each at its path', () => {
  const { rejections } = readRequest(newAccount, {
    registrationType: 'Solo',
    entityNumber: '3O1',
    main: [],
    primaryOwner: { birthDate: '2023-02-29', legalAddress: { City: 5 } },
    associatedParties: [{}, 'x', { PHONENUMBERCELL: '12' }],
    electronicDelivery: { statements: 'maybe' },
  })
  assert.deepEqual(codesOf(rejections).sort(), [
    'ERR.1000 mailingAddress',
    'ERR.1001 entityNumber',
    'ERR.1011 associatedParties[2].phoneNumberCell',
    'ERR.1012 primaryOwner.birthDate',
    'ERR.1015 electronicDelivery.statements',
    'ERR.1015 registrationType',
    'ERR.2002 associatedParties[1]',
    'ERR.2002 main',
    'ERR.2002 primaryOwner.legalAddress.city',
  ])
})

test('a rejected item of a list keeps its position, so that the other items keep their paths', () => {
  const { value } = readRequest(updateAccount, {
    accountNumber: '30100001',
    associatedParties: [5, { firstName: 'a' }],
  })
  assert.deepEqual(value.associatedParties, [null, { firstName: 'A' }])
})

test('the lines of an entity’s name accept the characters of company names', () => {
  const schema = block({
    nameType: optional(code('nameType')),
    firstName: optional(name()),
    lastName: optional(name()),
  })
  const company = { firstName: '3M & Sons (US) + Co', lastName: 'C/O 2nd floor' }
  assert.deepEqual(readRequest(schema, { ...company, nametype: 'ENTITY' }).rejections, [])
  const refused = ['ERR.1016 firstName', 'ERR.1016 lastName']
  for (const [firstName, lastName] of [
    ['<3M', '3M<'],
    ['-', '&'],
  ])
    assert.deepEqual(
      codesOf(readRequest(schema, { firstName, lastName, nameType: 'Entity' }).rejections),
      refused,
    )
  assert.deepEqual(codesOf(readRequest(schema, { ...company, nameType: 'Individual' }).rejections), refused)
  assert.deepEqual(codesOf(readRequest(schema, company).rejections), refused)
})

test('a request that is not an object is rejected as a whole', () => {
  for (const json of [null, [], 'x', 1, true]) {
    const { value, rejections } = readRequest(newAccount, json)
    assert.deepEqual(value, {})
    assert.deepEqual(codesOf(rejections), ['ERR.2002 '])
  }
})

test('the number of rejections is limited', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`unknown${index}`, 1]))
  assert.equal(readRequest(newAccount, many).rejections.length, limits.rejectionsMax)
})

test('the values of a form are read as the numbers and booleans of the schema', () => {
  const schema = block({
    page: optional(Type.Integer({ minimum: 1 })),
    all: optional(Type.Boolean()),
    name: optional(words(5)),
  })
  assert.deepEqual(readRequest(schema, { PAGE: '2', all: 'TRUE', name: '7' }, { fromText: true }).value, {
    page: 2,
    all: true,
    name: '7',
  })
  assert.deepEqual(readRequest(schema, { page: '123456789012345', all: 'FALSE' }, { fromText: true }).value, {
    page: 123_456_789_012_345,
    all: false,
  })
  for (const [page, all] of [
    ['2x', 'yes'],
    ['x2', 'untrue'],
    ['2.5', 'truest'],
    ['1234567890123456', 'unfalse'],
    ['0x10', 'falsehood'],
  ])
    assert.deepEqual(codesOf(readRequest(schema, { page, all }, { fromText: true }).rejections), [
      'ERR.2002 page',
      'ERR.2002 all',
    ])
  assert.deepEqual(codesOf(readRequest(schema, { page: '-1' }, { fromText: true }).rejections), [
    'ERR.1015 page',
  ])
})

test('the default of the schema replaces an absent value', () => {
  const schema = block({ size: optional(Type.Integer({ default: 25 })) })
  assert.deepEqual(readRequest(schema, {}).value, { size: 25 })
})

test('a tax id that is sent as the name of an unknown or duplicate field is not returned', () => {
  for (const name of ['219099998', 'ssn 219-09-9998', 'x219 09 9998y']) {
    const unknown = readRequest(operations['get-account'].request, { [name]: 'a' })
    assert.ok(!/\d{3}[- ]?\d{2}[- ]?\d{4}/.test(JSON.stringify(unknown.rejections)), name)
    assert.match(unknown.rejections[0]?.field ?? '', /\[redacted\]/)
    const twice = readRequest(operations['get-account'].request, {}, { duplicates: [[name], [name, 'a']] })
    assert.ok(!/\d{3}[- ]?\d{2}[- ]?\d{4}/.test(JSON.stringify(twice.rejections)), name)
  }
})

test('a long name that the operation does not have is shortened, also in the path of a duplicate', () => {
  const name = 'x'.repeat(5_000)
  const settings = { duplicates: [[name], [name, 'a']] }
  const { rejections } = readRequest(operations['get-account'].request, { [name]: { a: 1 } }, settings)
  const shown = `${'x'.repeat(100)}…`
  assert.deepEqual(
    rejections.map(({ field }) => field),
    [shown, 'accountNumber', shown, `${shown}.a`],
  )
  for (const { reason } of rejections) assert.ok(reason.length < 200, reason)
})
