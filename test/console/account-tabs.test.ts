/** What the tabs and dialogs of an account say about amounts, cancels, requests and duplicates, in a real Chromium. */
import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import { applicationFor, applicationOf, newTaxId } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { button, dialog, factOf, fill, openDesk, send } from './desk.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk
const accountNumber = '30100005'
const requested = 'requested. It takes effect when a second person approves it, and not before.'

describe('the tabs of an account', () => {
  before(async () => {
    if (!desk.isOpen) return
    const { operations } = desk.service.operations
    const { businessDate } = (await desk.service.alpha.sandbox.getClock({})).data
    const line = { acctNo: accountNumber, acctType: '1', tradeDate: businessDate }
    const trade = { ...line, transType: 'Trade', buySell: 'BUY', symbol: 'ANCR', price: '91' }
    const load = async (...lines: Readonly<Record<string, string>>[]) => {
      const { data } = await operations.loadActivity({ lines: { ndjson: lines } })
      assert.deepEqual(data.rejects, [])
    }
    const original = { ...trade, quantity: '10', commission: '4.95', netAmount: '-914.95' }
    await load(
      { ...line, transType: 'Deposit', netAmount: '98765432109.85', externalId: 'large' },
      { ...original, externalId: 'bought' },
    )
    await load(
      {
        ...trade,
        quantity: '-10',
        netAmount: '914.95',
        externalId: 'undone',
        cancelType: 'C',
        tagNo: 'bought',
      },
      { ...trade, quantity: '11', netAmount: '-1001', externalId: 'again', rebill: 'Y', tagNo: 'bought' },
    )
    const away = { acctNo: accountNumber, symbol: 'HRBR', quantity: '40', asOfDate: businessDate }
    const { data } = await operations.loadHeldAway({ lines: { ndjson: [{ ...away, custodian: 'OTHER' }] } })
    assert.deepEqual(data.rejects, [])
  })

  browsing('mark cancels, cancelled lines and rebills of the activity, the newest first', async () => {
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}?tab=activity&symbol=ANCR`)
    const table = page.getByRole('group', { name: 'Activity' })
    // The business date, which may be after today, comes after the first lines.
    await table.getByText('Rebill', { exact: true }).waitFor()
    const rows = await table.locator('tbody tr[data-index]').allInnerTexts()
    assert.match(rows[0] ?? '', /Rebill\s+of bought/)
    assert.match(rows[1] ?? '', /Cancel\s+of bought/)
    assert.match(rows[2] ?? '', /Cancelled\s+billed again[\s\S]*commission 4\.95[\s\S]*bought/)
    await table.getByText('98,765,432,109.85').waitFor({ state: 'detached' })
    await page.getByLabel('Kind', { exact: true }).selectOption('all')
    await page.getByLabel('Symbol', { exact: true }).fill('')
    await table.getByText('98,765,432,109.85').waitFor()
    await table.getByText('Rebill', { exact: true }).waitFor()
  })

  browsing('name the currency of each amount that is not in US dollars', async () => {
    const { operations } = desk.service.operations
    // The demonstration has rates of the euro on business days.
    const { businessDate, now } = (await desk.service.alpha.sandbox.getClock({})).data
    const securities = [{ symbol: 'SEK1', currency: 'SEK', secTypeName: 'Common Stock' }]
    const price = {
      symbol: 'SEK1',
      price: '101.5',
      priceType: 'LastClose',
      priceDate: now,
    }
    const bought = {
      acctNo: accountNumber,
      acctType: '1',
      transType: 'Trade',
      buySell: 'BUY',
      symbol: 'SEK1',
    }
    const amounts = {
      quantity: '10',
      price: '100',
      commission: '12.5',
      netAmount: '-1012.5',
      currency: 'SEK',
    }
    const line = { ...bought, ...amounts, tradeDate: businessDate, externalId: 'in-kronor' }
    for (const { data } of [
      await operations.loadSecurities({ lines: { ndjson: securities } }),
      await operations.loadFxRates({
        lines: { ndjson: [{ currency: 'SEK', rate: '1.1', date: businessDate }] },
      }),
      await operations.loadPrices({ lines: { ndjson: [price] } }),
      await operations.loadActivity({ lines: { ndjson: [line] } }),
    ])
      assert.deepEqual(data.rejects, [])
    const { page, open } = await as('viewer')
    await open(`/console/accounts/${accountNumber}?tab=activity&symbol=SEK1`)
    const shown = page.getByRole('group', { name: 'Activity' }).locator('tbody tr[data-index]')
    await shown.getByText('100.00 SEK', { exact: true }).waitFor()
    await shown.getByText('12.50 SEK', { exact: true }).waitFor()
    await shown.getByText('−1,012.50 SEK', { exact: true }).waitFor()
    await page.getByLabel('Symbol', { exact: true }).fill('NONE')
    await page.getByText('No line of this range matches.').waitFor()
    await open(`/console/accounts/${accountNumber}?tab=positions`)
    const held = page
      .getByRole('group', { name: 'Positions', exact: true })
      .locator('tr', { hasText: 'SEK1' })
    await held.getByText('101.50 SEK', { exact: true }).waitFor()
  })

  browsing('mark a position held away and an unknown cost, and the values add up', async () => {
    const { page, open } = await as('viewer')
    const { data } = await desk.service.alpha.positionSummary({ accountNumber })
    assert.ok(Number(data.assetsHeldAway) > 0)
    const unknown = data.portfolios.find(({ unrealizedGainLoss }) => unrealizedGainLoss.noCost === 'Y')
    assert.ok(unknown)
    await open(`/console/accounts/${accountNumber}?tab=positions`)
    const shown = await factOf(page, 'Held away').innerText()
    assert.equal(Number(shown.replaceAll(',', '')), Number(data.assetsHeldAway))
    for (const tab of ['positions', 'lots']) {
      await open(`/console/accounts/${accountNumber}?tab=${tab}`)
      const table = page.getByRole('group', { name: tab === 'lots' ? 'Lots' : 'Positions', exact: true })
      await table.getByText('Held away', { exact: true }).first().waitFor()
      const row = table.locator('tbody tr', { hasText: unknown.symbol }).filter({ hasText: 'unknown' })
      await row.first().waitFor()
    }
  })

  browsing('name the day of past values, and say that the key figures are of now', async () => {
    const { page, open } = await as('viewer')
    const figures = page.getByRole('group', { name: 'Key figures' })
    await open(`/console/accounts/${accountNumber}?tab=positions&asOf=2026-06-30`)
    await page.getByText('at the end of Jun 30, 2026').waitFor()
    await figures.getByText('Account value now, USD').waitFor()
    await open(`/console/accounts/${accountNumber}?tab=positions`)
    await figures.getByText('Account value, USD').waitFor()
  })

  browsing('keep the key figures that were read when others fail, and read those again', async () => {
    const { page, open } = await as('viewer')
    const figures = page.getByRole('group', { name: 'Key figures' })
    const labelled = (label: string) => figures.locator('div', { hasText: label }).locator('strong')
    const failing = /\/position-summary$/
    await page.route(failing, (route) => route.fulfill({ status: 500, body: '{}' }))
    await open(`/console/accounts/30100002`)
    await figures.getByText('not available').first().waitFor()
    assert.equal(await labelled('Account value').innerText(), 'not available')
    assert.match(await labelled('Largest call').innerText(), /^[\d,.]+$/)
    await page.unroute(failing)
    await button(page, 'Try again').click()
    await labelled('Account value')
      .getByText(/^−?[\d,.]+$/)
      .waitFor()
  })

  browsing('keep a large amount within its column, at every width', async () => {
    const { page, open, close } = await signIn('viewer')
    for (const width of [320, 360, 768, 992, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await open(`/console/accounts/${accountNumber}`)
      const figures = await page.getByRole('group', { name: 'Key figures' }).locator('strong').all()
      assert.match((await figures[0]?.innerText()) ?? '', /^98,765,\d{3},\d{3}\.\d\d$/)
      for (const figure of figures)
        assert.ok(
          await figure.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
          `${width}`,
        )
    }
    await close()
  })
})

describe('a request that waits for a second person', () => {
  browsing('is not called done, and leads to the change, which says what it suspends', async () => {
    const { page, open, wrongs } = await as('operator')
    await open('/console/accounts/30100007')
    await button(page, 'Restrict…').click()
    await fill(page, { Restriction: 'ReturnedMail' })
    const suspends = 'Suspends withdrawals of money, transfers of securities out.'
    await dialog(page).getByText(suspends).waitFor()
    await fill(page, { Reason: 'In doubt' })
    await dialog(page).getByRole('button', { name: 'Place a restriction' }).click()
    await page.getByText(`30100007: ${requested}`).waitFor()
    await page.getByRole('link', { name: 'Open the change' }).click()
    await page.waitForURL(/\/changes\//)
    await settle(page)
    await page.getByText(suspends, { exact: false }).waitFor()
    await open('/console/accounts/30100007?tab=restrictions')
    const name = 'Place restriction: Mail came back from the address on file'
    await page.getByRole('link', { name }).waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing('is said for the end of a restriction too, and a correction names what stops it', async () => {
    const { alpha, operations } = desk.service
    const restricted = await openAndFollow(alpha, applicationFor('Individual'))
    await operations.operations.placeRestriction({
      accountNumber: restricted,
      restrictionCode: 'LegalHold',
      reason: 'A levy.',
    })
    const { page, open } = await as('operator')
    await open(`/console/accounts/${restricted}/correct`)
    await page.getByText('No correction can be sent until it ends').waitFor()
    const held = await openAndFollow(alpha, applicationFor('Individual'))
    const hold = { restrictionCode: 'ProtectedAdult', holdGround: 'Impairment', reason: 'A call.' }
    await operations.operations.placeRestriction({ accountNumber: held, ...hold })
    await open(`/console/accounts/${held}/correct`)
    await page.getByText('only a correction of the trusted contact alone can be sent').waitFor()
    await open(`/console/accounts/${restricted}?tab=restrictions`)
    await send(page, 'End…', { Reason: 'Released.' }, 'End the restriction')
    await page.getByText(`${restricted}: ${requested}`).waitFor()
  })
})

describe('a possible duplicate', () => {
  browsing('names the accounts of the same person', async () => {
    const { alpha } = desk.service
    const owner = { taxIdNumber: newTaxId() }
    const first = await openAndFollow(alpha, applicationOf(owner))
    const second = await openAndFollow(alpha, applicationOf(owner, { main: { repCode: 'JC02' } }))
    const { page, open } = await as('operator')
    await open(`/console/accounts/${second}/application`)
    await page.getByText(/Rule: The person does not have the same registration already/).waitFor()
    await page.getByRole('link', { name: first, exact: true }).click()
    await page.waitForURL(`**/accounts/${first}`)
  })
})

describe('text of a row', () => {
  browsing('is selected by dragging without opening the row', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts')
    const row = page.locator('tbody tr[data-opens]').first()
    const box = await row.locator('td').nth(1).boundingBox()
    assert.ok(box)
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + 8, y)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, y, { steps: 4 })
    await page.mouse.up()
    assert.equal(new URL(page.url()).pathname, '/console/accounts')
    await page.mouse.click(box.x + box.width - 4, y)
    await page.waitForURL(/\/accounts\/\d+/)
  })
})
