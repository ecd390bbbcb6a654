/**
 * Measures new-account with commits that take 1, 3 and 10 ms, as on a cloud disk or with a synchronous
 * replica: `commit_delay` makes the server wait before each flush of its log. Figures are ratios to the same
 * service without the wait.
 */
import { operations } from '@clearing/protocol'
import type pg from 'pg'
import { drainQueue, type House, openHouse, openSession } from './house.ts'
import { runLoad } from './load.ts'
import { median, perSecond, type Row } from './measure.ts'

const rounds = 3
const seconds = 3
const callers = 32
const delaysMs = [0, 1, 3, 10]
const targets: Record<number, number> = { 1: 0.85, 3: 0.8, 10: 0.6 }
const application = JSON.stringify(operations['new-account'].examples[0].request).replace(
  '219099998',
  '#########',
)

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await using superuser = await openSession(house)
  const found = new Map<number, number[]>(delaysMs.map((delayMs) => [delayMs, []]))
  await measure(house, superuser, 0)
  for (let round = 0; round < rounds; round++) {
    for (const delayMs of delaysMs) found.get(delayMs)?.push(await measure(house, superuser, delayMs))
  }
  const [without = Number.NaN, ...others] = delaysMs.map((delayMs) => median(found.get(delayMs) ?? []))
  return others.map((rate, at) => rowOf(delaysMs[at + 1] as number, rate, without))
}

async function measure(house: House, superuser: pg.Client, delayMs: number): Promise<number> {
  await superuser.query(`alter system set commit_delay = ${delayMs * 1_000}`)
  await superuser.query('alter system set commit_siblings = 0')
  await superuser.query('select pg_reload_conf()')
  const { requestsPerSecond, failures } = await runLoad({
    port: house.port,
    path: '/account-api/v1/new-account',
    headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
    body: application,
    connections: callers,
    seconds,
  })
  if (failures > 0) throw new Error(`${failures} requests failed`)
  await drainQueue(superuser)
  return requestsPerSecond
}

function rowOf(delayMs: number, rate: number, without: number): Row {
  const [figure, target] = [rate / without, targets[delayMs] as number]
  return {
    name: `new-account with commits of ${delayMs} ms, over without`,
    measured: perSecond(rate),
    floor: perSecond(without),
    figure,
    target: `≥ ${target}`,
    met: figure >= target,
    note: `${callers} callers of one firm; no lock is held across a flush, so callers wait for the disk together`,
  }
}
