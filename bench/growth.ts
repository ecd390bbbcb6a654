/**
 * Measures reads as the records grow: the same requests with 10,000, 100,000 and 1,000,000 other accounts of
 * ten lines each, over HTTP, one at a time, in alternating rounds. BENCH_GROWTH sets other sizes. At full
 * size it needs 20 GB of disk in the temporary folder and about ten minutes, most of them to fill the tables.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import { openPool } from '../server/src/database/pool.ts'
import { inTransaction } from '../server/src/database/transaction.ts'
import { countOpenings } from '../server/src/store/openings.ts'
import { accountNumberOf, randomOf } from './books/feed.ts'
import { fillBooks, numbers } from './books/fill.ts'
import { databaseUrlOf, drainQueue, type House, openAccount, openHouse } from './house.ts'
import { median, type Row } from './measure.ts'

const sizes = (process.env.BENCH_GROWTH ?? '10000,100000,1000000').split(',').map(Number)
const positions = 9
/** Accounts that requests opened, because their personal numbers are sealed. */
const opened = 20
const rounds = 5
const requestsEach = 20
const growthMax = 2
const searchMsMax = 100

/**
 * Names of six letters in random order, so that a prefix of one letter matches a sixteenth of the accounts.
 */
const named = `upper(translate(substr(md5(n::text), 1, 6), '0123456789', 'klmnoprstu'))`
/** The accounts are spread over about 400 days. */
const openedAt = "now() - n % 400 * interval '1 day'"
const applications: readonly string[] = [
  `insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first, account_name, account_created_at)
   select account_number, $1::uuid, lpad(n::text, 18, '0'), 'PrimaryOwner', 'JANE ' || ${named}, ${named} || ' JANE',
     'JANE ' || ${named}, ${openedAt} from (${numbers}) as given`,
  `insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, request, possible_duplicates,
     created_at, updated_at)
   select account_number, $1::uuid, gen_random_uuid(), case when n % 1000 = 0 then 'ManualReview' else 'CreationComplete' end,
     '{"stage": "IdentityCheck", "stages": [{"code": "IdentityCheck", "status": "Pending", "reason": "A person must look at it"}]}',
     '{}', '{}', ${openedAt}, ${openedAt} from (${numbers}) as given`,
  `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
   select account_number, $1::uuid, 1, 'Submitted', 'CreationComplete', ${openedAt}, 'service', ''
   from (${numbers}) as given where n % 1000 <> 0`,
  `update clearing.account set created_at = ${openedAt}, updated_at = ${openedAt}, opened_at = ${openedAt}, account_name = 'JANE ' || ${named}
   from (${numbers}) as given where account.account_number = given.account_number and account.firm_id = $1`,
]

export async function rows(): Promise<Row[]> {
  const places: Place[] = []
  try {
    for (const accounts of sizes) places.push(await openPlace(accounts))
    const times = new Map<string, number[][]>()
    for (let round = 0; round < rounds; round++) {
      console.error(`  round ${round + 1} of ${rounds}`)
      for (const [at, { reads }] of places.entries())
        for (const [name, read] of Object.entries(reads)) {
          const found = times.get(name) ?? sizes.map(() => [])
          times.set(name, found)
          found[at]?.push(...(await timesOf(read, round)))
        }
    }
    return [...times].map(([name, found]) => rowOf(name, found.map(median)))
  } finally {
    for (const { house } of places) await house[Symbol.asyncDispose]()
  }
}

type Read = (random: (below: number) => number) => Promise<unknown>

interface Place {
  readonly house: House
  readonly reads: Readonly<Record<string, Read>>
}

async function timesOf(read: Read, round: number): Promise<number[]> {
  const random = randomOf(round + 1)
  const times: number[] = []
  for (let done = 0; done < requestsEach; done++) {
    const startedMs = performance.now()
    await read(random)
    times.push(performance.now() - startedMs)
    // The clearing firm's own credentials have the usual rate.
    await pause(1_000 / limits.rateRequestsPerSecond)
  }
  return times
}

async function openPlace(accounts: number): Promise<Place> {
  console.error(`  ${accounts.toLocaleString('en-US')} accounts are filled`)
  const startedMs = performance.now()
  const house = await openHouse()
  const pool = openPool({
    name: 'owner',
    url: databaseUrlOf(house),
    limits: { connectionsMax: 1 },
  })
  try {
    const firm = await pool.pg.query("select firm_id from clearing.entity where entity_number = '301'")
    const firmId = firm.rows[0].firm_id as string
    await fillBooks(databaseUrlOf(house), accounts, {
      positions,
      firmId,
      further: applications,
    })
    while (await inTransaction(pool, { firm: null }, (tx) => countOpenings(tx, new Date())));
    const real: string[] = []
    for (let at = 0; at < opened; at++) real.push(await openAccount(house, at))
    await drainQueue(pool.pg)
    console.error(`  … in ${Math.round((performance.now() - startedMs) / 1_000)} s`)
    return { house, reads: readsOf(house, accounts, real) }
  } catch (fault) {
    await house[Symbol.asyncDispose]()
    throw fault
  } finally {
    await pool.end()
  }
}

function readsOf(
  { client, operations: { operations: staff } }: House,
  accounts: number,
  real: readonly string[],
): Place['reads'] {
  const filled = (random: (below: number) => number) => accountNumberOf(1 + random(accounts))
  const letter = (random: (below: number) => number) => 'ABCDEFKLMNOPRSTU'.charAt(random(16))
  return {
    'get-account': (random) => client.getAccount({ accountNumber: real[random(opened)] ?? '' }),
    'list-accounts': () => client.listAccounts({}),
    'list-accounts by the beginning of a name': (random) =>
      client.listAccounts({ name: letter(random) + letter(random), sortBy: 'accountName' }),
    'search-accounts by a letter': (random) => staff.searchAccounts({ text: letter(random) }),
    'search-accounts by four letters': (random) =>
      staff.searchAccounts({ text: Array.from({ length: 4 }, () => letter(random)).join('') }),
    'search-accounts by number': (random) => staff.searchAccounts({ text: filled(random) }),
    'list-work': () => staff.listWork({}),
    'get-overview': () => staff.getOverview({}),
    'position-summary': (random) => client.positionSummary({ accountNumber: filled(random) }),
    'trade-activity': (random) =>
      client.tradeActivity({ accountNumber: filled(random), dateFrom: '2026-11-20', dateTo: '2026-11-20' }),
  }
}

function rowOf(name: string, medians: readonly number[]): Row {
  const [few = 0, many = 0] = [medians[0], medians.at(-1)]
  const met = many / few <= growthMax || (name.startsWith('search-accounts') && many <= searchMsMax)
  const shown = sizes.map(
    (size, at) => `${size.toLocaleString('en-US')}: ${(medians[at] ?? 0).toFixed(1)} ms`,
  )
  return {
    name: `${name} beside ${(sizes.at(-1) ?? 0).toLocaleString('en-US')} accounts`,
    measured: `${many.toFixed(1)} ms`,
    floor: `${few.toFixed(1)} ms beside ${(sizes[0] ?? 0).toLocaleString('en-US')}`,
    figure: many / few,
    target: name.startsWith('search-accounts') ? `≤ ${growthMax}, or ≤ ${searchMsMax} ms` : `≤ ${growthMax}`,
    met,
    note: `median of ${rounds * requestsEach} requests, one at a time, over HTTP; ${shown.join(', ')}`,
  }
}
