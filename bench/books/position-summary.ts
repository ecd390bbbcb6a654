/**
 * Measures position-summary of an account with 50 positions and 200 lots, compared with a bare route that
 * selects the same rows and stringifies them.
 */
import { databaseUrlOf, freePort, openHouse, startProcess } from '../house.ts'
import { runLoad } from '../load.ts'
import { alternate, type Row, ratioRow } from '../measure.ts'
import { accountNumberOf, loadLines, openBooks, symbolOf } from './feed.ts'
import { positionFloor } from './position-floor.ts'

const positions = 50
const lotsEach = 4
const rounds = 5
const load = { connections: 16, seconds: Number(process.env.BENCH_SECONDS ?? 3) }

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  const url = databaseUrlOf(house)
  await openBooks(house, 1)
  const accountNumber = accountNumberOf(1)
  await loadLines(house, [purchases(accountNumber)])
  const port = await freePort()
  const floor = await startProcess([positionFloor, url, String(port)], {}, `http://127.0.0.1:${port}/`)
  const request = {
    ...load,
    headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber }),
  }
  try {
    const { data } = await house.client.positionSummary({ accountNumber })
    if (data.portfolios.length !== positions) throw new Error(`${data.portfolios.length} positions`)
    const [ours, bare] = await alternate(
      rounds,
      async () =>
        rate(await runLoad({ ...request, port: house.port, path: '/account-api/v1/position-summary' })),
      async () => rate(await runLoad({ ...request, port, path: '/position-summary' })),
    )
    const note = `${positions} positions, ${positions * lotsEach} lots; ours checks the token, values every line, adds up and renders`
    return [ratioRow('position-summary over selecting its rows and stringifying them', ours, bare, 0.7, note)]
  } finally {
    await floor.stop()
  }
}

function rate(result: { requestsPerSecond: number; failures: number }): number {
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  return result.requestsPerSecond
}

function purchases(acctNo: string): string {
  let text = ''
  for (let number = 0; number < positions * lotsEach; number += 1) {
    const line = {
      externalId: `P${number}`,
      acctNo,
      transType: 'Trade',
      buySell: 'BUY',
      symbol: symbolOf(1 + (number % positions)),
      quantity: String(1 + number),
      price: '25.50',
      tradeDate: '2025-03-03',
    }
    text += `${JSON.stringify(line)}\n`
  }
  return text
}
