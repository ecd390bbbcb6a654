/**
 * docs/books.md: the example account is loaded from the page, and every number on the page equals the response of the
 * service.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { applicationFor } from './acceptance/applications.ts'
import { follow } from './acceptance/calling.ts'
import { type RunningService, startRunningService } from './acceptance/running-service.ts'

const page = readFileSync(new URL('../docs/books.md', import.meta.url), 'utf8')
const accountNumber = 'WORKED01'
/** The margin accounts of published examples. */
const marginAccounts = ['MARGIN01', 'MARGIN02', 'MARGIN03']

const loads = [...page.matchAll(/^<!-- load: ([a-z-]+) -->\n```csv\n([\s\S]*?)^```$/gm)]
const answers = [...page.matchAll(/^<!-- answer: ([a-z-]+) ?(\S*) ?(\S*) -->\n((?:\|.*\|\n)+)/gm)]

/** The cells of a table below its head, under the names that the head gives to the columns. */
function readTable(text: string): { readonly names: string[]; readonly rows: string[][] } {
  const rows = text
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [head = [], , ...body] = rows
  const names = head.map((name) => name.replaceAll('`', '')).filter((name) => name !== '')
  return { names, rows: body.map((row) => row.slice(0, names.length)) }
}

/** `1,234.50` on the page equals `1234.5` in a response. A time is compared as its day. */
function plain(value: unknown): string {
  const text = String(value).replaceAll('`', '').replaceAll(',', '')
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 10)
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

// biome-ignore lint/suspicious/noExplicitAny: the names of the page select members of responses
type Any = any

function valueAt(data: Any, path: string): unknown {
  return path.split('.').reduce((value, name) => value?.[name], data)
}

let service: RunningService

before(async () => {
  service = await startRunningService()
  for (const number of [accountNumber, ...marginAccounts]) {
    const main = { repCode: 'JC01', marginIndicator: 'true' }
    await service.alpha.newAccount(applicationFor('Individual', { accountNumber: number, main }))
    assert.equal((await follow(service.alpha, number)).currentState, 'CreationComplete')
  }
})
after(() => service?.stop())

/** Returns the rows of a response for the columns of a table. */
const rowsOf: Readonly<Record<string, (names: string[], asOf: string) => Promise<string[][]>>> = {
  async 'trade-activity'(names) {
    const { data } = await service.alpha.tradeActivity({
      accountNumber,
      dateFrom: '2025-01-01',
      dateTo: '2025-12-31',
    })
    return data.activity.map((line) => names.map((name) => plain(line[name as keyof typeof line])))
  },
  async 'position-detail'(names, asOf) {
    const { data } = await service.alpha.positionDetail({ accountNumber, asOf })
    return data.portfolios.map((line) =>
      names.map((name) => plain(valueAt(line, name) ?? valueAt(line.unrealizedGainLoss, name))),
    )
  },
  async 'realized-gains'(names) {
    const range = { dateFrom: '2025-01-01', dateTo: '2025-12-31' }
    const { data } = await service.alpha.realizedGains({ accountNumber, ...range })
    return data.closings.map((closing) => names.map((name) => plain(closing[name as keyof typeof closing])))
  },
}

describe('the accounts worked in docs/books.md', () => {
  test('are loaded from the page without a rejected line', async () => {
    assert.deepEqual(
      loads.map(([, operation]) => operation),
      [
        ...['load-securities', 'load-activity', 'load-prices'],
        ...['load-securities', 'load-account-terms', 'load-activity', 'load-prices'],
        ...['load-securities', 'load-activity', 'load-prices'],
      ],
    )
    for (const [, operation = '', text = ''] of loads) {
      const { status, json } = await service.send(`/operations-api/v1/${operation}`, {
        headers: { authorization: `Bearer ${await service.token('operations')}`, 'content-type': 'text/csv' },
        body: text,
      })
      assert.equal(status, 200)
      assert.deepEqual(json.data.rejects, [])
      assert.equal(json.data.accepted, text.trim().split('\n').length - 1)
    }
  })

  for (const [, operation = '', asOf = '', account = '', text = ''] of answers) {
    test(`${operation} ${asOf} ${account} returns what the page says`, async () => {
      const { names, rows } = readTable(text)
      assert.ok(rows.length > 0)
      const tell = rowsOf[operation]
      const said = rows.map((row) => row.map(plain))
      if (tell !== undefined) {
        assert.deepEqual(said, await tell(names, asOf))
        return
      }
      const { json } = await service.post(operation, { accountNumber: account || accountNumber, asOf })
      assert.deepEqual(
        said,
        rows.map(([field = '']) => [plain(field), plain(valueAt(json.data, plain(field)))]),
      )
    })
  }

  test('pass the verification of the books', async () => {
    const { data } = await service.operations.operations.verifyBooks({ accountNumber })
    assert.deepEqual([data.verified, data.breaks], [true, []])
  })
})
