/** The positions at the beginning of a statement and its activity are the positions at the end, whatever moved them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { closeDay } from '../business-day/test-business-day.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { readConfirmed } from './read-confirmed.ts'
import { readStatementFacts, type StatementFacts, viewOf } from './read-statement.ts'
import { statementForm } from './statement-form.ts'

const days = ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31']
function on(tradeDate: string, line: TestLine): TestLine {
  return { acctType: '1', tradeDate, ...line }
}
function bought(symbol: string, tradeDate: string, quantity: string, more: TestLine = {}) {
  const trade = {
    transType: 'Trade',
    buySell: 'BUY',
    price: '10',
    symbol,
    quantity,
    secFee: '0',
    interest: '0',
  }
  return on(tradeDate, { externalId: `B-${symbol}-${tradeDate}`, ...trade, ...more })
}
const symbols = [
  'SPLT',
  'REVS',
  'DIVI',
  'PRNT',
  'NAME',
  'CALL',
  'MRGS',
  'MRGC',
  'MOVE',
  'SHRT',
  'BOTH',
  'ERLY',
]
const held = symbols.filter((symbol) => symbol !== 'SHRT' && symbol !== 'ERLY')
const actions: TestLine[] = [
  { symbol: 'SPLT', transType: 'Split', ratio: '3:2' },
  { symbol: 'REVS', transType: 'Split', ratio: '1:10', toSymbol: 'REVN' },
  { symbol: 'DIVI', transType: 'StockDividend', ratio: '1:10' },
  { symbol: 'PRNT', transType: 'Spinoff', ratio: '1:4', toSymbol: 'SPUN', costShare: '0.2' },
  { symbol: 'NAME', transType: 'NameChange', toSymbol: 'NEWN' },
  { symbol: 'CALL', transType: 'Redemption', price: '11' },
  { symbol: 'MRGS', transType: 'Merger', toSymbol: 'ACQR', ratio: '1:2', cashPerShare: '2' },
  { symbol: 'MRGC', transType: 'Merger', cashPerShare: '12' },
  { symbol: 'MOVE', transType: 'TransferOut', quantity: '40' },
  { symbol: 'SHRT', transType: 'Split', ratio: '2:1', acctType: '3' },
  { symbol: 'BOTH', transType: 'Dividend', quantity: '100', netAmount: '5' },
]
const early = bought('ERLY', '2026-12-28', '-60', {
  externalId: 'E',
  cancelType: 'C',
  tagNo: 'B-ERLY-2026-12-28',
})
const linesOf: Readonly<Record<string, readonly TestLine[]>> = {
  // A cancel that comes two days before its original, and another one of the same line.
  '2026-12-28': [
    early,
    ...held.map((symbol) => bought(symbol, '2026-12-22', '100')),
    bought('SHRT', '2026-12-22', '30', { buySell: 'SSL', acctType: '3' }),
  ],
  '2026-12-29': [
    ...actions.map((line) => on('2026-12-29', { externalId: `A-${line.symbol}`, ...line })),
    bought('BOTH', '2026-12-29', '25', { buySell: 'SEL' }),
    on('2026-12-29', { externalId: 'T', transType: 'TransferIn', symbol: 'BOTH', quantity: '7' }),
  ],
  // Late purchases change what the actions moved.
  '2026-12-30': [
    ...held.map((symbol) => bought(symbol, '2026-12-23', '20')),
    bought('ERLY', '2026-12-28', '60'),
    { ...early, externalId: 'F' },
  ],
  '2026-12-31': [
    { externalId: 'C', cancelType: 'C', tagNo: 'A-SPLT' },
    { externalId: 'D', cancelType: 'C', tagNo: 'B-PRNT-2026-12-23' },
  ],
}

const insertSecurities = statement(
  'test-insert-securities-of-symbols',
  `insert into clearing.security (sec_no, symbol, description, sec_type_name, created_at, updated_at)
   select 100 + place, symbol, symbol, 'Common Stock', '2020-01-01', '2020-01-01'
   from unnest($1::text[]) with ordinality as named (symbol, place)`,
)

let books: TestBooks
const account = '30000001'
before(async () => {
  books = await openTestBooks([account])
  await inTransaction(books.database.operations, { firm: null }, (tx) =>
    tx.run(insertSecurities, [[...symbols, 'REVN', 'SPUN', 'NEWN', 'ACQR']]),
  )
  for (const day of days) {
    const lines = (linesOf[day] ?? []).map((line) => ({ acctNo: account, ...line }))
    const { rejects } = await loadActivityLines(books, lines, { now: new Date(`${day}T16:00:00Z`) })
    assert.deepEqual(rejects, [])
    await closeDay(books, new Date(`${day}T22:00:00Z`))
  }
})
after(() => books?.[Symbol.asyncDispose]())

test('statements of single days tie out in the positions', async () => {
  let last = new Map<string, Decimal>()
  for (const day of days) {
    const facts = await factsOf(day)
    const start = positionsOf(facts.before)
    assert.deepEqual(start, last, `${day} begins with the positions of the day before`)
    for (const { moved } of facts.lines) for (const { secNo, quantity } of moved) add(start, secNo, quantity)
    const end = positionsOf(facts.end)
    assert.deepEqual(sorted(start), sorted(end), `${day} ends with its positions`)
    last = end
  }
})

test('a cancel that came before its original is in the statement of both days, and is confirmed with its original', async () => {
  const ofCancel = async (day: string) => (await rowsOf(day)).filter((row) => row.includes('ERLY'))
  assert.deepEqual(await ofCancel('2026-12-28'), ['Cancel of Trade BUY ERLY '])
  assert.deepEqual(await ofCancel('2026-12-29'), [])
  assert.deepEqual(await ofCancel('2026-12-30'), [
    'Cancel of Trade BUY ERLY ',
    'Change of Cancel of Trade BUY ERLY -60',
    'Trade BUY ERLY 60',
  ])
  assert.deepEqual(await ofCancel('2026-12-31'), [])
  const cancels = []
  for (const knownAt of ['close', 'now'])
    for (const day of days) cancels.push(await confirmedCancels(day, knownAt === 'now' ? knownAt : day))
  const each = [[], [], ['E 600'], []]
  assert.deepEqual(cancels, [...each, ...each])
})

test('a statement prints what was given and received, in the order of the lines', async () => {
  const rows = await rowsOf('2026-12-29')
  assert.deepEqual(
    rows,
    [
      'Split SPLT 50',
      'Split REVS -100',
      'Split REVN 10',
      'StockDividend DIVI 10',
      'Spinoff PRNT ',
      'Spinoff SPUN 25',
      'NameChange NAME -100',
      'NameChange NEWN 100',
      'Redemption CALL -100',
      'Merger MRGS -100',
      'Merger ACQR 50',
      'Merger MRGC -100',
      'TransferOut MOVE -40',
      'Split SHRT -30',
      'Dividend on 100 BOTH ',
      'Trade SEL BOTH -25',
      'TransferIn BOTH 7',
    ].sort(),
  )
  const late = await rowsOf('2026-12-30')
  assert.deepEqual(
    late.filter((row) => row.startsWith('Change')),
    [
      'Change of Cancel of Trade BUY ERLY -60',
      'Change of Merger ACQR 10',
      'Change of Merger MRGC -20',
      'Change of Merger MRGS -20',
      'Change of NameChange NAME -20',
      'Change of NameChange NEWN 20',
      'Change of Redemption CALL -20',
      'Change of Spinoff PRNT ',
      'Change of Spinoff SPUN 5',
      'Change of Split REVN 2',
      'Change of Split REVS -20',
      'Change of Split SPLT 10',
      'Change of StockDividend DIVI 2',
    ],
  )
  assert.deepEqual((await rowsOf('2026-12-31')).sort(), [
    'Cancel of Split SPLT -60',
    'Cancel of Trade BUY PRNT -20',
    'Change of Spinoff PRNT ',
    'Change of Spinoff SPUN -5',
  ])
})

function add(to: Map<string, Decimal>, secNo: string, quantity: Decimal): void {
  const sum = (to.get(secNo) ?? ZERO) + quantity
  if (sum === ZERO) to.delete(secNo)
  else to.set(secNo, sum)
}
function sorted(positions: ReadonlyMap<string, Decimal>): string[] {
  return [...positions].map(([secNo, quantity]) => `${secNo} ${renderDecimal(quantity)}`).sort()
}
function positionsOf(valued: StatementFacts['before']): Map<string, Decimal> {
  const positions = new Map<string, Decimal>()
  for (const { position } of valued?.lines ?? []) add(positions, position.secNo, position.quantity)
  return positions
}
function factsOf(day: string): Promise<StatementFacts> {
  const now = new Date('2027-01-06T16:00:00Z')
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    readStatementFacts(
      tx,
      { accountNumber: account, from: day, to: day },
      { now, knownAt: day, concentration: [] },
    ),
  )
}
function confirmedCancels(day: string, knownAt: string): Promise<string[]> {
  const now = new Date('2027-01-06T16:00:00Z')
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, async (tx) => {
    const view = await viewOf(tx, { accountNumber: account, to: day }, { knownAt, now })
    const lines = await readConfirmed(tx, account, day, view)
    const cancels = lines.filter(({ kind }) => kind === 'Cancel')
    return cancels.map(({ externalId, netAmount = ZERO }) => `${externalId} ${renderDecimal(netAmount)}`)
  })
}
const addressee = {
  ...{ accountNumber: '', accountName: '', firmName: '', clearingFirmName: '', delivery: 'Paper' },
  record: { registrationType: 'Individual', mailingAddress: {}, electronicDelivery: {}, main: {} },
} as unknown as Parameters<typeof statementForm>[0]

/** The activity of a statement: what a line is, its security, and the quantity. */
async function rowsOf(day: string): Promise<string[]> {
  const { sections } = statementForm(addressee, await factsOf(day))
  const activity = sections.find(({ title }) => title.startsWith('Activity'))
  const [part] = activity?.parts ?? []
  if (part?.kind !== 'table') return assert.fail('no activity')
  return part.rows
    .map(({ cells: [, name, security = '', quantity] }) => `${name} ${security.split('\n')[0]} ${quantity}`)
    .sort()
}
