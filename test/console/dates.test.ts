/** Days that a person types or that a link carries, in a real Chromium: filters, ranges, and the business date. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/src/database/test-waiting.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { settle } from './browser.ts'
import { button, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk
const accountNumber = '30100002'

function dayField(page: Page, label: string) {
  return page.getByLabel(label, { exact: true })
}

/** Types a day as a person does, from the first part of the field. */
async function typeDay(page: Page, label: string, keys: string): Promise<void> {
  await dayField(page, label).focus()
  await page.keyboard.type(keys)
}

/** The address changes before the field does. */
function hasDay(page: Page, label: string, day: string): Promise<boolean> {
  const shown = () => dayField(page, label).inputValue()
  return until(`${label} with "${day}" at ${page.url()}`, async () => (await shown()) === day)
}

function chosenIn(page: Page, name: string) {
  return new URL(page.url()).searchParams.get(name)
}

describe('a day that is typed', () => {
  const fields = [
    ['/console/audit', 'From', 'dateFrom'],
    ['/console/accounts', 'Created from', 'createdFrom'],
    ['/console/renewals', 'Falls from', 'fallsFrom'],
    ['/console/reports', 'From', 'from'],
    [`/console/accounts/${accountNumber}?tab=positions`, 'As of the end of', 'asOf'],
    [`/console/accounts/${accountNumber}?tab=positions`, 'Beside the end of', 'against'],
    [`/console/accounts/${accountNumber}?tab=activity`, 'From', 'from'],
    [`/console/accounts/${accountNumber}?tab=realized`, 'To', 'to'],
    [`/console/accounts/${accountNumber}?tab=history`, 'From', 'from'],
  ] as const
  browsing('applies by Enter in every field, and no part of it applies before', async () => {
    const { page, open } = await as('operator')
    const { now, businessDate } = (await desk.service.alpha.sandbox.getClock({})).data
    const today = easternDay(new Date(now))
    for (const [address, label, name] of fields) {
      await open(address)
      // The business date, which may be after today, comes later and would replace a typed day.
      if (label === 'To') await hasDay(page, label, businessDate > today ? businessDate : today)
      const before = page.url()
      await typeDay(page, label, '06012026')
      assert.equal(page.url(), before, `${address} ${label}`)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get(name) === '2026-06-01')
      await settle(page)
      await hasDay(page, label, '2026-06-01')
      await page.locator(`input[type=date]:focus`).waitFor()
    }
  })

  browsing('applies on leaving the field, and an incomplete one says what is missing', async () => {
    const { page, open } = await as('operator')
    await open('/console/audit')
    await typeDay(page, 'From', '0601')
    await dayField(page, 'From').blur()
    await page.getByText('Enter the month, the day and the year.').waitFor()
    assert.equal(chosenIn(page, 'dateFrom'), null)
    await typeDay(page, 'From', '06012026')
    await dayField(page, 'From').blur()
    await page.waitForURL(/dateFrom=2026-06-01/)
    await page.getByText('Enter the month').waitFor({ state: 'detached' })
    await typeDay(page, 'From', '06010226')
    await dayField(page, 'From').blur()
    await page.getByText('Enter a year from 1900 to 2199.').waitFor()
    assert.equal(chosenIn(page, 'dateFrom'), '2026-06-01')
    await button(page, 'Clear').click()
    await page.waitForURL((url) => !url.searchParams.get('dateFrom'))
    await hasDay(page, 'From', '')
  })

  browsing(
    'that was deleted shows the default again, and a day of the calendar applies at once',
    async () => {
      const { page, open } = await as('operator')
      await open(`/console/accounts/${accountNumber}?tab=activity`)
      const first = await dayField(page, 'From').inputValue()
      // The calendar of the browser reports a whole day without a key.
      await dayField(page, 'From').fill('2026-01-05')
      await page.waitForURL(/from=2026-01-05/)
      await dayField(page, 'From').focus()
      for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
        await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => !url.searchParams.get('from'))
      await hasDay(page, 'From', first)
    },
  )
})

describe('after the close', () => {
  browsing('the activity shows the lines of the business date, which is then tomorrow', async () => {
    const { alpha, operations } = desk.service
    await alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
    const { now, businessDate } = (await alpha.sandbox.getClock({})).data
    assert.ok(easternDay(new Date(now)) < businessDate)
    const trade = {
      acctNo: accountNumber,
      acctType: '1',
      transType: 'Trade',
      buySell: 'BUY',
      symbol: 'ANCR',
      quantity: '3',
      price: '91.25',
      netAmount: '-273.75',
      tradeDate: businessDate,
      externalId: 'after-the-close',
    }
    const { data } = await operations.operations.loadActivity({ lines: { ndjson: [trade] } })
    assert.deepEqual(data.rejects, [])
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}?tab=activity`)
    await page.getByRole('group', { name: 'Activity' }).getByText('273.75').waitFor()
    assert.equal(await dayField(page, 'To').inputValue(), businessDate)
  })

  browsing('a break leads to its trade, also if the trade was reported days later', async () => {
    const { operations } = desk.service.operations
    const trade = {
      acctNo: '30100001',
      acctType: '1',
      transType: 'Trade',
      buySell: 'SEL',
      symbol: 'ANCR',
      quantity: '7000000',
      price: '1.50',
      tradeDate: '2025-03-03',
      settleDate: '2025-03-04',
      externalId: 'reported-late',
    }
    const { data } = await operations.loadActivity({ lines: { ndjson: [trade] } })
    assert.deepEqual(data.rejects, [])
    const { page, open } = await as('viewer')
    await open('/console/books/breaks')
    const row = page.locator('tbody tr', { hasText: 'reported-late' })
    await row.getByRole('link', { name: 'Mar 3, 2025' }).click()
    await page.waitForURL(/tab=activity/)
    await settle(page)
    await page.getByRole('group', { name: 'Activity' }).getByText('7,000,000').first().waitFor()
  })
})
