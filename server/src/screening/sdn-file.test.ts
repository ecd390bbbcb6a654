import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@clearing/protocol'
import fc from 'fast-check'
import { parseCountry } from './country-names.ts'
import { LINE_BYTES_MAX, readLines } from './read-lines.ts'
import { parseSdnFiles } from './sdn-file.ts'
import type { SdnProblem } from './sdn-records.ts'
import { parseListedBirthDate, parseSdnRemarks } from './sdn-remarks.ts'
import { readFictitiousList } from './test-fictitious-list.ts'

function nulls(count: number) {
  return Array(count).fill('-0- ').join(',')
}
function person(id: number, name: string, remarks = '-0- ') {
  return `${id},"${name}","individual","TEST",${nulls(7)},${remarks}`
}

function places(problems: SdnProblem[]) {
  return problems.map(({ file, line, kept }) => [file, line, kept])
}

test('the parser reads a record of each kind in the exact layout of the public files', async () => {
  const sdn = [
    `36,"AEROFICTA AIRLINES",-0- ,"TEST",${nulls(8)}`,
    person(
      2674,
      'ABBOTTO, Abu',
      '"DOB 10 Dec 1948; alt. DOB 1950; POB Nowhere, Syria; nationality Syria; Passport X123456 (Syria) expires 2030; a.k.a. \'THE ABBOT\'."',
    ),
    '4238,"MAR DE INVENTO","vessel","TEST] [OTHER",-0- ,"CL2192","Tug",-0- ,"212","Cuba","Invento de Navegacion S.A.",-0-',
    `20540,"P-999","aircraft","TEST",${nulls(7)},"Aircraft Model AN24"`,
  ].join('\r\n')
  const alt = '2674,1,"aka","ABOTO, Aboo",-0- \r\n36,2,"fka","FICTA AIR",-0- \r\n'
  const add = '36,25,"Calle 1, No. 2","Havana","Cuba",-0- \r\n2674,26,-0- ,-0- ,-0- ,-0- \r\n'
  const { entries, problems } = await parseSdnFiles({ sdn: [`${sdn}\r\n\x1a`], alt: [alt], add: [add] })
  assert.deepEqual(problems, [])
  assert.deepEqual(
    entries.map(({ entryId, kind, programs }) => [entryId, kind, programs]),
    [
      ['36', 'entity', ['TEST']],
      ['2674', 'person', ['TEST']],
      ['4238', 'vessel', ['TEST', 'OTHER']],
      ['20540', 'aircraft', ['TEST']],
    ],
  )
  const [airline, abbot, ship] = entries
  assert.deepEqual(airline?.addresses, [{ street: 'Calle 1, No. 2', city: 'Havana', country: 'CU' }])
  assert.deepEqual(airline?.remarks, null)
  assert.deepEqual(abbot?.names, [
    { text: 'ABBOTTO, Abu', type: 'primary', strength: 'strong' },
    { text: 'ABOTO, Aboo', type: 'aka', strength: 'strong' },
    { text: 'THE ABBOT', type: 'aka', strength: 'weak' },
  ])
  assert.deepEqual(
    abbot?.birthDates.map(({ earliest, latest }) => [earliest, latest]),
    [
      ['1948-12-10', '1948-12-10'],
      ['1950-01-01', '1950-12-31'],
    ],
  )
  assert.deepEqual(abbot?.countries, [
    { country: 'SY', basis: 'birthplace' },
    { country: 'SY', basis: 'nationality' },
  ])
  assert.deepEqual(abbot?.idNumbers, [{ kind: 'Passport', number: 'X123456', country: 'SY' }])
  assert.deepEqual(ship?.countries, [{ country: 'CU', basis: 'flag' }])
})

const forms: [string, string, string, boolean][] = [
  ['12 Aug 1968', '1968-08-12', '1968-08-12', false],
  ['3 March 1979', '1979-03-03', '1979-03-03', false],
  ['Aug 1968', '1968-08-01', '1968-08-31', false],
  ['Feb 1972', '1972-02-01', '1972-02-29', false],
  ['1965', '1965-01-01', '1965-12-31', false],
  ['circa 1965', '1965-01-01', '1965-12-31', true],
  ['circa 12 Aug 1968', '1968-08-12', '1968-08-12', true],
  ['1958 to 1962', '1958-01-01', '1962-12-31', false],
  ['1958-1962', '1958-01-01', '1962-12-31', false],
  ['circa 1958 to circa 1962', '1958-01-01', '1962-12-31', true],
  ['between 1984 and 1986', '1984-01-01', '1986-12-31', false],
  ['01 Jan 1960 to 31 Dec 1961', '1960-01-01', '1961-12-31', false],
  ['1960s', '1960-01-01', '1969-12-31', false],
]

for (const [text, earliest, latest, circa] of forms) {
  test(`the birth date "${text}" is read`, () => {
    assert.deepEqual(parseListedBirthDate(text), { earliest, latest, circa, text })
  })
}

for (const text of ['', 'unknown', '31 Feb 1960', '12 Foo 1960', '1962 to 1958', '12/08/1968', '12 1968']) {
  test(`the birth date "${text}" is not guessed`, () => assert.equal(parseListedBirthDate(text), null))
}

const ids: [string, string, string, string | null][] = [
  ['Passport P0017003 (Belize)', 'Passport', 'P0017003', 'BZ'],
  ['alt. Passport 2006801524 (Russia) issued 2010', 'Passport', '2006801524', 'RU'],
  ['SSN 123-45-6789 (United States)', 'SSN', '123-45-6789', 'US'],
  ['Tax ID No. 52-2083095 (United States)', 'TaxId', '52-2083095', 'US'],
  ['NIT # 9001387615 (Colombia)', 'TaxId', '9001387615', 'CO'],
  ['National ID No. 10100722073 (Iran)', 'NationalId', '10100722073', 'IR'],
  ['Cedula No. 71980054 (Colombia)', 'NationalId', '71980054', 'CO'],
  ['C.U.R.P. FOBS720806HTSLRM05 (Mexico)', 'NationalId', 'FOBS720806HTSLRM05', 'MX'],
  ["Driver's License No. 1-1-22 (Guatemala) expires 2010", 'DriversLicense', '1-1-22', 'GT'],
  ['Business Registration Number 0582030 (Connecticut) (United States)', 'Registration', '0582030', 'US'],
  ['Vessel Registration Identification IMO 9263643', 'Vessel', '9263643', null],
  ['Passport 719032284', 'Passport', '719032284', null],
]

for (const [remark, kind, number, country] of ids) {
  test(`the document in "${remark}" is read`, () => {
    assert.deepEqual(parseSdnRemarks(`${remark}.`).idNumbers, [{ kind, number, country }])
  })
}

test('bad lines are reported by number, and good lines are kept', async () => {
  const sdn = [
    person(1, 'ONE, Good'),
    '2,"TOO FEW","individual"',
    person(3, 'THREE, Good'),
    `four,"NOT A NUMBER",${nulls(10)}`,
    `5,-0- ,${nulls(10)}`,
    person(1, 'ONE, Again'),
    person(7, 'SEVEN, Good', '"DOB some time ago"'),
    `8,"ODD KIND","submarine","TEST",${nulls(8)}`,
    'no comma at all',
  ].join('\n')
  const { entries, problems, received } = await parseSdnFiles({
    sdn: [sdn],
    alt: ['99,1,"aka","NOBODY",-0- \n1,2,"aka",-0- ,-0- \n'],
    add: ['1,2,"three fields"\n'],
  })
  assert.deepEqual(
    entries.map(({ entryId }) => entryId),
    ['1', '3', '7', '8'],
  )
  assert.deepEqual(places(problems), [
    ['sdn', 2, false],
    ['sdn', 4, false],
    ['sdn', 5, false],
    ['sdn', 6, false],
    ['sdn', 8, true],
    ['sdn', 9, false],
    ['alt', 1, false],
    ['alt', 2, false],
    ['add', 1, false],
    ['sdn', 7, true],
  ])
  assert.deepEqual(received, { sdn: 9, alt: 2, add: 1, comments: 0 })
  assert.match(problems[0]?.reason ?? '', /3 fields instead of 12/)
})

test('an unclosed quote affects only its own line', async () => {
  const lines = [
    person(1, 'ONE, Good'),
    `2,"OPEN ENDED,${nulls(10)}`,
    person(3, 'THREE, Good'),
    person(4, 'FOUR'),
  ]
  const { entries, problems } = await parseSdnFiles({ sdn: [lines.join('\n')] })
  assert.deepEqual(
    entries.map(({ entryId }) => entryId),
    ['1', '3', '4'],
  )
  assert.deepEqual(places(problems), [['sdn', 2, false]])
})

test('quotes may be doubled or unescaped, or may contain commas and line ends', async () => {
  const sdn = [
    `1,"THE ""RED"" COMPANY, LTD.",${nulls(10)}`,
    `2,"THE "BLUE" COMPANY",${nulls(10)}`,
    `3,"TWO\nLINES",${nulls(10)}`,
    `4,"SPACED" ,${nulls(10)}`,
    `5,BARE,${nulls(10)}`,
  ].join('\n')
  const { entries, problems } = await parseSdnFiles({ sdn: [sdn] })
  assert.deepEqual(problems, [])
  assert.deepEqual(
    entries.map(({ names }) => names[0]?.text),
    ['THE "RED" COMPANY, LTD.', 'THE "BLUE" COMPANY', 'TWO LINES', 'SPACED', 'BARE'],
  )
})

test('remarks may be cut off between two words', async () => {
  const after = person(1, 'LONG, Story', '"Linked to: X; DOB "')
  const before = person(2, 'LONG, Tale', '"Linked to: X; DOB"')
  const comments = ['1,"03 Feb 1971."\n2," 03 Feb 1971."\n']
  const { entries } = await parseSdnFiles({ sdn: [`${after}\n${before}\n`], comments })
  for (const { birthDates, remarks } of entries) {
    assert.deepEqual([birthDates[0]?.earliest, remarks], ['1971-02-03', 'Linked to: X; DOB 03 Feb 1971.'])
  }
})

test('the overflow file completes remarks that were cut off', async () => {
  const cut = person(1, 'LONG, Story', '"DOB 1960; Passport AB123"')
  const { entries } = await parseSdnFiles({ sdn: [cut], comments: ['1,"456 (Syria); nationality Syria."'] })
  assert.deepEqual(entries[0]?.idNumbers, [{ kind: 'Passport', number: 'AB123456', country: 'SY' }])
})

test('the version depends on the contents of the list, not on the order of its records', async () => {
  const [one, two] = [person(1, 'ONE, Uno'), person(2, 'TWO, Duo')]
  const read = (lines: string[]) => parseSdnFiles({ sdn: [lines.join('\n')] })
  const first = await read([one, two])
  const again = await read([two, one])
  const changed = await read([one, person(2, 'TWO, Duo', '"DOB 1960"')])
  assert.equal(first.listVersion, again.listVersion)
  assert.notEqual(first.listVersion, changed.listVersion)
  assert.equal(first.entries[0]?.entryVersion, changed.entries[0]?.entryVersion)
  assert.notEqual(first.entries[1]?.entryVersion, changed.entries[1]?.entryVersion)
})

test('the same bytes give the same entries, however they are divided into chunks', async () => {
  const bytes = Buffer.from(`${person(1, 'MÜNCHHAUSEN, Jörg')}\r\n${person(2, 'TWO, Duo')}\r\n\x1a`)
  const whole = await parseSdnFiles({ sdn: [bytes] })
  assert.equal(whole.entries.length, 2)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 6 }),
      async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
        assert.deepEqual(await parseSdnFiles({ sdn: pieces }), whole)
      },
    ),
    { numRuns: 60 },
  )
})

test('any bytes are read without a fault, and each line is counted', async () => {
  const text = fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '1', 'a', '-0-', '\x1a', 'é', '\ud800'),
  })
  await fc.assert(
    fc.asyncProperty(text, async (sdn) => {
      const { entries, problems } = await parseSdnFiles({ sdn: [sdn], alt: [sdn] })
      assert.ok(entries.length + problems.length <= 2 * (sdn.split(/\r|\n/).length + 1))
    }),
    { numRuns: 300 },
  )
})

test('lines end with CR, LF or CRLF, and a byte order mark at the start and a Ctrl-Z at the end are removed', async () => {
  const lines: string[] = []
  for await (const { text } of readLines([Buffer.from('\ufeffone\rtwo\r\nthree\n\nfive\x1a')]))
    lines.push(text)
  assert.deepEqual(lines, ['one', 'two', 'three', '', 'five'])
})

test('bytes that are not UTF-8 are read as Latin-1', async () => {
  for await (const { text } of readLines([Buffer.from([0x4a, 0xf6, 0x72, 0x67])])) assert.equal(text, 'Jörg')
})

test('a line without an end is reported and not held in memory', async () => {
  const long = 'x'.repeat(LINE_BYTES_MAX + 1)
  const { entries, problems } = await parseSdnFiles({ sdn: [long, `\n${person(2, 'TWO, Duo')}`] })
  assert.deepEqual(places(problems), [['sdn', 1, false]])
  assert.equal(entries.length, 1)
})

test('rejected records are counted by file, and as many as the limit are listed of each file', async () => {
  const most = limits.loadRejectsMax
  const dated = Array.from({ length: most + 1 }, (_, at) => person(at + 1, 'ONE, Uno', '"DOB once."'))
  const { problems, received, rejected } = await parseSdnFiles({
    sdn: [`${dated.join('\n')}\n`, 'x\n'.repeat(most + 5)],
    alt: ['x\n'.repeat(most)],
    add: [`1000000,1,${nulls(4)}`],
  })
  assert.deepEqual(received, { sdn: 2 * most + 6, alt: most, add: 1, comments: 0 })
  assert.deepEqual(rejected, { sdn: most + 5, alt: most, add: 1, comments: 0 })
  const listed = Map.groupBy(problems, ({ file, kept }) => `${file} ${kept}`)
  assert.deepEqual(
    [...listed].map(([of, { length }]) => [of, length]),
    [
      ['sdn false', most],
      ['alt false', most],
      ['add false', 1],
      ['sdn true', most],
    ],
  )
})

const countryNames: [string, string | null][] = [
  ['Russia', 'RU'],
  ['Korea, North', 'KP'],
  ['Congo, Democratic Republic of the', 'CD'],
  ["Cote d'Ivoire", 'CI'],
  ['Burma', 'MM'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Saint Kitts and Nevis', 'KN'],
  ['United States', 'US'],
  ['GB', 'GB'],
  ['Atlantis', null],
  ['SU', null],
]

for (const [name, code] of countryNames) {
  test(`the country "${name}" is ${code}`, () => assert.equal(parseCountry(name), code))
}

test('the fictitious list is read without a problem', async () => {
  const { entries, problems, listVersion } = await readFictitiousList()
  assert.deepEqual(problems, [])
  assert.equal(entries.length, 25)
  assert.match(listVersion, /^FICTITIOUS:[0-9a-f]{16}$/)
})
