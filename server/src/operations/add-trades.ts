/** add-trades: random but seeded trading for an account, posted by the same load as any other activity. */
import { randomBytes } from 'node:crypto'
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { RawLines } from '../books/lines/raw-line.ts'
import { activityLoader } from '../books/loads/activity.ts'
import { runLoad } from '../books/loads/run-load.ts'
import { inTransaction } from '../database/transaction.ts'
import { whileAlive } from '../database/while-alive.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { makeTrades } from '../sandbox/make-trades.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { readTradedStocks } from '../store/market-moves.ts'
import type { Handler } from './context.ts'

const usualCount = 20

const noStocks = reject(
  'ERR.1015',
  '',
  'No stock in US dollars has a price; start the sandbox with its demonstration accounts, or load securities and prices.',
)

export const addTrades: Handler<'add-trades'> = async (request, context) => {
  const { tx, parts, caller, traceId, now } = context
  const { accountNumber, count = usualCount, seed = randomBytes(4).toString('hex') } = request
  const account = await readAccountHead(tx, accountNumber)
  if (account === undefined) return accountNotFound(context.firm)
  if (account.status !== 'Open') {
    return new Rejected([reject('ERR.2011', 'accountNumber', `The account is ${account.status}.`)])
  }
  const { stocks, day } = await inTransaction(
    parts.loads,
    { firm: null, readOnly: true },
    async (reading) => ({
      stocks: await readTradedStocks(reading, now),
      day: await readBusinessDay(reading, now),
    }),
  )
  if (stocks.length === 0) return new Rejected([noStocks])
  const lines = makeTrades({ accountNumber, seed, count, day, stocks })
  const settings = {
    kind: 'load-activity',
    clientId: caller.clientId,
    traceId,
    pool: parts.loads,
    now: () => parts.clock.now(),
  }
  const load = await whileAlive(tx, runLoad(settings, oneBatch(lines), activityLoader))
  const data = {
    accountNumber,
    seed,
    dateFrom: lines[0]?.tradeDate ?? day,
    dateTo: lines.at(-1)?.tradeDate ?? day,
    symbols: [...new Set(lines.flatMap(({ symbol }) => (symbol === undefined ? [] : [symbol])))].sort(),
    loadId: load.loadId,
    received: load.received,
    accepted: load.accepted,
    duplicates: load.duplicates,
    conflicts: load.conflicts,
    rejected: load.rejected,
  }
  writeAudit(context, { action: 'add-trades', accountNumber, target: load.loadId, changes: data })
  return data
}

async function* oneBatch(lines: readonly Readonly<Record<string, string>>[]): RawLines {
  yield lines.map((members, at) => ({ line: at + 1, members }))
}
