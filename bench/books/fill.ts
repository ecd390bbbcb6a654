/**
 * Fills books of many accounts by SQL, with the rows that a load of the same lines would have made: a deposit
 * and, by default, five purchases on margin each. Two sessions fill table by table, in the order of the keys
 * and without checks of foreign keys. A million accounts (6,000,000 lines, 8 GB) take about three minutes on
 * two cores.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export const positionsEach = 5
export const securities = 1_000

export const benchFirmId = randomUUID()

/** The number of accounts that one statement fills. */
const portion = 25_000
const sessionsCount = 2
/**
 * The rows are correct by construction. Therefore they are not checked against other tables, and a crash may
 * lose them.
 */
const inBulk = 'set session_replication_role = replica; set synchronous_commit = off'
/** Indexes that are created after the rows were inserted. */
const indexesMadeAfter = [
  'account_%',
  'holding_security',
  'unsettled_due',
  'activity_security%',
  'activity_entered',
  'party_%',
  'onboarding_%',
]

export interface Filling {
  /** The purchases of each account, in addition to its deposit. */
  readonly positions?: number
  /** An existing firm with entity 301 and rep code JC01. If absent, a firm is created. */
  readonly firmId?: string | undefined
  /** Statements that fill further tables of the same accounts: firm, first and last number. */
  readonly further?: readonly string[]
}

/**
 * Inserts the rows that a load of the same lines would have made: accounts 1 to `accounts`, all of one day.
 * `url` is a superuser's.
 */
export async function fillBooks(
  url: string,
  accounts: number,
  { positions = positionsEach, firmId, further = [] }: Filling = {},
): Promise<void> {
  const sessions = Array.from({ length: sessionsCount }, () => new pg.Client({ connectionString: url }))
  try {
    for (const session of sessions) {
      await session.connect()
      await session.query(inBulk)
    }
    const [first] = sessions as [pg.Client]
    if (firmId === undefined) for (const query of firm) await first.query(query, [benchFirmId])
    for (const query of market) await first.query(query)
    const indexes = await first.query<{ name: string; definition: string }>(selectIndexes, [indexesMadeAfter])
    for (const { name } of indexes.rows) await first.query(`drop index ${name}`)
    const queue = [...ofAccounts(positions), ...further].flatMap((query) =>
      Array.from({ length: Math.ceil(accounts / portion) }, (_, at) => ({
        query,
        given: [firmId ?? benchFirmId, at * portion + 1, Math.min(accounts, (at + 1) * portion)],
      })),
    )
    await Promise.all(
      sessions.map(async (session) => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          await session.query(next.query, next.given)
      }),
    )
    for (const { definition } of indexes.rows) await first.query(definition)
    await first.query('vacuum analyze')
    // No row of the fill is written to disk while reads are measured.
    await first.query('checkpoint')
  } finally {
    await Promise.all(sessions.map((session) => session.end()))
  }
}

const selectIndexes = `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'clearing'::regnamespace and relname like any ($1) and not indisunique
    and not exists (select from pg_inherits where inhrelid = indexrelid)`

/** The accounts of a portion, with their number `n`. */
export const numbers =
  "select 'M' || lpad(n::text, 7, '0') as account_number, n from generate_series($2::int, $3::int) as n"
function bought(positions: number): string {
  return `select account_number, n, place, 1 + (n * 7 + place * 13) % ${securities} as sec_no, place + 2 as sequence,
    10 + place as quantity, 1000.00 + n % 50 as cost from (${numbers}) as account cross join generate_series(0, ${positions - 1}) as place`
}

const firm = [
  "insert into clearing.firm (firm_id, name, created_at) values ($1, 'Bench', now())",
  "insert into clearing.entity (entity_number, firm_id, created_at) values ('301', $1, now())",
  "insert into clearing.rep_code (rep_code, firm_id, created_at) values ('JC01', $1, now())",
]
const market = [
  `insert into clearing.security (sec_no, symbol, sec_type_name, in_use, created_at, updated_at)
       select n, 'S' || n, 'Common Stock', true, now(), now() from generate_series(1, ${securities}) as n`,
  `insert into clearing.price (sec_no, priced_at, price_type, price)
       select sec_no, '2026-11-20T21:00:00Z', 'LastClose', 80 + sec_no % 30 from clearing.security`,
  "select clearing.make_month_partition('activity', '2026-11-20'), clearing.make_month_partition('entry', '2026-11-20')",
]

function ofAccounts(positions: number): readonly string[] {
  return [
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
         record, created_at, updated_at, opened_at)
       select account_number, $1::uuid, '301', 'JC01', 'Individual', 'Open', 'JANE DOE', '{}', now(), now(), now() from (${numbers}) as given`,
    `insert into clearing.account_books (account_number, firm_id, line_count, entry_count)
       select account_number, $1::uuid, ${positions + 1}, ${positions + 1} from (${numbers}) as given`,
    `insert into clearing.activity (account_number, firm_id, process_date, sequence, external_id, acct_type, trans_type, buy_sell,
         sec_no, quantity, price, commission, sec_fee, interest, net_amount, currency, trade_date, settle_date, load_id, entered_on, record,
         entry_no, ledger, asset, amount)
       select account_number, $1::uuid, '2026-11-20'::date, 1, account_number || '-1', 2, 'Deposit', null, null::bigint, 0, null::numeric, 0, 0, 0,
         1000 + n % 3000, 'USD', '2026-11-20'::date, '2026-11-20'::date, gen_random_uuid(), '2026-11-20'::date, '{}',
         1, '{customer,location:bank}'::clearing.ledger[], '{USD,USD}'::text[], array[1000 + n % 3000, -(1000 + n % 3000)]::numeric[]
       from (${numbers}) as given
       union all
       select account_number, $1::uuid, '2026-11-20'::date, sequence, account_number || '-' || sequence, 2, 'Trade', 'BUY', sec_no, quantity,
         round(cost / quantity, 8), 0, 0, 0, -cost, 'USD', '2026-11-20'::date, '2026-11-23'::date, gen_random_uuid(), '2026-11-20'::date, '{}',
         sequence, '{customer,street:clearing,customer,street:clearing}'::clearing.ledger[], array[sec_no::text, sec_no::text, 'USD', 'USD'],
         array[quantity, -quantity, -cost, cost]
       from (${bought(positions)}) as bought`,
    `insert into clearing.holding (account_number, sec_no, firm_id, quantity_cash, quantity_margin, quantity_short, last_date, last_at_day_end, lots)
       select account_number, sec_no, $1::uuid, 0, quantity, 0, '2026-11-20'::date, false,
         json_build_array(json_build_object('id', account_number || '-' || sequence, 'type', 2, 'quantity', quantity::text,
           'cost', cost::text, 'opened', '2026-11-20', 'entry', sequence))
       from (${bought(positions)}) as bought`,
    `insert into clearing.cash_balance (account_number, acct_type, currency, firm_id, amount)
       select account_number, 2, 'USD', $1::uuid, 1000 + n % 3000 - ${positions} * (1000.00 + n % 50) from (${numbers}) as given`,
    `insert into clearing.unsettled (account_number, sequence, firm_id, process_date, settle_date, acct_type, currency, amount)
       select account_number, sequence, $1::uuid, '2026-11-20'::date, '2026-11-23'::date, 2, 'USD', -cost from (${bought(positions)}) as bought`,
  ]
}
