/** The data that the benchmarks of the books load: accounts, securities, and the lines of a firm's daily feed. */
import type pg from 'pg'
import { type House, openSession } from '../house.ts'

/** The prefix of account numbers. Its four letters leave room for ten thousand accounts and more. */
export function accountNumberOf(number: number): string {
  return `M${String(number).padStart(7, '0')}`
}
export function symbolOf(number: number): string {
  return `S${number}`
}
export const securitiesCount = 500

/**
 * Opens accounts 1 to `count` of firm Alpha directly in the database, because another benchmark measures
 * opening.
 */
export async function openAccounts(session: pg.Client, count: number, from = 1): Promise<void> {
  await session.query(
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
       record, created_at, updated_at, opened_at)
     select 'M' || lpad(n::text, 7, '0'), entity.firm_id, '301', 'JC01', 'Individual', 'Open', 'JANE DOE', '{}', now(), now(), now()
     from generate_series($1::int, $2::int) as n, clearing.entity as entity where entity_number = '301'`,
    [from, count],
  )
  await session.query('analyze clearing.account')
}

/** Opens accounts 1 to `count`, and loads the securities. */
export async function openBooks(house: House, count: number): Promise<void> {
  await using session = await openSession(house)
  await openAccounts(session, count)
  await loadMarket(house)
}

/** Loads securities with one price each. */
export async function loadMarket(house: House): Promise<void> {
  const numbers = Array.from({ length: securitiesCount }, (_, index) => index + 1)
  await house.operations.operations.loadSecurities({
    lines: {
      ndjson: numbers.map((number) => ({
        symbol: symbolOf(number),
        description: `SECURITY ${number} CORP`,
        secTypeName: 'Common Stock',
        industryGroupName: `Industry ${number % 11}`,
      })),
    },
  })
  await house.operations.operations.loadPrices({
    lines: {
      ndjson: numbers.map((number) => ({
        symbol: symbolOf(number),
        price: `${20 + (number % 80)}.25`,
        priceType: 'LastClose',
        priceDate: '2025-12-31T21:00:00Z',
      })),
    },
  })
}

/** A small random generator with a seed, so that the feed is always the same. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

export interface FeedSettings {
  /** The prefix of the externalId of each line. */
  readonly name: string
  readonly lines: number
  readonly accounts: number
  readonly firstDay: string
  readonly days: number
}

const pieceLines = 2_000
const dayMs = 86_400_000

/**
 * NDJSON in pieces. Of ten lines six buy, two sell and two move cash. Each line belongs to a random account,
 * in the order of days. An account trades in about eight securities, so that its sales find lots.
 */
export function* feed({ name, lines, accounts, firstDay, days }: FeedSettings): Generator<string> {
  const random = randomOf(lines + accounts)
  const start = Date.parse(firstDay)
  let piece = ''
  for (let number = 0; number < lines; number += 1) {
    const account = 1 + random(accounts)
    const tradeDate = new Date(start + Math.floor((number * days) / lines) * dayMs).toISOString().slice(0, 10)
    const common = `{"externalId":"${name}-${number}","acctNo":"${accountNumberOf(account)}","acctType":"1","tradeDate":"${tradeDate}"`
    const kind = random(10)
    if (kind >= 8) {
      const transType = kind === 8 ? 'Deposit' : 'Fee'
      piece += `${common},"transType":"${transType}","netAmount":"${kind === 8 ? '' : '-'}${10 + random(5_000)}.${10 + random(90)}"}\n`
    } else {
      const symbol = symbolOf(1 + ((account * 7 + random(8) * 61) % securitiesCount))
      const price = `${10 + random(90)}.${10 + random(90)}`
      piece += `${common},"transType":"Trade","buySell":"${kind < 6 ? 'BUY' : 'SEL'}","symbol":"${symbol}","quantity":"${1 + random(100)}","price":"${price}","commission":"1.00"}\n`
    }
    if ((number + 1) % pieceLines === 0) {
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}

export interface LoadAnswer {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
}

/** Sends lines as operations, once. All lines must be accepted. */
export async function loadLines(house: House, pieces: Iterable<string>): Promise<LoadAnswer> {
  const lines = { ndjson: ReadableStream.from(encoded(pieces)) }
  const { data } = await house.operations.operations.loadActivity({ lines }, { timeoutMs: loadTimeoutMs })
  if (data.rejected > 0)
    throw new Error(`${data.rejected} lines were refused: ${JSON.stringify(data.rejects[0])}`)
  return data
}

const loadTimeoutMs = 600_000

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const piece of pieces) yield encoder.encode(piece)
}

/** Loads a trade of an account, and copies its line by SQL until there are `lines`. */
export async function loadCopiedTrades(
  house: House,
  session: pg.Client,
  acctNo: string,
  lines: number,
): Promise<void> {
  const trade = {
    externalId: 'T0',
    acctNo,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: symbolOf(1),
    quantity: '10',
    price: '25.50',
    tradeDate: '2025-03-03',
  }
  await loadLines(house, [`${JSON.stringify(trade)}\n`])
  await session.query(
    `insert into clearing.activity select (jsonb_populate_record(activity, jsonb_build_object(
       'sequence', sequence + n, 'external_id', 'T' || n))).* from clearing.activity cross join generate_series(1, $1::int) as n`,
    [lines - 1],
  )
}
