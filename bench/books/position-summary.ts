/**
 * Measures position-summary of accounts with 50 positions and 200 lots each, compared with a bare route that selects
 * the same rows and stringifies them: of one account again and again, and of many accounts in turn.
 */
import { databaseUrlOf, freePort, openHouse, startProcess } from '../house.ts'
import { runLoad } from '../load.ts'
import { alternate, type Row, ratioRow } from '../measure.ts'
import { accountNumberOf, loadLines, openBooks, symbolOf } from './feed.ts'
import { positionFloor } from './position-floor.ts'

/** Their summaries are longer, in all, than the texts that the service caches. */
const accounts = 250
const numbers = Array.from({ length: accounts }, (_, index) => index + 1)
const positions = 50
const lotsEach = 4
const rounds = 5
const load = { connections: 16, seconds: Number(process.env.BENCH_SECONDS ?? 3) }

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  const url = databaseUrlOf(house)
  await openBooks(house, accounts)
  await loadLines(
    house,
    numbers.map((number) => purchases(accountNumberOf(number))),
  )
  const port = await freePort()
  const floor = await startProcess([positionFloor, url, String(port)], {}, `http://127.0.0.1:${port}/`)
  const bodies = numbers.map((number) => JSON.stringify({ accountNumber: accountNumberOf(number) }))
  const request = {
    ...load,
    headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
  }
  const compare = (body: string | readonly string[]) =>
    alternate(
      rounds,
      async () =>
        rate(
          await runLoad({
            ...request,
            body,
            port: house.port,
            path: '/account-api/v1/position-summary',
          }),
        ),
      async () => rate(await runLoad({ ...request, body, port, path: '/position-summary' })),
    )
  try {
    const { data } = await house.client.positionSummary({ accountNumber: accountNumberOf(1) })
    if (data.portfolios.length !== positions) throw new Error(`${data.portfolios.length} positions`)
    const note = `${positions} positions, ${positions * lotsEach} lots; ours checks the token`
    const name = 'over selecting its rows and stringifying them'
    return [
      ratioRow(
        `position-summary of one account ${name}`,
        ...(await compare(bodies[0] ?? '')),
        0.7,
        `${note} and proves that the summary that was rendered before is current`,
      ),
      ratioRow(
        `position-summary of ${accounts} accounts in turn ${name}`,
        ...(await compare(bodies)),
        0.7,
        `${note}, values every line, adds up and renders; ${accounts} summaries are more than are cached`,
      ),
    ]
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
      externalId: `${acctNo}-${number}`,
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
