/**
 * Measures get-account while a load of activity is booked, compared with get-account alone: the 99th
 * percentile of four callers, in alternating rounds of one run. BENCH_SECONDS sets the length of a round.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { operations } from '@clearing/protocol'
import { feed, loadLines, openBooks } from './books/feed.ts'
import { type House, openHouse } from './house.ts'
import { runLoad } from './load.ts'
import { alternate, type Row } from './measure.ts'

const rounds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 4
const accounts = 2_000
/** More lines than a round can book, because the sender ends the load. */
const linesMax = 1_000_000
const timesMax = 2
const fillSeconds = 1.5

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await openBooks(house, accounts)
  const { data } = await house.client.newAccount(operations['new-account'].examples[0].request)
  const measure = () => p99Of(house, data.message.accountNumber)
  await measure()
  let round = 0
  let [lines, loadingSeconds] = [0, 0]
  const [beside, alone] = await alternate(
    rounds,
    async () => {
      round += 1
      const loading = new Loading(house, round)
      // The buffers between sender and load fill first, so that lines are sent as fast as they are booked.
      await pause(fillSeconds * 1_000)
      const [startedMs, sentBefore] = [performance.now(), loading.sent]
      const p99 = await measure()
      lines += loading.sent - sentBefore
      loadingSeconds += (performance.now() - startedMs) / 1_000
      await loading.end()
      return p99
    },
    measure,
  )
  return [
    {
      name: 'get-account while activity is loaded: 99th percentile over alone',
      measured: `${beside.toFixed(1)} ms`,
      floor: `${alone.toFixed(1)} ms`,
      figure: beside / alone,
      target: `≤ ${timesMax}`,
      met: beside / alone <= timesMax,
      note: `${connections} callers without a pause, medians of ${rounds} rounds of ${seconds} s; ${Math.round(lines / loadingSeconds).toLocaleString('en-US')} lines a second were booked meanwhile`,
    },
  ]
}

async function p99Of(house: House, accountNumber: string): Promise<number> {
  const result = await runLoad({
    port: house.port,
    path: '/account-api/v1/get-account',
    headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber }),
    connections,
    seconds,
  })
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  return result.p99Ms
}

/** A load that continues until it is ended. */
class Loading {
  #ended = false
  sent = 0
  readonly #done: Promise<unknown>

  constructor(house: House, round: number) {
    const settings = { name: `R${round}`, lines: linesMax, accounts, firstDay: `2025-0${round}-02`, days: 20 }
    this.#done = loadLines(house, this.#pieces(feed(settings)))
  }

  *#pieces(pieces: Iterable<string>): Generator<string> {
    for (const piece of pieces) {
      if (this.#ended) return
      this.sent += piece.split('\n').length - 1
      yield piece
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#done
  }
}
