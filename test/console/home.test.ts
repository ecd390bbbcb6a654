/**
 * The home screen in a real Chromium: late work, waiting work, failures and the close of the last day, each with a link
 * to the screen where a person deals with it.
 */
import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import type { Route } from 'playwright-core'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { closeDays } from './close-days.ts'
import { openDesk } from './desk.ts'
import { makeFailingWebhook } from './failing-webhook.ts'
import { countsRows } from './in-page.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk
const daysClosed = 6
const dayMs = 86_400_000

function amountOf(amount: unknown) {
  return Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })
}

describe('home', () => {
  let late = ''
  before(async () => {
    if (!desk.isOpen) return
    late = await waitingApplication(desk.service.alpha)
    const operator = await signInOutside(desk.service, 'operator@example.com')
    await operator.call('place-restriction', {
      accountNumber: '30100006',
      restrictionCode: 'ReturnedMail',
      reason: 'A letter came back.',
    })
    await desk.service.operations.operations.loadPrices({ lines: { ndjson: [{ symbol: 'NOSUCH' }] } })
    await closeDays(desk.service, daysClosed)
  })

  browsing('states in one sentence what is late, what waits and what failed, each with a link', async () => {
    const { page, open } = await as('operator')
    await open('/console/')
    const sentence = page.locator('.sentence')
    const { work, total: ofAll } = (
      await desk.service.operations.operations.listWork({ late: true, counted: true })
    ).data
    // The restriction is for a principal.
    const others = work.filter(({ queue }) => queue === 'Change' || queue === 'Restriction').length
    const total = Number(ofAll) - others
    assert.ok(others > 0 && total > 0 && work.length === ofAll)
    await sentence.getByText(`For your role, ${total} item`).waitFor()
    await sentence
      .getByRole('link', { name: `${ofAll} for all roles` })
      .first()
      .waitFor()
    await sentence.getByRole('link', { name: `${total} item` }).click()
    await page.waitForURL(/\/work\?.*waiting=late/)
    await settle(page)
    assert.equal(await page.getByLabel('Waiting', { exact: true }).inputValue(), 'late')
    await page.getByRole('status').filter({ hasText: 'j and k' }).waitFor()
    await page.getByText(`Showing ${total} of ${total}.`).waitFor()
  })

  browsing('offers no claim of work that is not for the role, and each claim names its item', async () => {
    const { page, open } = await as('operator')
    await open('/console/')
    const items = page.getByRole('list', { name: 'Late' }).getByRole('listitem')
    const descriptionOf = (hasText: string) =>
      items.filter({ hasText }).getByRole('button', { name: 'Claim' }).getAttribute('aria-description')
    const restriction = await descriptionOf('Place restriction')
    assert.equal(restriction, 'Work of the queue Restriction is not for the role operator.')
    assert.match((await descriptionOf(late)) ?? '', new RegExp(late))
    const operator = await signInOutside(desk.service, 'operator@example.com')
    const { json } = await operator.call('list-changes', { accountNumber: '30100006', state: 'Requested' })
    const [{ changeId }] = json.data.changes
    assert.equal((await operator.call('withdraw-change', { changeId })).status, 200)
  })

  browsing('counts ages and days by the service’s clock, which is days ahead of the browser’s', async () => {
    const { page, open } = await as('viewer')
    await open('/console/')
    const item = page.getByRole('list', { name: 'Late' }).getByRole('listitem').filter({ hasText: late })
    await item.getByText(/^\d+ d$/).waitFor()
    const { now } = (await desk.service.alpha.sandbox.getClock({})).data
    await open('/console/reports')
    const day = easternDay(new Date(now))
    assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), day)
  })

  browsing('shows how late an item with a due time is, and the latest item first', async () => {
    const { page, open } = await as('viewer')
    await open('/console/')
    const items = page.getByRole('list', { name: 'Late' }).getByRole('listitem')
    const call = items.filter({ hasText: 'Margin calls' }).first()
    await call.getByText(/^\d+ (d|h|min) late$/).waitFor()
    const { work } = (await desk.service.operations.operations.listWork({ late: true, size: 10 })).data
    const lateSince = work.map(
      ({ queue, dueBy, since }) =>
        Date.parse(dueBy ?? since) + (dueBy === null || queue === 'Call' ? dayMs : 0),
    )
    const firstLate = work[lateSince.indexOf(Math.min(...lateSince))]
    await items
      .first()
      .filter({ hasText: firstLate?.accountNumber ?? '' })
      .waitFor()
  })

  browsing('shows late work with its owner; a person claims it there and is led to it', async () => {
    const { page, open } = await as('operator')
    await open('/console/')
    const item = page.getByRole('list', { name: 'Late' }).getByRole('listitem').filter({ hasText: late })
    await item.getByText('nobody has it').waitFor()
    await item.getByRole('button', { name: 'Claim' }).click()
    await page.getByRole('heading', { name: `Application ${late}` }).waitFor()
    await open('/console/')
    await item.getByText('operator@example.com').waitFor()
    await item.getByRole('button', { name: 'Go on' }).waitFor()
  })

  browsing('shows each role its own work: claimed work, approvals, failures', async () => {
    const operator = await as('operator')
    await operator.open('/console/')
    const own = operator.page.getByRole('list', { name: 'Yours' }).getByRole('listitem')
    await own.filter({ hasText: late }).waitFor()
    const principal = await as('principal')
    await principal.open('/console/')
    await principal.page.getByText('No change waits for a second person.').waitFor()
    const requester = await signInOutside(desk.service, 'operator@example.com')
    await requester.call('place-restriction', {
      accountNumber: '30100008',
      restrictionCode: 'ReturnedMail',
      reason: 'In doubt',
    })
    const approvals = principal.page.getByRole('list', { name: 'For your approval' })
    await approvals.getByRole('listitem').filter({ hasText: '30100008' }).waitFor()
    const admin = await as('admin')
    await admin.open('/console/')
    await admin.page.getByRole('region', { name: 'Failed jobs and webhooks' }).waitFor()
    const viewer = await as('viewer')
    await viewer.open('/console/')
    await viewer.page.getByRole('list', { name: 'Late' }).waitFor()
    for (const title of ['Yours', 'For your approval', 'Failed jobs and webhooks'])
      assert.equal(await viewer.page.getByRole('region', { name: title }).count(), 0)
  })

  browsing('leads from a cause of failures to the screen where they are corrected', async () => {
    const { page, open } = await as('operator')
    await open('/console/')
    const causes = page.getByRole('list', { name: 'Broke' })
    await causes.getByRole('link', { name: 'Correct' }).first().click()
    await page.getByRole('heading', { name: 'Load of prices' }).waitFor()
  })

  browsing('shows since when the deliveries of a webhook fail, and leads to them', async () => {
    const webhookId = await makeFailingWebhook(desk.service)
    const { page, open } = await as('operator')
    await open('/console/')
    const item = page
      .getByRole('list', { name: 'Broke' })
      .getByRole('listitem')
      .filter({ hasText: 'Webhook of Alpha Securities fails' })
    await item.getByText(/^since /).waitFor()
    await item.getByText('Order desk').waitFor()
    await item.getByRole('link', { name: 'Open' }).click()
    await page.waitForURL(/\/firms\/[-\da-f]+\?webhook=/)
    const deliveries = page.getByRole('region', { name: 'Deliveries' })
    assert.equal(await deliveries.getByLabel('Webhook', { exact: true }).inputValue(), webhookId)
    await deliveries.getByText('No answer').waitFor()
    await desk.service.alpha.deleteWebhook({ webhookId })
  })

  browsing('leads to the calls due for liquidation, with the amounts that meet each now', async () => {
    const { page, open } = await as('viewer')
    const { alpha } = desk.service
    const overdue = (await alpha.listCalls({})).data.calls.filter((call) => call.overdue)
    assert.ok(overdue.length > 0)
    await open('/console/books/calls?met=overdue')
    const calls = page.getByRole('group', { name: 'Calls of Alpha Securities' })
    const rows = calls.locator('tbody tr[data-index]')
    await rows.first().waitFor()
    assert.equal(await rows.count(), overdue.length)
    for (const { accountNumber, accountName, kind } of overdue) {
      const now = (await alpha.balanceSummary({ accountNumber })).data.calls.find(
        (call) => call.kind === kind,
      )
      const row = rows.filter({ hasText: accountNumber }).first()
      await row.getByText(accountName, { exact: true }).waitFor()
      await row.getByText(amountOf(now?.outstanding)).waitFor()
      if (now?.sellAmount) await row.getByText(amountOf(now.sellAmount)).waitFor()
    }
    await page.getByText('Beta Brokerage: no call is overdue.').waitFor()
    const { data: all } = await desk.service.operations.operations.listFirms({})
    const own = all.firms.find(({ entityNumbers }) => entityNumbers.length === 0)
    assert.equal(await page.getByText(`${own?.name}: no call is overdue.`).count(), 0)
    const [{ accountNumber, kind } = assert.fail('no call is overdue')] = overdue
    const { data } = await alpha.balanceSummary({ accountNumber })
    await open(`/console/accounts/${accountNumber}?tab=margin`)
    const openCalls = page.getByRole('group', { name: 'Open margin calls' }).locator('tbody tr[data-index]')
    await openCalls.first().waitFor()
    assert.equal(await openCalls.count(), data.calls.length)
    // The inbox has the same name for it.
    const [name = ''] = (await openCalls.first().locator('td').first().innerText()).split('\n')
    await open('/console/work?queue=Call')
    await page.getByRole('link', { name }).first().waitFor()
    await open(`/console/accounts/${accountNumber}?tab=margin`)
    await openCalls
      .getByText(amountOf(data.calls.find((call) => call.kind === kind)?.outstanding))
      .first()
      .waitFor()
  })

  browsing('shows queues with waiting items, and no empty queue', async () => {
    const { page, open } = await as('viewer')
    await open('/console/')
    const { queues } = (await desk.service.operations.operations.getOverview({})).data
    const shown = page.getByRole('list', { name: 'Queues of work' }).getByRole('listitem')
    const waiting = queues.filter(({ count }) => count > 0)
    await shown.nth(waiting.length - 1).waitFor()
    assert.equal(await shown.count(), waiting.length)
  })

  browsing('shows how the last day was closed, and draws the closes when there are five', async () => {
    const { page, open } = await as('viewer')
    await open('/console/')
    const { closes } = (await desk.service.operations.operations.listCloses({})).data
    const panel = page.getByRole('region', { name: 'Last business day' })
    await panel.getByText('Closed with open items').waitFor()
    assert.equal(await panel.locator('figure li').count(), closes.length)
    assert.ok(closes.length >= daysClosed)
  })

  browsing('draws the last twenty closes when there are more', async () => {
    const { page, open } = await as('viewer')
    const dayBefore = (day: string) => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)
    const lengthen = async (route: Route) => {
      const response = await route.fetch()
      const json = await response.json()
      const { closes } = json.data
      while (closes.length < 21)
        closes.push({ ...closes.at(-1), closedDate: dayBefore(closes.at(-1).closedDate) })
      await route.fulfill({ response, json })
    }
    await page.route('**/list-closes', lengthen)
    await open('/console/')
    const panel = page.getByRole('region', { name: 'Last business day' })
    await panel.getByText('Time that each of the last 20 closes took').waitFor()
    assert.equal(await panel.locator('figure li').count(), 20)
    await panel.getByText('median of 20 days').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  browsing('the inbox shows for each item with a due time how long is left, or how late it is', async () => {
    const { alpha, operations } = desk.service
    const { page, open } = await as('viewer')
    const { now } = (await alpha.sandbox.getClock({})).data
    const { work } = (await operations.operations.listWork({ queues: ['Call'] })).data
    assert.ok(work.length > 0)
    await open('/console/work?queue=Call')
    await page.waitForFunction(countsRows, ['tbody tr[data-index]', work.length] as const)
    const due = await page.locator('tbody tr[data-index] td:nth-child(7)').allInnerTexts()
    for (const [index, { dueBy }] of work.entries()) {
      // A call is due until the end of its day.
      const left = Date.parse(dueBy ?? '') + dayMs - Date.parse(now)
      assert.match(due[index] ?? '', left < 0 ? /^\d+ (min|h|d) late$/ : /^in \d+ (min|h|d)$/)
      const [days] = /\d+(?= d)/.exec(due[index] ?? '') ?? []
      // The clock advances between the two readings.
      if (days !== undefined) assert.ok(Math.abs(Math.abs(left) / dayMs - Number(days)) < 1.1)
    }
  })
})
