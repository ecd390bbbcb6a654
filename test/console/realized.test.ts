/** The console's tabs of positions, realized gains and margin, and its screen of corrections, in a real Chromium. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { button, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('an account', () => {
  browsing('shows its realized gains by term, and its tax year by box of Form 8949', async () => {
    const { page, open } = await as('viewer')
    const year = new Date().getUTCFullYear()
    const [from, to] = [`${year - 5}-01-01`, `${year}-12-31`]
    const accountNumber = '30100001'
    await open(`/console/accounts/${accountNumber}?tab=realized&from=${from}&to=${to}`)
    const asked = { accountNumber, dateFrom: from, dateTo: to }
    const { closings, totals } = (await desk.service.alpha.realizedGains(asked)).data
    assert.ok(closings.length > 0)
    const long = page.getByRole('region', { name: 'Long term' })
    const shown = await long.locator('dt', { hasText: 'Allowed gain or loss' }).locator('+ dd').innerText()
    assert.equal(Number(shown.replaceAll(',', '').replace('−', '-')), totals.longTerm.gainLossAllowed)
    const table = page.getByRole('group', { name: 'Closings' })
    assert.equal(await table.locator('tbody tr').count(), closings.length)
    const form = button(page, `Form 8949 of ${year}`)
    const [download] = await Promise.all([page.waitForEvent('download'), form.click()])
    assert.equal(download.suggestedFilename(), `form-8949-${year}-${accountNumber}.csv`)
    assert.match(readFileSync(await download.path(), 'utf8'), /^Box,Description of property,/)

    const sold = Number(closings[0]?.closeDate.slice(0, 4))
    await open(`/console/accounts/${accountNumber}?tab=realized&from=${sold}-01-01&to=${sold}-12-31`)
    const { data: report } = await desk.service.alpha.taxReport({ accountNumber, year: sold })
    assert.ok(report.boxes.length > 0)
    const boxes = page.getByRole('group', { name: 'Boxes of Form 8949' }).locator('tbody tr')
    for (const [place, { box, count, gainLoss }] of report.boxes.entries()) {
      const cells = await boxes.nth(place).locator('td').allInnerTexts()
      assert.match(cells[0] ?? '', new RegExp(`^${box} (short|long) term, `))
      assert.equal(cells[1], String(count))
      assert.equal(Number(cells[5]?.replaceAll(',', '').replace('−', '-')), gainLoss)
    }
    assert.equal(await boxes.count(), report.boxes.length)
  })
})

describe('positions', () => {
  browsing('reads the values of past months one after another, and not again at each change', async () => {
    const { page, open, visit } = await as('operator')
    let running = 0
    let runningMost = 0
    let reads = 0
    await page.route('**/position-summary', async (route) => {
      if (!(route.request().postData() ?? '').includes('asOf')) return route.continue()
      reads += 1
      running += 1
      runningMost = Math.max(runningMost, running)
      const response = await route.fetch()
      running -= 1
      await route.fulfill({ response })
    })
    await open('/console/accounts/30100001?tab=positions')
    await page.getByRole('img', { name: /^Account value: / }).waitFor()
    assert.deepEqual([reads, runningMost], [12, 1])
    const changed = page.waitForResponse((response) => response.url().endsWith('/position-summary'))
    await desk.service.alpha.updateAccount({
      accountNumber: '30100008',
      primaryOwner: { jobTitle: 'Diver' },
    })
    await changed
    await visit('/console/accounts/30100001?tab=lots')
    assert.equal(reads, 12)
    await page.unroute('**/position-summary')
  })

  browsing(
    'a price has its day in New York, also in the evening, when it is the next day in UTC',
    async () => {
      const { page, open: visit } = await as('viewer')
      await page.route('**/position-summary', async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll(
          /"priceDate":"[^"]+"/g,
          '"priceDate":"2026-01-06T02:30:00Z"',
        )
        await route.fulfill({ response, body })
      })
      await visit('/console/accounts/30100001?tab=positions')
      await page.getByRole('group', { name: 'Positions' }).getByText('Jan 5, 2026').first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
    },
  )
})

describe('corrections', () => {
  browsing('lists the lines that came after a day was closed, and the amounts that they change', async () => {
    const { operations, alpha } = desk.service
    const accountNumber = '30100001'
    const closed = (await alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })).data
    const late = { acctNo: accountNumber, transType: 'Deposit', netAmount: '77.50', acctType: '1' }
    const { data } = await operations.operations.loadActivity({
      lines: { ndjson: [{ ...late, externalId: 'late-deposit', tradeDate: closed.closedDate }] },
    })
    assert.deepEqual(data.rejects, [])
    const { page, open } = await as('viewer')
    await open('/console/books/corrections')
    await page.getByText('Enter an account number.').waitFor()
    await open(`/console/books/corrections?accountNumber=${accountNumber}`)
    const row = page.getByRole('row', { name: /Late Deposit late-deposit/ })
    await row.waitFor()
    assert.equal(await row.getByText('77.50').count(), 2)
    await page.getByRole('link', { name: `Account ${accountNumber}` }).click()
    await page.waitForURL(`**/accounts/${accountNumber}*`)
    // The trail names the closed day in the form of the screens.
    await open('/console/audit?action=close-business-day')
    await page.locator(`[aria-label="Audit rows"] time[datetime="${closed.closedDate}"]`).first().waitFor()
  })
})

describe('margin interest', () => {
  browsing('lists the nights of each close, and those that a later line changed', async () => {
    const { operations, alpha } = desk.service
    const accountNumber = '30100002'
    const accept = { acceptOpen: { reason: 'Of a test.' } }
    const { closedDate } = (await alpha.sandbox.closeBusinessDay(accept)).data
    const late = { acctNo: accountNumber, transType: 'Withdrawal', netAmount: '-36000', acctType: '2' }
    const { data } = await operations.operations.loadActivity({
      lines: { ndjson: [{ ...late, externalId: 'late-withdrawal', tradeDate: closedDate }] },
    })
    assert.deepEqual(data.rejects, [])
    await alpha.sandbox.closeBusinessDay(accept)
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}?tab=margin`)
    const row = page.getByRole('row', { name: /instead of/ })
    await row.getByText('after later lines').waitFor()
    assert.equal(await row.locator(`time[datetime="${closedDate}"]`).count(), 1)
    await row.getByText(/^(8\.50|25\.50|34\.00)$/).waitFor()
  })
})

describe('pending lines and differences', () => {
  browsing('lists lines of future days, with the load that brought them', async () => {
    const { operations } = desk.service.operations
    const tradeDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const line = { acctNo: '30100001', acctType: '1', transType: 'Deposit', netAmount: '1234.50' }
    const { data } = await operations.loadActivity({
      lines: { ndjson: [{ ...line, externalId: 'deposit-to-come', tradeDate }] },
    })
    assert.deepEqual(data.rejects, [])
    const { page, open } = await as('viewer')
    await open('/console/books/pending')
    const row = page.getByRole('row', { name: /Deposit.*1,234\.50/ })
    await row.getByRole('link', { name: 'deposit-to-come' }).waitFor()
    await open('/console/books/pending?accountNumber=30100002')
    await page.getByText('Account 30100002: no line is pending.').waitFor()
    assert.equal(await page.getByText('no line is pending').count(), 1)
    await open('/console/books/pending?accountNumber=30100001')
    await page
      .getByRole('region', { name: 'Account 30100001' })
      .getByRole('row', { name: /Deposit/ })
      .waitFor()
  })

  browsing('lists the securities of which locations hold a different quantity from customers', async () => {
    const { operations } = desk.service.operations
    const { page, open } = await as('viewer')
    await open('/console/books/locations')
    await page.getByText('Positions can be compared only with a report for the day.').waitFor()
    const { data: compared } = await operations.listLocationDifferences({})
    const report = {
      location: 'DTC',
      asOfDate: compared.businessDate,
      symbol: 'ANCR',
      quantity: '1000000007',
    }
    const { data } = await operations.loadLocationPositions({ lines: { ndjson: [report] } })
    assert.deepEqual(data.rejects, [])
    await open('/console/books/locations')
    const row = page.getByRole('row', { name: /ANCHOR BANCORP/ })
    await row.getByText('DTC 1,000,000,007').waitFor()
    await row.getByRole('link', { name: 'ANCR', exact: true }).click()
    await page.waitForURL('**/books/stock-record?security=ANCR')
  })
})
