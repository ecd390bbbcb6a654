/** Requests of the staff for information about an application, in a real Chromium. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { button, dialog, factOf, fill, inDialog, openDesk, send } from './desk.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

async function isDone(page: Page) {
  await dialog(page).waitFor({ state: 'detached' })
}

async function stateOf(accountNumber: string) {
  return (await desk.service.alpha.onboardingResult({ accountNumber })).data.currentState
}

describe('in a review', () => {
  browsing('a person asks the firm for a field, and the application waits for the answer', async () => {
    const application = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${application}/application`)
    await button(page, 'Ask the firm').click()
    await fill(page, { What: 'Correction of a field', Reason: 'The passport has another date.' })
    await inDialog(page, 'Ask').click()
    await dialog(page).getByText('A correction or completion needs the field that it is about.').waitFor()
    await fill(page, { About: 'Primary owner › Date of birth' })
    await inDialog(page, 'Ask').click()
    await isDone(page)
    assert.equal(await stateOf(application), 'ActionRequired')
    await open(`/console/accounts/${application}/application`)
    await page.getByRole('row', { name: /Correction of a field Primary owner › Date of birth/ }).waitFor()
    const why = await button(page, 'Approve').getAttribute('aria-description')
    assert.equal(why, 'It waits for the firm: it can be rejected, but not approved.')
  })
  browsing('a person asks the firm for several things at once', async () => {
    const application = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${application}/application`)
    await button(page, 'Ask the firm').click()
    await inDialog(page, 'Ask').click()
    await dialog(page).getByText('Reason is required.').waitFor()
    assert.equal(await dialog(page).getByRole('alert').count(), 0)
    await fill(page, { What: 'Correction of a field', Reason: 'The passport has another date.' })
    const more = inDialog(page, 'Ask for more')
    for (const number of [2, 3]) {
      await more.press('Enter')
      const item = dialog(page).getByRole('group', { name: `Request ${number}` })
      await item.getByLabel('What').and(page.locator(':focus')).waitFor()
      await item.getByLabel('What').selectOption('Proof of address')
      await item.getByLabel('Reason').fill(`Reason ${number}`)
    }
    await button(page, 'Remove request 2').press('Enter')
    await more.and(page.locator(':focus')).waitFor()
    await inDialog(page, 'Ask').click()
    const first = dialog(page).getByRole('group', { name: 'Request 1' })
    await first.getByText('A correction or completion needs the field that it is about.').waitFor()
    await first.getByLabel('About').selectOption('Primary owner › Date of birth')
    await inDialog(page, 'Ask').click()
    await isDone(page)
    await page.getByRole('row', { name: /Proof of address Utility bill or Bank statement/ }).waitFor()
    const { data } = await desk.service.alpha.onboardingResult({ accountNumber: application })
    const waiting = data.followUps.filter(({ status }) => status === 'Open')
    assert.deepEqual(
      waiting.map(({ code, reasons }) => [code, reasons]),
      [
        ['FieldCorrection', ['The passport has another date.']],
        ['AddressDocument', ['Reason 3']],
      ],
    )
  })
  browsing('an application that waits for a match leads to it', async () => {
    const application = await waitingMatch(desk.service.alpha)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${application}/application`)
    await page.getByRole('link', { name: 'Compare the match' }).click()
    await page.waitForURL(`**/accounts/${application}/screening`)
  })

  browsing('a person waives a request that the firm cannot answer', async () => {
    const application = await waitingApplication(desk.service.alpha)
    await desk.service.operations.operations.requestInformation({
      accountNumber: application,
      requests: [
        {
          code: 'FieldCorrection',
          field: 'primaryOwner.birthDate',
          reason: 'The passport has another date.',
        },
        { code: 'AddressDocument', field: 'primaryOwner', reason: 'A bill with the street.' },
      ],
    })
    const { page, open } = await as('operator')
    await open(`/console/accounts/${application}/application`)
    await page
      .getByRole('row', { name: /Date of birth/ })
      .getByRole('button', { name: 'Waive' })
      .click()
    await fill(page, { Reason: 'The old passport has expired.' })
    await inDialog(page, 'Waive').click()
    await isDone(page)
    await page.getByRole('row', { name: /Date of birth Waived/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Waive' }).count(), 1)
    assert.equal(await stateOf(application), 'ActionRequired')
  })

  browsing('a person rejects what waits for the firm, and the screen shows who did', async () => {
    const { accountNumber } = await waitingDocument(desk.service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    assert.equal(await stateOf(accountNumber), 'ActionRequired')
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/application`)
    await send(page, 'Reject', { Reason: 'The customer withdrew.' }, 'Reject')
    assert.equal(await stateOf(accountNumber), 'Rejected')
    await open(`/console/accounts/${accountNumber}/application`)
    // The person comes from the audit trail, after the result.
    const decision = factOf(page, 'Decision')
    await decision.filter({ hasText: 'by operator@example.com' }).waitFor()
    const decided = await decision.innerText()
    assert.match(decided, /^Rejected by operator@example\.com at .+\nThe customer withdrew\.$/)
    const why = await button(page, 'Reject').getAttribute('aria-description')
    assert.match(why ?? '', /^It was decided by operator@example\.com at .+: The customer withdrew\.$/)
  })
})
