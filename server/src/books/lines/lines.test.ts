// Bodies of loads: the lines do not depend on the chunks in which they arrive, every wrong line is reported by its
// number, and no digit is lost.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { decimal, renderDecimal } from '@clearing/domain/decimal'
import { limits } from '@clearing/protocol'
import fc from 'fast-check'
import { bodyOf } from '../testing/books-database.ts'
import { readCsv } from './csv.ts'
import { readNdjson } from './ndjson.ts'
import type { RawLine, RawLines } from './raw-line.ts'
import { LineReader } from './read-line.ts'
import { activityShape, locationPositionShape, priceShape } from './shapes.ts'

setFlagsFromString('--expose-gc')

async function all(lines: RawLines): Promise<RawLine[]> {
  const found: RawLine[] = []
  for await (const part of lines) found.push(...part)
  return found
}

function describeLine(line: RawLine): string {
  return 'rejection' in line
    ? `${line.line} ${line.rejection.code}`
    : `${line.line} ${JSON.stringify(line.members)}`
}

const long = 'y'.repeat(limits.loadLineSizeBytesMax + 1)

describe('NDJSON', () => {
  const body = Buffer.concat([
    Buffer.from('\ufeff{"a":1}\r\n\n{"a":"é"}\n'),
    Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
    Buffer.from(`[1]\n{"a":1,"a":2}\n{"x":"${long}"}\n{"b":true}\n{"c":`),
  ])
  const due = [
    '1 {"a":1}',
    '3 {"a":"é"}',
    '4 ERR.1016',
    '5 ERR.2004',
    '6 ERR.1014',
    '7 ERR.1010',
    '8 {"b":true}',
    '9 ERR.2004',
  ]

  test('is read line by line from chunks of any size, and each wrong line is reported by its number', async () => {
    for (const size of [1, 2, 3, 7, 1_000, 65_536, 1_000_000]) {
      assert.deepEqual(
        (await all(readNdjson(bodyOf(body, size)))).map(describeLine),
        due,
        `pieces of ${size}`,
      )
    }
  })

  test('gives the same lines for chunks of any size', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean())
    const lines = fc.array(fc.dictionary(fc.string(), value, { maxKeys: 4 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 50 }), async (objects, size) => {
        const text = objects.map((object) => JSON.stringify(object)).join('\n')
        const read = await all(readNdjson(bodyOf(text, size)))
        assert.deepEqual(
          read.map((line) => ('members' in line ? { ...line.members } : line)),
          objects.map((object) => ({ ...object })),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('a last line that is cut off is reported as such', async () => {
    const [line] = await all(readNdjson(bodyOf('{"a": 1')))
    assert.ok(line && 'rejection' in line)
    assert.match(line.rejection.reason, /cut off/)
  })
})

test('of lines that end with CR, only the last one can be cut off', async () => {
  const reasons = async (text: string) =>
    (await all(readNdjson(bodyOf(text)))).map((line) => ('rejection' in line ? line.rejection.reason : ''))
  const notJson = 'The line is not valid JSON.'
  const [cutOff = ''] = await reasons('{"a":')
  assert.deepEqual(await reasons('{"a":1}\r{"a":\r{"a":1}'), ['', notJson, ''])
  assert.deepEqual(await reasons('{"a":1}\r{"a":\r{"a":'), ['', notJson, cutOff])
  assert.deepEqual(await reasons('{"a":1}\r{"a":\r'), ['', notJson])
})

describe('CSV', () => {
  test('has the names in the first line, one record per line, and empty cells for absent fields', async () => {
    const text = `\ufeffa,B,c\r\n1,,"x,""y"""\r\n\n1,2\n"bad"q,1,2\n5,6,7\n${long},1,2\n8,9,10\n1,"open`
    const due = [
      '2 {"a":"1","c":"x,\\"y\\""}',
      '4 ERR.2004',
      '5 ERR.2004',
      '6 {"a":"5","B":"6","c":"7"}',
      '7 ERR.1010',
      '8 {"a":"8","B":"9","c":"10"}',
      '9 ERR.2004',
    ]
    for (const size of [1, 5, 1_000_000]) {
      assert.deepEqual((await all(readCsv(bodyOf(text, size)))).map(describeLine), due, `pieces of ${size}`)
    }
  })

  test('rejects a name that occurs twice with a value in both columns', async () => {
    const lines = await all(readCsv(bodyOf('a,a\n1,\n1,2\n')))
    assert.deepEqual(lines.map(describeLine), ['2 {"a":"1"}', '3 ERR.1014'])
  })

  test('a line with another number of fields is reported with both numbers', async () => {
    const lines = await all(readCsv(bodyOf('a,b\n1\n1,2,3\n')))
    const reasons = lines.map((line) => ('rejection' in line ? line.rejection.reason : ''))
    assert.deepEqual(reasons, [
      'The line has 1 field; the first line names 2.',
      'The line has 3 fields; the first line names 2.',
    ])
  })

  test('a last line with too few fields is reported as cut off', async () => {
    const [line] = await all(readCsv(bodyOf('a,b\n1')))
    assert.ok(line && 'rejection' in line)
    assert.match(line.rejection.reason, /cut off/)
  })
})

describe('line ends of old systems', () => {
  const each = async (read: typeof readCsv, text: string) => {
    const pieces: string[][] = []
    for (const size of [1, 3, 1_000_000]) pieces.push((await all(read(bodyOf(text, size)))).map(describeLine))
    assert.deepEqual(pieces[1], pieces[0])
    assert.deepEqual(pieces[2], pieces[0])
    return pieces[0]
  }

  test('a CR alone ends a line, and a last line that is cut off is reported as such', async () => {
    assert.deepEqual(await each(readNdjson, '{"a":1}\r{"b":2}\r'), ['1 {"a":1}', '2 {"b":2}'])
    assert.deepEqual(await each(readCsv, 'a,b\r1,2\r3,4\r'), ['2 {"a":"1","b":"2"}', '3 {"a":"3","b":"4"}'])
    assert.deepEqual(await each(readNdjson, '{"a":1}\r\r\n{"b":2}\r\n{"c":'), [
      '1 {"a":1}',
      '3 {"b":2}',
      '4 ERR.2004',
    ])
  })
})

describe('a CSV whose first line has no names', () => {
  for (const [what, text] of [
    ['has values instead of names', 'C1,30100001,Deposit,1.00\nC2,30100001,Deposit,1.00\n'],
    ['has another separator', 'externalId;acctNo\nC1;30100001\n'],
    ['has an unclosed quote', 'externalId,"acctNo\nC1,30100001\n'],
  ] as const) {
    test(`is rejected at its first line if it ${what}`, async () => {
      const [first, ...rest] = await all(readCsv(bodyOf(text)))
      assert.ok(first && 'rejection' in first)
      assert.deepEqual([first.line, first.rejection.code, rest], [1, 'ERR.2004', []])
    })
  }

  test('a first line that ends with a comma has a column without a name', async () => {
    const lines = await all(readCsv(bodyOf('a,b,\n1,2,\n3,4,5\n')))
    assert.deepEqual(lines.map(describeLine), ['2 {"a":"1","b":"2"}', '3 {"a":"3","b":"4","":"5"}'])
  })
})

describe('numbers', () => {
  const reader = new LineReader(priceShape)

  test('a number in JSON keeps every digit', async () => {
    const digits = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 8n - 1n }))
      .map(([whole, part]) => `${whole}.${String(part).padStart(8, '0')}`)
    await fc.assert(
      fc.asyncProperty(digits, async (text) => {
        const [line] = await all(readNdjson(bodyOf(`{"price": ${text}}\n`)))
        assert.ok(line && 'members' in line)
        const reading = reader.read(line.members)
        assert.ok('values' in reading)
        assert.equal(reading.values.price?.value, decimal(text))
      }),
      { numRuns: 2_000 },
    )
  })

  const table: [text: string, due: string][] = [
    ['1e2', '100'],
    ['"12.50"', '12.5'],
    ['0.00000001', '0.00000001'],
    ['-0', '0'],
    ['1e-9', 'ERR.1015'],
    ['1e-400', 'ERR.1015'],
    ['1e400', 'ERR.1015'],
    ['0.123456789', 'ERR.1015'],
    ['1234567890123456789', 'ERR.1015'],
    ['"NaN"', 'ERR.1016'],
    ['"Infinity"', 'ERR.1016'],
    ['"0x10"', 'ERR.1016'],
    ['"1,000"', 'ERR.1016'],
    ['"+1"', 'ERR.1016'],
    ['true', 'ERR.2002'],
    ['[1]', 'ERR.2002'],
    ['-1', 'ERR.1015'],
  ]
  for (const [text, due] of table) {
    test(`the number ${text} is read as ${due}`, async () => {
      const [line] = await all(readNdjson(bodyOf(`{"price": ${text}}`)))
      assert.ok(line && 'members' in line)
      const reading = reader.read(line.members)
      const found =
        'values' in reading
          ? renderDecimal(reading.values.price?.value ?? -1n)
          : reading.rejections.map(({ code }) => code).join()
      assert.equal(found, due)
    })
  }
})

describe('the time of a price', () => {
  const reader = new LineReader(priceShape)
  const table: [given: string, due: string][] = [
    ['2026-11-25T21:00:00Z', '2026-11-25T21:00:00.000Z'],
    ['2026-11-25 16:00:00.1234-05:00', '2026-11-25T21:00:00.123Z'],
    ['2026-11-25T16:00', '2026-11-25T16:00:00.000Z'],
    // A day alone: midnight in New York, in winter and in summer, and so never a time on the day before.
    ['2026-11-25', '2026-11-25T05:00:00.000Z'],
    ['2026-07-01', '2026-07-01T04:00:00.000Z'],
    ['2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['2026-02-29', 'ERR.1024'],
    ['2026-11-25T25:00Z', 'ERR.1024'],
  ]
  for (const [given, due] of table) {
    test(`${given} is read as ${due}`, async () => {
      const [line] = await all(readNdjson(bodyOf(`{"priceDate": "${given}"}`)))
      assert.ok(line && 'members' in line)
      const reading = reader.read(line.members)
      const found =
        'values' in reading ? reading.values.priceDate : reading.rejections.map(({ code }) => code).join()
      assert.equal(found, due)
    })
  }
})

describe('the fields of a line of activity', () => {
  const reader = new LineReader(activityShape)
  const codesOf = (members: Record<string, unknown>) => {
    const reading = reader.read(members)
    if ('values' in reading) return 'taken'
    return reading.rejections.map(({ code, field }) => `${code} ${field}`).join(', ')
  }
  const table: [why: string, members: Record<string, unknown>, due: string][] = [
    ['a name in any letter case', { EXTERNALID: 'A', AcctNo: '30100001' }, 'taken'],
    ['an unknown name', { colour: 'red' }, 'ERR.2001 colour'],
    ['a name twice in two spellings', { acctNo: '30100001', ACCTNO: '30100001' }, 'ERR.1014 acctNo'],
    ['a line without values', { note: null, description: '' }, 'taken'],
    ['text that is too long', { description: 'x'.repeat(25) }, 'ERR.1010 description'],
    ['a text of 24 characters beyond ASCII', { description: 'é'.repeat(24) }, 'taken'],
    ['a control character', { note: 'a\u0000b' }, 'ERR.1016 note'],
    ['an invisible character in an identifier', { symbol: 'TI\u200bDL' }, 'ERR.1016 symbol'],
    ['an invisible character in an id that a stored line may have', { tagNo: 'X\u200b' }, 'taken'],
    ['an id of nothing visible', { tagNo: '\u200b\u200b' }, 'ERR.1016 tagNo'],
    ['an id of a Hangul filler', { lotId: '\u3164' }, 'ERR.1016 lotId'],
    ['an id of a soft hyphen and a blank', { externalId: '\u00ad \u00ad' }, 'ERR.1016 externalId'],
    ['an id with an accent', { orderId: 'caf\u00e9' }, 'taken'],
    ['an invisible character in a text', { note: 'soft\u00adhyphen' }, 'taken'],
    ['an identifier in ten characters', { symbol: 'ßßßßß' }, 'taken'],
    ['an identifier that is longer in capital letters', { symbol: 'ßßßßßß' }, 'ERR.1010 symbol'],
    ['half a surrogate pair', { note: 'a\ud800' }, 'ERR.1016 note'],
    ['a number instead of text', { tagNo: 12 }, 'ERR.2002 tagNo'],
    ['an account type by number', { acctType: 2 }, 'taken'],
    ['an account type by name', { acctType: 'margin' }, 'taken'],
    ['an unknown account type', { acctType: '4' }, 'ERR.1015 acctType'],
    ['an unknown kind', { transType: 'Gift' }, 'ERR.1015 transType'],
    ['a day that does not exist', { tradeDate: '2026-02-30' }, 'ERR.1024 tradeDate'],
    ['a day in eight digits', { processDate: '20260130' }, 'taken'],
    ['a ratio', { ratio: '3:2' }, 'taken'],
    ['text that is not a ratio', { ratio: '3/2' }, 'ERR.1016 ratio'],
    [
      'a line with three errors',
      { price: '-1', acctType: '4', note: 7 },
      'ERR.1015 price, ERR.1015 acctType, ERR.2002 note',
    ],
  ]
  for (const [why, members, due] of table) {
    test(`${why} ${due === 'taken' ? 'is accepted' : `is rejected with ${due}`}`, () =>
      assert.equal(codesOf(members), due))
  }

  test('the report of an unknown name omits characters that could break the response', () => {
    assert.equal(codesOf({ 'a\nb': 1 }), 'ERR.2001 a\ufffdb')
  })

  test('the name of a location has no invisible character', () => {
    const locations = new LineReader(locationPositionShape)
    assert.ok('values' in locations.read({ location: 'Börse' }))
    for (const location of ['DTC\u200b', '\u3164', 'DTC\ufe0f'])
      assert.ok('rejections' in locations.read({ location }), location)
  })

  test('of the unknown names of a line, twenty are named, and one more rejection counts the rest', () => {
    const line = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
    const reported = (count: number) => {
      const reading = reader.read({ ...line(count), note: 7 })
      assert.ok('rejections' in reading)
      const note = reading.rejections.findIndex(({ field }) => field === 'note')
      return [reading.rejections.length, note, reading.rejections.at(-1)?.reason]
    }
    assert.deepEqual(reported(20), [21, 20, 'note must be a string.'])
    assert.deepEqual(reported(21), [22, 20, 'The line has 1 more field with an unknown name.'])
    assert.deepEqual(reported(5_520), [22, 20, 'The line has 5500 more fields with unknown names.'])
  })

  test('a field that is given in many spellings is reported once', () => {
    const spellings = ['note', 'Note', 'NOTE', 'nOte'].map((name) => [name, 'a'])
    assert.equal(codesOf(Object.fromEntries(spellings)), 'ERR.1014 note')
  })

  test('long texts in place of days are refused and not kept', () => {
    const collect = runInNewContext('gc') as () => void
    const heldAfter = (length: number) => {
      const padding = 'x'.repeat(length)
      for (let at = 0; at < 500; at += 1)
        assert.equal(codesOf({ tradeDate: Buffer.from(`${at}${padding}`).toString() }), 'ERR.1024 tradeDate')
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = heldAfter(1)
    const heldMb = (heldAfter(60_000) - before) / 1e6
    assert.ok(heldMb < 10, `${heldMb} MB`)
  })

  test('a day with blanks around it is read', () => {
    for (const tradeDate of [' 2026-01-30 ', '2026-01-30', '01/30/2026'])
      assert.deepEqual(reader.read({ tradeDate }), { values: { tradeDate: '2026-01-30' } })
  })
})
