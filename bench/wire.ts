/**
 * Compares the service's round trips with those of `pg`: a transaction that writes six rows, and a read of
 * one row, through the service's own layer, through `pg` in its pipeline mode, and through `pg` one statement
 * after another (decision 087).
 */
import pg from 'pg'
import { statement } from '../server/src/database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../server/src/database/test-database.ts'
import { inTransaction, readInFirm } from '../server/src/database/transaction.ts'
import { median, perSecond, type Row } from './measure.ts'

const connections = 8
const roundMs = 2_000
const rounds = 5
const rowsWritten = 6

const insertText = 'insert into public.wire (id, firm, content) values ($1, $2, $3)'
const selectText = 'select id, firm, content from public.wire where id = $1'
const insert = statement('wire-insert', insertText)
const select = statement<{ id: bigint }>('wire-select', selectText)
const setFirm = "select set_config('clearing.firm_id', $1, true)"
const content = 'x'.repeat(200)

interface Way {
  readonly name: string
  /** Connections, each used by one loop at a time. */
  readonly write: (loop: number) => Promise<unknown>
  readonly read: (loop: number) => Promise<unknown>
}

export async function rows(): Promise<Row[]> {
  await using database = await createTestDatabase({ migrations: [] })
  const owner = new pg.Client({ connectionString: database.urls.owner })
  await owner.connect()
  await owner.query('create table public.wire (id bigint, firm text, content text)')
  await owner.query('create index on public.wire (id)')
  await owner.query("insert into public.wire select 1, '', ''")
  const pipelined = await connect(database, true)
  const plain = await connect(database, false)
  const ways: Way[] = [ours(database), pipeline(pipelined), oneByOne(plain)]
  try {
    return [
      ...(await compare('a transaction that writes six rows', ways, 'write')),
      ...(await compare('a read of one row', ways, 'read')),
    ]
  } finally {
    await Promise.all([...pipelined, ...plain, owner].map((client) => client.end()))
  }
}

function connect(database: TestDatabase, pipelines: boolean): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({
        connectionString: database.urls.owner,
        pipeline: pipelines,
      } as pg.ClientConfig)
      await client.connect()
      return client
    }),
  )
}

function ours(database: TestDatabase): Way {
  const pool = database.open('owner', { connectionsMax: connections })
  return {
    name: 'this service',
    write: () =>
      inTransaction(pool, { firm: null }, async (tx) => {
        for (let row = 0; row < rowsWritten; row++) tx.later(insert, [2, 'f', content])
      }),
    read: () => readInFirm(pool, null, select, [1]),
  }
}

function named(name: string, text: string, values: unknown[]) {
  return { name, text, values }
}
const begin = named('begin', 'begin', [])
const commit = named('commit', 'commit', [])

/** Sends everything at once; each statement has a Sync of its own. */
function pipeline(clients: readonly pg.Client[]): Way {
  const all = (loop: number, body: ReturnType<typeof named>[]) =>
    Promise.all(
      [begin, named('set-firm', setFirm, ['']), ...body, commit].map((query) => clients[loop]?.query(query)),
    )
  return {
    name: 'pg in pipeline mode',
    write: (loop) =>
      all(
        loop,
        Array.from({ length: rowsWritten }, () => named('insert', insertText, [2, 'f', content])),
      ),
    read: (loop) => all(loop, [named('select', selectText, [1])]),
  }
}

function oneByOne(clients: readonly pg.Client[]): Way {
  const all = async (loop: number, body: ReturnType<typeof named>[]) => {
    for (const query of [begin, named('set-firm', setFirm, ['']), ...body, commit])
      await clients[loop]?.query(query)
  }
  return {
    name: 'pg, one statement after the other',
    write: (loop) =>
      all(
        loop,
        Array.from({ length: rowsWritten }, () => named('insert', insertText, [2, 'f', content])),
      ),
    read: (loop) => all(loop, [named('select', selectText, [1])]),
  }
}

async function compare(what: string, ways: readonly Way[], kind: 'write' | 'read'): Promise<Row[]> {
  const figures = ways.map((): { rate: number; cpuUs: number }[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, way] of ways.entries()) figures[index]?.push(await runFor(way[kind]))
  }
  const [own = { rate: 1, cpuUs: 0 }, ...others] = figures.map((measured) => ({
    rate: median(measured.map(({ rate }) => rate)),
    cpuUs: median(measured.map(({ cpuUs }) => cpuUs)),
  }))
  return others.map(({ rate, cpuUs }, index) => ({
    name: `${what}: this service over ${ways[index + 1]?.name}`,
    measured: perSecond(own.rate),
    floor: perSecond(rate),
    figure: own.rate / rate,
    target: '≥ 1',
    met: own.rate >= rate,
    note: `${connections} connections; processor time of the client ${Math.round(own.cpuUs)} µs beside ${Math.round(cpuUs)} µs`,
  }))
}

/** Measures the runs per second, and the processor time of this process for each run. */
async function runFor(work: (loop: number) => Promise<unknown>): Promise<{ rate: number; cpuUs: number }> {
  let done = 0
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async (_, loop) => {
      while (performance.now() - startedMs < roundMs) {
        await work(loop)
        done += 1
      }
    }),
  )
  const spent = process.cpuUsage(cpu)
  return { rate: (done * 1_000) / (performance.now() - startedMs), cpuUs: (spent.user + spent.system) / done }
}
