/**
 * Measures whether memory grows. Reads, submissions, updates, lists, valuations, loads and tokens run at a
 * steady rate for half an hour. The result is the slope over the last two thirds of the memory after a full
 * collection, and of the resident memory. Each point is the least of three samples of the first, and of a sample
 * each second of the second, because a load keeps the lots of its accounts in memory while it runs, and garbage
 * waits for its collection. Each load is of a market day of its own, and every other load
 * sells what the load before it bought, so the lots of an account do not grow with time. BENCH_MINUTES sets
 * another time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { addMarketDays } from '@clearing/domain/market'
import { operations } from '@clearing/protocol'
import { ServiceUnavailable } from '@clearing/sdk'
import { accountNumberOf, feed, loadLines, openBooks } from './books/feed.ts'
import { type HeapOf, openHeap } from './heap.ts'
import { freePort, type House, openHouse } from './house.ts'
import { median, type Row } from './measure.ts'

const minutes = Number(process.env.BENCH_MINUTES ?? 30)
const accounts = 1_000
const points = 30
const samplesEach = 3
const lookEveryMs = 1_000
const slopeMbMax = 10
const megabyte = 1_048_576
const example = JSON.stringify(operations['new-account'].examples[0].request)

type Work = (turn: number) => Promise<unknown>

export async function rows(): Promise<Row[]> {
  const inspectedAt = await freePort()
  await using house = await openHouse({ nodeOptions: [`--inspect=127.0.0.1:${inspectedAt}`] })
  using heap = await openHeap(inspectedAt)
  await openBooks(house, accounts)
  const endMs = performance.now() + minutes * 60_000
  const counts = { done: 0, refused: 0 }
  const working = worksOf(house).map(async ([everyMs, work]) => {
    for (let turn = 0; performance.now() < endMs; turn++) {
      const isDone = await work(turn).then(() => true, isBusy)
      counts[isDone ? 'done' : 'refused'] += 1
      await pause(everyMs)
    }
  })
  const [memory] = await Promise.all([watch(house, heap, { counts, endMs }), ...working])
  const later = memory.slice(Math.floor(memory.length / 3))
  const note = `the median slope between all pairs of ${later.length} points of the last two thirds; ${counts.done.toLocaleString('en-US')} requests, ${counts.refused} refused because the machine was busy`
  return [
    rowOf(
      'memory of the service after a collection',
      later.map(({ minute, held }) => [minute, held]),
      note,
    ),
    rowOf(
      'resident memory of the service',
      later.map(({ minute, resident }) => [minute, resident]),
      note,
    ),
  ]
}

/** For a failed call: false when the service was busy. */
function isBusy(fault: unknown): boolean {
  if (fault instanceof ServiceUnavailable) return false
  throw fault
}

/** A minute, and megabytes. */
type Point = readonly [minute: number, megabytes: number]

function rowOf(what: string, found: readonly Point[], note: string): Row {
  const slope = slopeOf(found) * 30
  const megabytes = found.map(([, each]) => each)
  return {
    name: `${what} in ${minutes} minutes of mixed requests: growth in 30 minutes`,
    measured: `${slope.toFixed(1)} MB`,
    floor: `${Math.round(median(megabytes))} MB`,
    figure: slope,
    target: `≤ ${slopeMbMax} MB`,
    met: slope <= slopeMbMax,
    note: `${note}; at most ${Math.round(Math.max(...megabytes))} MB`,
  }
}

interface Sample {
  readonly minute: number
  readonly held: number
  readonly resident: number
}

/**
 * Samples the memory until the end, and returns the samples. On a busy machine there are fewer points, and
 * none after the last request.
 */
async function watch(
  { service }: House,
  heap: HeapOf,
  { counts, endMs }: { readonly counts: { readonly done: number }; readonly endMs: number },
): Promise<Sample[]> {
  const found: Sample[] = []
  const startedMs = performance.now()
  const pauseMs = (minutes * 60_000) / points / samplesEach
  while (performance.now() + samplesEach * pauseMs < endMs) {
    const helds: number[] = []
    const residents: number[] = []
    for (let look = 0; look < samplesEach; look++) {
      for (const nextMs = performance.now() + pauseMs; performance.now() < nextMs; ) {
        await pause(lookEveryMs)
        residents.push((await service.memoryBytes()) / megabyte)
      }
      helds.push((await heap.bytesHeld()) / megabyte)
    }
    const minute = (performance.now() - startedMs) / 60_000
    const [held, resident] = [Math.min(...helds), Math.min(...residents)]
    found.push({ minute, held, resident })
    console.error(
      `  minute ${minute.toFixed(1)}: ${held.toFixed(1)} MB held, ${Math.round(resident)} MB resident, ${counts.done} requests`,
    )
  }
  return found
}

/**
 * Megabytes per minute: the median of the slopes between all pairs of points, which single peaks do not
 * change.
 */
function slopeOf(found: readonly Point[]): number {
  const slopes = found.flatMap(([minute, megabytes], at) =>
    found.slice(at + 1).map(([laterMinute, later]) => (later - megabytes) / (laterMinute - minute)),
  )
  return median(slopes)
}

/** The repeated requests, each with the pause between two of them. */
function worksOf(house: House): readonly (readonly [everyMs: number, work: Work])[] {
  const { client, operations: staff } = house
  const opened: string[] = []
  const latest = () => opened.at(-1) ?? accountNumberOf(1)
  return [
    [
      100,
      async (turn) => {
        const { data } = await client.newAccount(JSON.parse(example.replace('219099998', taxIdOf(turn))))
        opened.push(data.message.accountNumber)
        if (opened.length > 100) opened.shift()
      },
    ],
    [10, async () => opened.length > 0 && client.getAccount({ accountNumber: latest() })],
    [100, (turn) => client.positionSummary({ accountNumber: accountNumberOf(1 + (turn % accounts)) })],
    [200, () => client.listAccounts({})],
    [500, () => staff.operations.searchAccounts({ text: 'JA' })],
    [1_000, () => staff.operations.getOverview({})],
    [1_000, () => client.listEvents({})],
    [500, () => newToken(house)],
    [5_000, (turn) => loadLines(house, linesOf(turn))],
  ]
}

const firstDay = '2021-01-04'
const linesOfLoad = 1_000

/** The feed is the same each time, but for the day and, in every other load, for the side of each trade. */
function* linesOf(turn: number): Generator<string> {
  const day = addMarketDays(firstDay, turn)
  const settings = { name: `M${turn}`, lines: linesOfLoad, accounts, firstDay: day, days: 1 }
  for (const piece of feed(settings))
    yield turn % 2 === 0
      ? piece
      : piece.replaceAll(/"(BUY|SEL)"/g, (side) => (side === '"BUY"' ? '"SEL"' : '"BUY"'))
}

/** A tax id: no SSN ends in four zeros. */
function taxIdOf(turn: number): string {
  return String(219_110_001 + Math.floor(turn / 9_999) * 10_000 + (turn % 9_999))
}

async function newToken({ address }: House): Promise<void> {
  const answer = await fetch(`${address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }),
  })
  await answer.arrayBuffer()
}
