/** Loads over HTTP: each invalid line is reported by its number and changes nothing; the valid lines are stored. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fullApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type HttpBody, type RunningService, startRunningService } from './running-service.ts'
import { loadSlowly } from './slow-load.ts'

let service: RunningService
let account: string
/** Runs beside the tests, because it mostly waits. */
let slowLoad: ReturnType<typeof loadSlowly>

before(async () => {
  service = await startRunningService()
  account = await openAndFollow(service.alpha, fullApplication())
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'HRBR', cusip: '037833100', description: 'HARBOR CORP', secTypeName: 'Common Stock' },
        { symbol: 'BOND', description: 'A BOND', priceDivisor: '100', couponRate: '5' },
      ],
    },
  })
  assert.equal(data.accepted, 2)
  const acctNo = await openAndFollow(service.alpha, fullApplication())
  slowLoad = loadSlowly(service, [deposit({ acctNo }), deposit({ acctNo })])
  slowLoad.catch(() => {})
})
after(() => service?.stop())

interface Answer {
  readonly loadId: string
  readonly received: number
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
  readonly rejects: { line: number; code: string; field: string; reason: string }[]
}

async function load(operation: string, type: string, body: HttpBody, key?: string): Promise<Answer> {
  const answer = await service.send(`/operations-api/v1/${operation}`, {
    headers: {
      authorization: `Bearer ${await service.token('operations')}`,
      'content-type': type,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}
const ndjson = 'application/x-ndjson'
function loadActivity(body: HttpBody, type = ndjson) {
  return load('load-activity', type, body)
}

function counts({ received, accepted, duplicates, rejected }: Answer) {
  return [received, accepted, duplicates, rejected]
}
function rejectsOf({ rejects }: Answer) {
  return rejects.map(({ line, code, field }) => [line, code, field])
}

let ids = 0
function deposit(changes: object = {}) {
  ids += 1
  return {
    externalId: `L${ids}`,
    acctNo: account,
    transType: 'Deposit',
    netAmount: '1.00',
    tradeDate: '2025-03-03',
    ...changes,
  }
}
function purchase(changes: object = {}) {
  return {
    ...deposit(),
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'HRBR',
    quantity: '10',
    price: '25.50',
    netAmount: undefined,
    ...changes,
  }
}
function text(...lines: object[]) {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function cashOf() {
  const { data } = await service.alpha.positionSummary({ accountNumber: account })
  return Number(data.totalCash)
}

/** The error of a line, and its report: code, field, and words of the reason. */
const badLines: readonly [what: string, line: () => object, code: string, field: string, reason: RegExp][] = [
  ['an unknown account', () => deposit({ acctNo: '99999999' }), 'ERR.2003', 'acctNo', /no account/],
  ['no account', () => deposit({ acctNo: undefined }), 'ERR.1000', 'acctNo', /required/],
  ['no id of the feed', () => deposit({ externalId: undefined }), 'ERR.1000', 'externalId', /required/],
  ['an unknown security', () => purchase({ symbol: 'NONE' }), 'ERR.1015', 'symbol', /load the security/],
  [
    'identifiers of two securities',
    () => purchase({ symbol: 'BOND', cusip: '037833100' }),
    'ERR.1015',
    'symbol',
    /another security/,
  ],
  ['a negative price', () => purchase({ price: '-1' }), 'ERR.1015', 'price', /negative/],
  [
    'nine decimals',
    () => purchase({ quantity: '1.000000001' }),
    'ERR.1015',
    'quantity',
    /at most 8 decimal places/,
  ],
  ['a price of nine decimals', () => purchase({ price: 1.000000001 }), 'ERR.1015', 'price', /at most 8/],
  [
    'an amount that contradicts quantity × price',
    () => purchase({ netAmount: '-255.02' }),
    'ERR.1015',
    'netAmount',
    /come to -255\.00/,
  ],
  [
    'an amount that leaves the commission out',
    () => purchase({ netAmount: '255.00', commission: '4.95' }),
    'ERR.1015',
    'netAmount',
    /come to -259\.95/,
  ],
  ['NaN', () => deposit({ netAmount: 'NaN' }), 'ERR.1016', 'netAmount', /decimal number/],
  ['infinity', () => deposit({ netAmount: '-Infinity' }), 'ERR.1016', 'netAmount', /decimal number/],
  [
    'an exponent beyond the column',
    () => deposit({ netAmount: '1e30' }),
    'ERR.1015',
    'netAmount',
    /digits before/,
  ],
  ['an impossible date', () => deposit({ tradeDate: '2025-02-29' }), 'ERR.1024', 'tradeDate', /real date/],
  ['half a merger', () => purchase({ transType: 'Merger', ratio: '2:1' }), 'ERR.1015', 'toCusip', /toSymbol/],
  ['no trade date', () => deposit({ tradeDate: undefined }), 'ERR.1000', 'tradeDate', /required/],
  ['no kind', () => deposit({ transType: undefined }), 'ERR.1000', 'transType', /required/],
  ['a kind that does not exist', () => deposit({ transType: 'Gift' }), 'ERR.1015', 'transType', /one of/],
  ['a trade of nothing', () => purchase({ quantity: '0' }), 'ERR.1015', 'quantity', /zero/],
  [
    'a trade without a price',
    () => purchase({ price: undefined }),
    'ERR.1000',
    'price',
    /price or netAmount/,
  ],
  ['a currency that does not exist', () => deposit({ currency: 'ZZZ' }), 'ERR.1015', 'currency', /ISO 4217/],
  [
    'another currency than the security’s',
    () => purchase({ currency: 'EUR' }),
    'ERR.1015',
    'currency',
    /USD/,
  ],
  ['an unknown field', () => deposit({ colour: 'red' }), 'ERR.2001', 'colour', /unknown/],
  [
    'a record’s text that is too long',
    () => deposit({ sourceCode: 'ELEVENCHARS' }),
    'ERR.1010',
    'sourceCode',
    /at most 10/,
  ],
  ['a cancel of nothing', () => ({ ...deposit(), cancelType: 'C' }), 'ERR.1000', 'tagNo', /correct/],
  [
    'a split without a ratio',
    () => purchase({ transType: 'Split', quantity: undefined }),
    'ERR.1000',
    'ratio',
    /ratio or quantity/,
  ],
  [
    'a settlement before the trade',
    () => purchase({ settleDate: '2025-03-02' }),
    'ERR.1024',
    'settleDate',
    /before/,
  ],
]

describe('bad lines of load-activity', () => {
  test('are reported with number, code, field and reason, and the valid lines around them are stored', async () => {
    const before = await cashOf()
    const lines = badLines.flatMap(([, line]) => [deposit(), line()])
    const answer = await loadActivity(text(...lines, deposit()))
    assert.deepEqual(counts(answer), [lines.length + 1, badLines.length + 1, 0, badLines.length])
    assert.deepEqual(
      rejectsOf(answer),
      badLines.map(([, , code, field], index) => [2 * index + 2, code, field]),
    )
    for (const [index, [what, , , , reason]] of badLines.entries())
      assert.match(answer.rejects[index]?.reason ?? '', reason, what)
    assert.equal(await cashOf(), before + badLines.length + 1)
    const { data: kept } = await service.operations.operations.getLoad({ loadId: answer.loadId })
    assert.deepEqual(
      kept.rejects.map(({ sent: _, acceptedBy: _by, ...reject }) => reject),
      answer.rejects,
    )
    assert.equal(kept.state, 'Complete')
    const again = await loadActivity(text(...lines))
    assert.deepEqual(counts(again), [lines.length, 0, badLines.length, badLines.length])
    assert.equal(await cashOf(), before + badLines.length + 1)
  })

  test('have all their errors reported at once', async () => {
    const answer = await loadActivity(
      text(purchase({ price: '-1', quantity: '1.123456789', symbol: 'NONE' })),
    )
    assert.deepEqual(rejectsOf(answer), [
      [1, 'ERR.1015', 'quantity'],
      [1, 'ERR.1015', 'price'],
    ])
  })

  test('that are not JSON, not an object, or name a field twice are reported, whatever is around them', async () => {
    const answer = await loadActivity(
      `{"externalId":\n[1,2]\n\n${text(deposit())}"text"\n{"externalId":"a","EXTERNALID":"b"}\n{"externalId":"a","externalId":"b"}\n`,
    )
    assert.deepEqual(rejectsOf(answer), [
      [1, 'ERR.2004', ''],
      [2, 'ERR.2004', ''],
      [5, 'ERR.2004', ''],
      [6, 'ERR.1014', 'externalId'],
      [7, 'ERR.1014', 'externalId'],
    ])
    assert.equal(answer.accepted, 1)
  })

  test('that exceed the limit of a line or a text are reported as too long', async () => {
    const answer = await loadActivity(
      text(deposit(), deposit({ note: 'x'.repeat(2_000_000) }), deposit({ note: 'x'.repeat(121) })),
    )
    assert.deepEqual(rejectsOf(answer), [
      [2, 'ERR.1010', ''],
      [3, 'ERR.1010', 'note'],
    ])
  })
})

describe('a file that ends in the middle of a line', () => {
  test('as NDJSON: the truncated line is reported, and the lines before it are stored', async () => {
    const before = await cashOf()
    const whole = text(deposit(), deposit())
    const answer = await loadActivity(whole.slice(0, -20))
    assert.deepEqual(counts(answer), [2, 1, 0, 1])
    assert.deepEqual(rejectsOf(answer), [[2, 'ERR.2004', '']])
    assert.match(answer.rejects[0]?.reason ?? '', /cut off/)
    assert.equal(await cashOf(), before + 1)
    assert.deepEqual(counts(await loadActivity(whole)), [2, 1, 1, 0])
  })

  test('as CSV: a line with too few fields is reported, and so is a line whose quote stays open', async () => {
    const header = 'externalId,acctNo,transType,netAmount,tradeDate\n'
    const line = (id: string) => `${id},${account},Deposit,1.00,2025-03-03\n`
    const short = await loadActivity(`${header}${line('C1')}${line('C2').slice(0, -13)}`, 'text/csv')
    assert.deepEqual(rejectsOf(short), [[3, 'ERR.2004', '']])
    assert.match(short.rejects[0]?.reason ?? '', /cut off/)
    assert.equal(short.accepted, 1)
    const quoted = await loadActivity(`${header}${line('C3')}C4,${account},"Depo`, 'text/csv')
    assert.deepEqual(rejectsOf(quoted), [[3, 'ERR.2004', '']])
  })

  test('that lacks only its last end of line is complete', async () => {
    assert.deepEqual(counts(await loadActivity(text(deposit()).trimEnd())), [1, 1, 0, 0])
  })
})

describe('a file in another encoding', () => {
  test('Latin-1: the lines that are not UTF-8 are reported, the others stored', async () => {
    const bytes = Buffer.concat([
      Buffer.from(text(deposit())),
      Buffer.from(text(deposit({ note: 'caf\u00e9' })), 'latin1'),
      Buffer.from(text(deposit({ note: 'caf\u00e9' }))),
    ])
    const answer = await loadActivity(new Uint8Array(bytes))
    assert.deepEqual(counts(answer), [3, 2, 0, 1])
    assert.deepEqual(rejectsOf(answer), [[2, 'ERR.1016', '']])
    assert.match(answer.rejects[0]?.reason ?? '', /UTF-8/)
  })

  test('UTF-16: every line is reported and none is stored', async () => {
    const answer = await loadActivity(
      new Uint8Array(Buffer.from(`\ufeff${text(deposit(), deposit())}`, 'utf16le')),
    )
    assert.equal(answer.accepted, 0)
    assert.ok(answer.rejected >= 2)
  })

  test('UTF-8 with a byte order mark and CRLF is read like UTF-8 without them', async () => {
    const answer = await loadActivity(`\ufeff${text(deposit(), deposit()).replaceAll('\n', '\r\n')}`)
    assert.deepEqual(counts(answer), [2, 2, 0, 0])
  })
})

describe('a malformed file', () => {
  const names = 'externalId,acctNo,transType,netAmount,tradeDate'
  const row = () => `${deposit().externalId},${account},Deposit,1.00,2025-03-03`
  const one = (fields: object = {}) => JSON.stringify(deposit(fields))
  const table: readonly [
    what: string,
    type: string,
    body: () => string,
    accepted: number,
    rejectsOf: readonly (readonly [line: number, code: string, field: string])[],
  ][] = [
    [
      'a line of 10 MB',
      ndjson,
      () => `${one()}\n${one({ note: 'x'.repeat(10_000_000) })}\n${one()}\n`,
      2,
      [[2, 'ERR.1010', '']],
    ],
    [
      'a NUL',
      ndjson,
      () => `${one()}\n${one()}\u0000\n\u0000\n${one()}`,
      2,
      [
        [2, 'ERR.2004', ''],
        [3, 'ERR.2004', ''],
      ],
    ],
    ['lines ended by CR alone', ndjson, () => `${one()}\r${one()}\r`, 2, []],
    ['CSV ended by CR alone', 'text/csv', () => `${names}\r${row()}\r${row()}\r`, 2, []],
    [
      'a quoted field over two lines',
      'text/csv',
      () => `${names},note\n${row()},"a\nb"\n${row()},"a, ""b"""\n`,
      1,
      [
        [2, 'ERR.2004', ''],
        [3, 'ERR.2004', ''],
      ],
    ],
    [
      'names in another order and letter case, with blanks',
      'text/csv',
      () =>
        `ACCTNO, tradedate ,NetAmount,externalid,TRANSTYPE\n${account},2025-03-03,1.00,${deposit().externalId},Deposit\n`,
      1,
      [],
    ],
    ['no line of names', 'text/csv', () => `${row()}\n${row()}\n`, 0, [[1, 'ERR.2004', '']]],
    ['semicolons', 'text/csv', () => `${names}\n${row()}\n`.replaceAll(',', ';'), 0, [[1, 'ERR.2004', '']]],
    [
      'a name twice',
      'text/csv',
      () => `${names},NETAMOUNT\n${row()},2\n${row()},\n`,
      1,
      [[2, 'ERR.1014', 'netAmount']],
    ],
    [
      'an unknown name',
      'text/csv',
      () => `${names},colour\n${row()},red\n${row()},\n`,
      1,
      [[2, 'ERR.2001', 'colour']],
    ],
    ['a field too many', 'text/csv', () => `${names}\n${row()},x\n${row()}\n`, 1, [[2, 'ERR.2004', '']]],
    ['nothing', ndjson, () => '', 0, []],
    ['a byte order mark alone', ndjson, () => '\ufeff', 0, []],
    ['nothing but names', 'text/csv', () => `${names}\n`, 0, []],
    ['an array of objects', ndjson, () => `[${one()},${one()}]`, 0, [[1, 'ERR.2004', '']]],
  ]
  for (const [what, type, body, accepted, due] of table) {
    test(`${what}: each invalid line is reported, the valid ones are stored`, async () => {
      const before = await cashOf()
      const answer = await loadActivity(body(), type)
      assert.deepEqual(rejectsOf(answer), due)
      assert.equal(answer.accepted, accepted)
      assert.equal(await cashOf(), before + accepted)
      assert.ok(answer.rejects.every(({ reason }) => reason.length > 10))
    })
  }

  test('compressed: a Content-Encoding is refused, and the bytes without one are reported as invalid UTF-8', async () => {
    const body = new Uint8Array(gzipSync(text(deposit())))
    const headers = {
      authorization: `Bearer ${await service.token('operations')}`,
      'content-type': ndjson,
    }
    const path = '/operations-api/v1/load-activity'
    const encoded = { ...headers, 'content-encoding': 'gzip' }
    assert.equal((await service.send(path, { headers: encoded, body })).status, 415)
    const { data } = (await service.send(path, { headers, body })).json
    assert.equal(data.accepted, 0)
    assert.equal(data.rejects[0].code, 'ERR.1016')
  })
})

describe('the other loads', () => {
  test('report a wrong check digit, a missing identifier and an incomplete option', async () => {
    const answer = await load(
      'load-securities',
      ndjson,
      text(
        { symbol: 'GOOD', cusip: '594918104' },
        { cusip: '594918105' },
        { isin: 'US5949181046' },
        { sedol: '2046252' },
        { description: 'NOTHING' },
        { symbol: 'OPT', putCall: 'Call', strike: '5' },
        { symbol: 'X', currency: 'ZZZ' },
      ),
    )
    assert.deepEqual(rejectsOf(answer), [
      [2, 'ERR.1016', 'cusip'],
      [3, 'ERR.1016', 'isin'],
      [4, 'ERR.1016', 'sedol'],
      [5, 'ERR.1000', 'cusip'],
      [6, 'ERR.1000', 'expiration'],
      [7, 'ERR.1015', 'currency'],
    ])
    assert.equal(answer.accepted, 1)
  })

  test('report a price of an unknown security, below zero, or without its time, and store each price once', async () => {
    const price = {
      symbol: 'HRBR',
      price: '26.10',
      priceType: 'LastClose',
      priceDate: '2025-03-03T21:00:00Z',
    }
    const body = text(
      price,
      { ...price, symbol: 'NONE' },
      { ...price, price: '-0.01' },
      { ...price, priceDate: 'yesterday' },
      { ...price, priceType: 'Guess' },
      { ...price, priceDate: undefined },
      price,
      { ...price, priceDate: '2025-03-04T21:00:00Z', yield: '4.1' },
    )
    const answer = await load('load-prices', ndjson, body)
    assert.deepEqual(rejectsOf(answer), [
      [2, 'ERR.1015', 'symbol'],
      [3, 'ERR.1015', 'price'],
      [4, 'ERR.1024', 'priceDate'],
      [5, 'ERR.1015', 'priceType'],
      [6, 'ERR.1000', 'priceDate'],
      // Only a money-market fund has a yield of its own.
      [8, 'ERR.1015', 'yield'],
    ])
    assert.deepEqual(counts(answer), [8, 1, 1, 6])
    assert.deepEqual(counts(await load('load-prices', ndjson, body)), [8, 0, 2, 6])
  })

  test('report a rate of an unknown currency, of zero, of eleven places, and of USD other than 1', async () => {
    const rate = { currency: 'EUR', rate: '1.0812345678', date: '2025-03-03' }
    const answer = await load(
      'load-fx-rates',
      'text/csv',
      'currency,rate,date\nEUR,1.0812345678,2025-03-03\nQQQ,1,2025-03-03\nEUR,0,2025-03-03\nEUR,1.08123456789,2025-03-03\nUSD,1.0000000001,2025-03-03\nUSD,1,2025-03-03\n',
    )
    assert.deepEqual(rejectsOf(answer), [
      [3, 'ERR.1015', 'currency'],
      [4, 'ERR.1015', 'rate'],
      [5, 'ERR.1015', 'rate'],
      [6, 'ERR.1015', 'rate'],
    ])
    assert.equal(answer.accepted, 2)
    assert.deepEqual(counts(await load('load-fx-rates', ndjson, text(rate))), [1, 0, 1, 0])
  })
})

describe('a load as a request', () => {
  test('may take longer than a transaction may be idle', async () => {
    const { data } = await slowLoad
    assert.deepEqual([data.received, data.accepted], [2, 2])
  })

  test('returns the same response to the same idempotency key, and loads once', async () => {
    const body = text(deposit())
    const first = await load('load-activity', ndjson, body, 'load-once')
    const second = await load('load-activity', ndjson, body, 'load-once')
    assert.deepEqual(second, first)
    assert.equal(first.accepted, 1)
  })

  test('is refused from a client firm, and with another media type', async () => {
    const send = async (clientId: string, type: string) =>
      service.send('/operations-api/v1/load-activity', {
        headers: { authorization: `Bearer ${await service.token(clientId)}`, 'content-type': type },
        body: text(deposit()),
      })
    assert.equal((await send('alpha', ndjson)).status, 403)
    assert.equal((await send('operations', 'application/json')).status, 415)
  })
})
