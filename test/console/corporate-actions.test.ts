/**
 * Announced corporate actions in the console: the list with its filters, one action with its dates and entitled
 * positions, elections with their errors, and the lines that the close books.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import type { Page } from 'playwright-core'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow, until } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { closeDays } from './close-days.ts'
import { button, dialog, factOf, fill, inDialog, openDesk } from './desk.ts'
import { findCutTables, scrollToEnd } from './in-page.ts'
import { handsOn } from './keys.ts'

const desk = openDesk()
const { as, browsing } = desk

const choice = {
  type: 'Dividend',
  options: [
    { option: 'Cash', type: 'Dividend', cashPerShare: '0.5' },
    { option: 'Shares', type: 'StockDividend', ratio: '1:20', cashInLieuPrice: '10' },
  ],
  defaultOption: 'Cash',
}

function operations() {
  return desk.service.operations.operations
}
async function today() {
  return (await desk.service.alpha.sandbox.getClock({})).data.businessDate
}

/** A security, and an account that holds so many shares of it. */
async function held(symbol: string, quantity: string, on: string): Promise<string> {
  const security = { symbol, secTypeName: 'Common Stock' }
  const { data: added } = await operations().loadSecurities({ lines: { ndjson: [security] } })
  assert.deepEqual(added.rejects, [])
  const acctNo = await openAndFollow(desk.service.alpha, applicationOf({}))
  const trade = { transType: 'Trade', buySell: 'BUY', symbol, quantity, price: '10', tradeDate: on }
  const { data } = await operations().loadActivity({
    lines: { ndjson: [{ externalId: `bought-${symbol}`, acctNo, ...trade }] },
  })
  assert.deepEqual(data.rejects, [])
  return acctNo
}

async function positionsOf(corporateActionId: string) {
  return (await desk.service.alpha.listActionEntitlements({ corporateActionId })).data.entitlements
}

/** Announces an action. If accounts hold its security, waits for their entitlements. */
async function announce(line: Record<string, unknown>, isHeld = true): Promise<string> {
  const { data } = await operations().loadCorporateActions({ lines: { ndjson: [line] } })
  assert.deepEqual(data.rejects, [])
  const corporateActionId = String(line.externalId)
  if (isHeld)
    await until(
      () => positionsOf(corporateActionId),
      ({ length }) => length > 0,
    )
  return data.loadId
}

function rowOf(page: Page, text: string) {
  return page.locator('tbody tr', { hasText: text })
}

describe('the list of corporate actions', () => {
  browsing(
    'says what each gives, the latest pay date first, and is filtered by state and symbol',
    async () => {
      const first = await today()
      const day = (count: number) => addMarketDays(first, count)
      await held('WRDA', '10', first)
      await held('WRDB', '10', first)
      const dates = { recordDate: day(3), payDate: day(5) }
      await announce({
        externalId: 'w-cash',
        type: 'Dividend',
        symbol: 'WRDA',
        ...dates,
        cashPerShare: '0.25',
      })
      await announce({
        externalId: 'w-split',
        type: 'Split',
        symbol: 'WRDA',
        exDate: day(6),
        payDate: day(6),
        ratio: '3:2',
        cashInLieuPrice: '48.1',
      })
      await announce({
        externalId: 'w-spin',
        type: 'Spinoff',
        symbol: 'WRDA',
        ...dates,
        payDate: day(7),
        ratio: '1:10',
        toSymbol: 'WRDB',
        costShare: '0.2',
      })
      await announce({
        ...choice,
        externalId: 'w-choice',
        symbol: 'WRDB',
        ...dates,
        payDate: day(8),
        deadline: day(4),
      })
      await announce({ externalId: 'w-void', cancelType: 'C', tagNo: 'w-cash' }, false)
      const { page, open, wrongs } = await as('viewer')
      await open('/console/books/corporate-actions')
      await rowOf(page, 'w-cash').waitFor()
      assert.deepEqual(await page.locator('tbody tr td:first-child').allInnerTexts(), [
        'w-choice',
        'w-spin',
        'w-split',
        'w-cash',
      ])
      await rowOf(page, 'w-cash').getByText('0.25 per share', { exact: true }).waitFor()
      await rowOf(page, 'w-split')
        .getByText('3 for 2, fractions paid at 48.1 a share', { exact: true })
        .waitFor()
      await rowOf(page, 'w-spin').getByText('1 WRDB per 10, 0.2 of the cost', { exact: true }).waitFor()
      const both = rowOf(page, 'w-choice')
      await both.getByText('Cash: 0.5 per share (default)', { exact: true }).waitFor()
      await both.getByText('Shares: 1 share per 20, fractions paid at 10 a share', { exact: true }).waitFor()
      await page.getByLabel('Symbol', { exact: true }).fill('wrdb')
      await page.keyboard.press('Enter')
      await rowOf(page, 'w-cash').waitFor({ state: 'detached' })
      assert.equal(await page.locator('tbody tr').count(), 1)
      await page.getByLabel('State', { exact: true }).selectOption('Booked')
      await page.getByText('No corporate action matches.').waitFor()
      await button(page, 'Clear').click()
      await page.getByLabel('State', { exact: true }).selectOption('Cancelled')
      await rowOf(page, 'w-cash').getByRole('link', { name: 'w-cash' }).click()
      await page.getByText('It was cancelled by w-void, and none of its lines counts.').waitFor()
      await page.getByText('Alpha Securities: no position is entitled.').waitFor({ state: 'detached' })
      await rowOf(page, 'Reversed').waitFor()
      assert.deepEqual(wrongs, [])
    },
  )
})

describe('a corporate action', () => {
  browsing('is reached by keys, shows its dates and load, and a viewer learns who may elect', async () => {
    const first = await today()
    const account = await held('KEYS', '40', first)
    const [deadline, payDate] = [addMarketDays(first, 2), addMarketDays(first, 4)]
    const loadId = await announce({
      ...choice,
      externalId: 'k/1?a=%41#b',
      symbol: 'KEYS',
      exDate: deadline,
      payDate,
      deadline,
    })
    const { page, open } = await as('viewer')
    await open('/console/')
    const hands = handsOn(page)
    await hands.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await hands.type('corporate')
    await hands.press('Enter')
    await page.getByRole('heading', { name: 'Corporate actions', level: 1 }).waitFor()
    const link = page.getByRole('link', { name: 'k/1?a=%41#b', exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Cash dividend of KEYS', level: 1 }).waitFor()
    await page.reload()
    await settle(page)
    await page.getByText(/^Its lines are booked on /).waitFor()
    const dates = page.getByRole('region', { name: 'Dates' })
    assert.deepEqual(
      await dates
        .locator('time[datetime]')
        .evaluateAll((all) => all.slice(1).map((one) => one.getAttribute('datetime'))),
      [deadline, deadline, payDate],
    )
    await dates.getByText('Shares without an election get the default, Cash.', { exact: false }).waitFor()
    assert.equal(
      await factOf(page, 'Load').getByRole('link').getAttribute('href'),
      `/console/books/loads/${loadId}`,
    )
    const elect = rowOf(page, account).getByRole('button', { name: 'Elect…' })
    assert.equal(await elect.getAttribute('aria-disabled'), 'true')
    assert.match((await elect.getAttribute('aria-description')) ?? '', /operator/)
    await page.getByLabel('Account number').fill('30100008')
    await page.keyboard.press('Enter')
    await page.getByText('Account 30100008: no position is entitled.').waitFor()
  })

  browsing('takes an election by keys, with a preview, and shows errors at their fields', async () => {
    const first = await today()
    const account = await held('ELCT', '105', first)
    const [deadline, payDate] = [addMarketDays(first, 1), addMarketDays(first, 3)]
    await announce({ ...choice, externalId: 'e-1', symbol: 'ELCT', exDate: deadline, payDate, deadline })
    const { page, open, wrongs } = await as('operator')
    await open('/console/books/corporate-actions/action?id=e-1')
    await button(page, 'Elect…').click()
    const [option, quantity] = [dialog(page).getByLabel('Option 1'), dialog(page).getByLabel('Quantity 1')]
    await dialog(page).getByText('105 × Cash (default): 0.5 per share').waitFor()
    await fill(page, { 'Quantity 2': '5' })
    await inDialog(page, 'Elect').click()
    assert.equal(await option.getAttribute('aria-invalid'), 'true')
    await fill(page, { 'Quantity 2': '', 'Option 1': 'Shares', 'Quantity 1': 'many' })
    await inDialog(page, 'Elect').click()
    await dialog(page).getByText('Quantity must be a decimal number above zero.').waitFor()
    assert.equal(await quantity.getAttribute('aria-invalid'), 'true')
    await quantity.fill('105.1')
    await dialog(page).getByText('The elections must be for 105 shares at most.').waitFor()
    await inDialog(page, 'Elect').click()
    await dialog(page).getByText('The elections are for 105.1 shares, and the position has 105.').waitFor()
    await quantity.fill('50.5')
    await dialog(page).getByText('50.5 × Shares: 1 share per 20').waitFor()
    await dialog(page).getByText('54.5 × Cash (default): 0.5 per share').waitFor()
    await quantity.fill('')
    await dialog(page).getByText('105 × Shares: 1 share per 20').waitFor()
    await inDialog(page, 'Elect').click()
    await dialog(page).waitFor({ state: 'detached' })
    const row = rowOf(page, account)
    await row.getByText('All that are left × Shares').waitFor()
    await row.getByText('operator@example.com').waitFor()

    await button(page, 'Elect…').focus()
    await page.keyboard.press('Enter')
    await dialog(page).locator('select:focus').waitFor()
    assert.equal(await option.inputValue(), 'Shares')
    await page.keyboard.press('Tab')
    await page.keyboard.type('50')
    await page.keyboard.press('Control+Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await row.getByText('50 × Shares').waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing(
    'takes no election after its deadline, and shows its lines after the close that books them',
    async () => {
      const account = (await positionsOf('e-1'))[0]?.accountNumber ?? ''
      const { page, open } = await as('operator')
      await open('/console/books/corporate-actions/action?id=e-1')
      await button(page, 'Elect…').click()
      await fill(page, { 'Quantity 1': '60' })
      await closeDays(desk.service, 2)
      await inDialog(page, 'Elect').click()
      await dialog(page)
        .getByText(/^The deadline was /)
        .waitFor()
      await inDialog(page, 'Cancel').click()
      const elect = page.locator('button[data-operation=elect][aria-disabled=true]')
      assert.match((await elect.getAttribute('aria-description')) ?? '', /^The deadline was /)
      await closeDays(desk.service, 1)
      await until(
        () => desk.service.alpha.listCorporateActions({ corporateActionId: 'e-1' }),
        ({ data }) => data.corporateActions[0]?.state === 'Booked',
      )
      await open('/console/books/corporate-actions/action?id=e-1')
      await page.getByText(/^The lines of all holders are booked\. Trades/).waitFor()
      const row = rowOf(page, account)
      await row.getByText('27.50').waitFor()
      assert.equal(await page.locator('button[data-operation=elect]').count(), 0)
      await row.getByRole('link', { name: 'Dividend', exact: true }).click()
      await page.waitForURL(/tab=activity/)
      await settle(page)
      await page.getByRole('group', { name: 'Activity' }).getByText('27.50').first().waitFor()
      await open(`/console/accounts/${account}?tab=positions`)
      await page
        .getByRole('region', { name: 'Entitlements' })
        .getByRole('link', { name: 'Cash dividend of ELCT' })
        .click()
      const shown = page.getByRole('region', { name: `Account ${account}` })
      await shown.getByText('Booked', { exact: true }).waitFor()
    },
  )

  browsing('that was amended shows its version, what changed, and the elections that are void', async () => {
    const first = await today()
    const account = await held('AMND', '100', first)
    const day = (count: number) => addMarketDays(first, count)
    const line = { ...choice, symbol: 'AMND', exDate: day(1), payDate: day(5), deadline: day(3) }
    await announce({ ...line, externalId: 'a-1' })
    await desk.service.alpha.elect({
      corporateActionId: 'a-1',
      accountNumber: account,
      elections: [{ option: 'Shares', quantity: '60' }],
    })
    const [cash, shares] = choice.options
    const paid = { amends: 'a-1', payDate: '2099-03-02' }
    const richer = { ...cash, cashPerShare: '0.6' }
    const loadId = await announce(
      { ...line, ...paid, externalId: 'a-1-rate', options: [richer, shares] },
      false,
    )
    const nothing = { option: 'Shares', type: 'None' }
    await announce({ ...line, ...paid, externalId: 'a-1-type', options: [richer, nothing] }, false)
    const { page, open, wrongs } = await as('operator')
    await open('/console/books/corporate-actions?symbol=AMND')
    await rowOf(page, 'a-1').getByText('amended, version 3').waitFor()
    await rowOf(page, 'a-1').getByRole('link', { name: 'a-1', exact: true }).click()
    assert.equal(await factOf(page, 'Version of the terms').innerText(), '3')
    const amendments = page.getByRole('region', { name: 'Amendments', exact: true }).first()
    assert.deepEqual(await amendments.locator('tbody tr td:first-child').allInnerTexts(), ['3', '2'])
    const rate = amendments.locator('tbody tr', { hasText: 'a-1-rate' })
    await rate.getByText(/^Pay date: .* → Mar 2, 2099$/).waitFor()
    await rate.getByText('Cash, cash per share: 0.5 → 0.6', { exact: true }).waitFor()
    assert.equal(
      await rate.getByRole('link', { name: 'a-1-rate' }).getAttribute('href'),
      `/console/books/loads/${loadId}`,
    )
    await amendments.getByText('Shares, type: Dividend in shares → Nothing', { exact: true }).waitFor()
    const row = rowOf(page, account)
    await row.getByText('60 × Shares').waitFor()
    await row.getByText('Void', { exact: true }).waitFor()
    await row
      .getByText('The option Shares of the amended corporate action gives something else.', { exact: true })
      .waitFor()
    await row.getByRole('button', { name: 'Elect…' }).click()
    await dialog(page)
      .getByText(/An amendment made an earlier choice void: 60 × Shares\. Those shares get the default/)
      .waitFor()
    assert.equal(await dialog(page).getByLabel('Option 1').inputValue(), '')
    await dialog(page).getByText('100 × Cash (default): 0.6 per share').waitFor()
    await inDialog(page, 'Cancel').click()

    // Eleven columns would not fit beside the menu.
    await page.setViewportSize({ width: 1100, height: 800 })
    await open(`/console/accounts/${account}?tab=positions`)
    await page.getByRole('region', { name: 'Entitlements' }).getByText('60 × Shares').waitFor()
    assert.deepEqual(await page.evaluate(findCutTables, 1100), [])
    await open(`/console/accounts/${account}?tab=audit`)
    const voided = rowOf(page, 'Void elections')
    await voided
      .getByText(/^Corporate action ID: a-1, Account type: Cash, Elections: option Shares/)
      .waitFor()
    await voided.getByRole('button', { name: 'More of the detail' }).press('Enter')
    const whole = voided.locator('.detail')
    assert.equal(await whole.evaluate((text) => text.scrollHeight > text.clientHeight + 1), false)
    await voided.getByRole('button', { name: 'Less of the detail' }).waitFor()
    await open('/console/audit')
    await page.getByLabel('Action', { exact: true }).fill('Void elections')
    await page.keyboard.press('Enter')
    await page.getByText('Showing 1 of 1.').waitFor()
    await rowOf(page, account).getByText('Void elections', { exact: true }).waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing('that does not exist, and an account without any, are stated', async () => {
    const { page, open } = await as('viewer')
    await open('/console/books/corporate-actions/action?id=none')
    await page.getByText('There is no corporate action with this id.').waitFor()
    await open('/console/accounts/30100001?tab=positions')
    await page.getByText('No announced corporate action concerns this account.').waitFor()
  })
})

describe('a file of announcements', () => {
  browsing('is loaded from the screen of corporate actions, and the list is read page by page', async () => {
    const first = await today()
    const lines = Array.from(
      { length: 120 },
      (_, index) =>
        `f-${index},Dividend,ANCR,${addMarketDays(first, 20)},${addMarketDays(first, 30)},${index + 1}`,
    )
    const csv = ['externalId,type,symbol,recordDate,payDate,cashPerShare', ...lines].join('\n')
    const { page, open, wrongs } = await as('operator')
    await open('/console/books/corporate-actions')
    await button(page, 'Announce from a file').click()
    assert.equal(await dialog(page).getByLabel('What').inputValue(), 'load-corporate-actions')
    await dialog(page).getByText('In CSV, the options of an action are a JSON array in one cell.').waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog(page).getByLabel('File').click(),
    ])
    await chooser.setFiles({ name: 'actions.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await inDialog(page, 'Load').click()
    await page.getByRole('heading', { name: 'Load of corporate actions', level: 1 }).waitFor()
    await factOf(page, 'Accepted').filter({ hasText: /^120$/ }).waitFor()
    await open('/console/books/corporate-actions?symbol=ANCR')
    await page.getByText('Showing the first 100; there are more below.').waitFor()
    await page.locator('.table-region[aria-label="Corporate actions"]').evaluate(scrollToEnd)
    await page.getByText('Showing 120 of 120.').waitFor()
    assert.deepEqual(wrongs, [])
  })
})
