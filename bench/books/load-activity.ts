/**
 * Measures load-activity over HTTP, from the first byte to the last commit. The floor is PostgreSQL's own
 * COPY of the same lines, from a file of the server into a table with the same columns and indexes.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHouse, openSession } from '../house.ts'
import { alternate, perSecond, type Row, ratioRow } from '../measure.ts'
import { feed, loadLines, loadMarket, openAccounts } from './feed.ts'

const accounts = Number(process.env.BENCH_ACCOUNTS ?? 10_000)
const days = 27
const rounds = 3
const lines = Number(process.env.BENCH_LINES ?? 200_000)
const perSecondMin = 20_000

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await using session = await openSession(house)
  const file = join(tmpdir(), `clearing-bench-lines-${process.pid}`)
  try {
    await openAccounts(session, accounts)
    await loadMarket(house)
    let round = 0
    const load = async (): Promise<number> => {
      round += 1
      const startedMs = performance.now()
      const { accepted } = await loadLines(
        house,
        feed({ name: `R${round}`, lines, accounts, firstDay: `2025-0${round}-02`, days }),
      )
      if (accepted !== lines) throw new Error(`${accepted} of ${lines} lines were taken`)
      return lines / ((performance.now() - startedMs) / 1_000)
    }
    const copy = async (): Promise<number> => {
      await session.query(
        `copy (select * from clearing.activity where external_id like 'R${round}-%') to '${file}' with (format csv)`,
      )
      await session.query('drop table if exists public.floor_activity')
      await session.query('create table public.floor_activity (like clearing.activity including all)')
      const startedMs = performance.now()
      const { rowCount } = await session.query(`copy public.floor_activity from '${file}' with (format csv)`)
      if (rowCount !== lines) throw new Error(`${rowCount} of ${lines} lines were copied`)
      return lines / ((performance.now() - startedMs) / 1_000)
    }
    const [ours, floor] = await alternate(rounds, load, copy)
    const { data: verified } = await house.operations.operations.verifyBooks({ accountNumber: 'M0000001' })
    if (!verified.verified) throw new Error(`the books do not verify: ${JSON.stringify(verified.breaks[0])}`)
    return [
      ratioRow(
        'load-activity over COPY of its lines',
        ours,
        floor,
        0.4,
        `${lines.toLocaleString('en-US')} lines a round of ${accounts.toLocaleString('en-US')} accounts, HTTP to commit: lots, positions, cash, events and audit included; COPY writes the lines with their postings alone`,
      ),
      {
        name: 'load-activity',
        measured: perSecond(ours),
        floor: '',
        figure: ours,
        target: `≥ ${perSecondMin.toLocaleString('en-US')}/s`,
        met: ours >= perSecondMin,
        note: 'sender, service and database share two cores',
      },
    ]
  } finally {
    await rm(file, { force: true })
  }
}
