/** The screen of renewals, in a real Chromium: it lists and filters the accounts, and asks them to renew. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('the screen of renewals', () => {
  browsing('lists what falls due, and asks the accounts shown to renew it', async () => {
    const governmentId1 = {
      idType: 'Passport',
      idNumber: 'P8812345',
      idLocation: 'US',
      idExpiration: '2041-03-01',
    }
    const accountNumber = await openAndFollow(
      desk.service.alpha,
      applicationOf({ governmentIdentification: { governmentId1 } }),
    )
    const { page, visit, wrongs } = await as('operator')
    const ask = page.locator('[data-operation="request-renewal"]')
    await visit('/console/renewals')
    assert.equal(await ask.getAttribute('aria-disabled'), 'true')
    const held = Promise.withResolvers<void>()
    await page.route('**/list-renewals', (route) => held.promise.then(() => route.continue()))
    await page.getByLabel('Kind', { exact: true }).selectOption('IdentityDocument')
    // The rows are still those of all kinds.
    await page
      .locator('[data-operation="request-renewal"][aria-description="The list is loading."]')
      .waitFor()
    held.resolve()
    await visit('/console/renewals?kind=IdentityDocument&state=Coming')
    await page.getByRole('link', { name: accountNumber }).waitFor()
    // Until the filtered rows have come, the button is for those of the list before.
    await ask.filter({ hasText: 'Ask the account to renew' }).click()
    await page.getByRole('status').filter({ hasText: 'Asked: 1' }).waitFor()
    await settle(page)
    const { data } = await desk.service.operations.operations.listRenewals({
      accountNumber,
      kind: 'IdentityDocument',
    })
    assert.equal(data.renewals[0]?.state, 'Asked')
    await visit(`/console/accounts/${accountNumber}`)
    await page
      .getByRole('link', { name: /^\d answers are awaited, the first by [A-Z][a-z]+ \d+, 20\d\d$/ })
      .click()
    await page
      .getByRole('region', { name: 'Follow-ups' })
      .getByRole('button', { name: 'Waive' })
      .first()
      .waitFor()
    await visit('/console/renewals?kind=IdentityDocument&state=Asked')
    const due = page.locator('tr', { hasText: accountNumber }).locator('[data-label="Answer due"] a')
    assert.equal(await due.getAttribute('href'), `/console/accounts/${accountNumber}/application`)
    assert.deepEqual(wrongs, [])
  })
})
