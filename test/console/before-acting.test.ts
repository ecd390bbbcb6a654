/** What a person reads before an action, in a real Chromium: on a correction, a change, the checklist and a load. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { signIn } from '../acceptance/person.ts'
import { button, dialog, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('a correction', () => {
  browsing('names the button that changes a field that it cannot change', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100002/correct')
    const described = async (name: string) => {
      const ids = await page.locator(`input[name="${name}"]`).getAttribute('aria-describedby')
      return page.locator(`[id="${ids?.split(' ')[0]}"]`).innerText()
    }
    const identity = 'Use “Tax id and citizenship…” on the account.'
    assert.equal(await described('primaryOwner.taxIdNumber'), identity)
    assert.equal(await described('primaryOwner.citizenshipCountry'), identity)
    assert.equal(await described('main.marginIndicator'), 'Use “Margin and options…” on the account.')
    assert.match(await described('primaryOwner.nameType'), /cannot be changed/)
  })
})

describe('a change', () => {
  browsing('that the record has overtaken can be rejected, but not approved', async () => {
    const accountNumber = '30100006'
    const operator = await signIn(desk.service, 'operator@example.com')
    const request = { accountNumber, mailingAddress: { street: '99 New Road' } }
    const { change } = (await operator.call('update-account', request)).json.data
    const { changes } = (await desk.service.operations.operations.listChanges({ accountNumber })).data
    const changeId = change?.changeId ?? changes[0]?.changeId
    const { page, open } = await as('principal')
    await open(`/console/changes/${changeId}`)
    // The record, which may have overtaken the change, comes after the change.
    await page.locator('.page-head', { hasText: /[A-Z]+ · Account 30100006/ }).waitFor()
    assert.equal(await button(page, 'Approve').getAttribute('aria-description'), null)
    await desk.service.alpha.updateAccount({ accountNumber, mailingAddress: { street: '100 Other Road' } })
    await open(`/console/changes/${changeId}`)
    const why = 'The record has changed since the request. Reject the change and request it again.'
    const notice = page.getByRole('alert').filter({ hasText: why })
    await notice.getByText('the record now has 100 OTHER ROAD').waitFor()
    assert.equal(await button(page, 'Approve').getAttribute('aria-description'), why)
    assert.equal(await button(page, 'Reject').getAttribute('aria-description'), null)
  })
})

describe('the checklist of the business day', () => {
  browsing('lists all securities with old prices, with links to their stock record', async () => {
    const { page, open } = await as('operator')
    const names = Array.from({ length: 14 }, (_, index) => `OLD${index}`)
    await page.route(/\/close-checklist$/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const item of body.data.checklist)
        if (item.item === 'StalePrices') Object.assign(item, { open: true, count: 14, names })
      await route.fulfill({ response, json: body })
    })
    await open('/console/books/business-day')
    const row = page.getByRole('row', { name: /Held securities whose latest price is too old/ })
    assert.equal(await row.getByRole('link', { name: /^OLD/ }).count(), 5)
    await row.getByRole('button', { name: 'Show all 14' }).click()
    assert.deepEqual(await row.getByRole('link', { name: /^OLD/ }).allInnerTexts(), names)
    const last = row.getByRole('link', { name: 'OLD13' })
    assert.equal(await last.getAttribute('href'), '/console/books/stock-record?security=OLD13')
    await page.unrouteAll({ behavior: 'wait' })
  })
})

describe('a load of a file', () => {
  browsing('asks for the kind first, and takes that of the filtered list', async () => {
    const { page, open } = await as('operator')
    const content = Buffer.from('{"acctNo":"30100001","colour":"red"}\n')
    await open('/console/books/loads')
    await button(page, 'Load a file').click()
    const kind = dialog(page).getByLabel('What')
    assert.equal(await kind.inputValue(), '')
    const file = { name: 'trades.ndjson', mimeType: 'application/x-ndjson', buffer: content }
    await dialog(page).locator('input[type=file]').setInputFiles(file)
    const load = dialog(page).getByRole('button', { name: 'Load', exact: true })
    assert.equal(await load.isDisabled(), true)
    await open('/console/books/loads?kind=load-activity')
    await button(page, 'Load a file').click()
    assert.equal(await kind.inputValue(), 'load-activity')
    await dialog(page).locator('input[type=file]').setInputFiles(file)
    await load.click()
    await page.getByRole('listitem', { name: 'Line 1' }).getByText('colour:', { exact: false }).waitFor()
  })
})
