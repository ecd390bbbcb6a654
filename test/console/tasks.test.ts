/** The commonest tasks with real keys alone, in no more of them than `docs/guides/console.md` says; and what follows a decision. */
import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { settle } from './browser.ts'
import { button, dialog, openDesk } from './desk.ts'
import { handsOn } from './keys.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk
const taxIdNumber = '000000004'

/** The dialog of an act is open, and its first field has the focus. */
async function isAsked(page: Page) {
  await dialog(page).locator(':focus').waitFor()
}

async function isDone(page: Page) {
  await dialog(page).waitFor({ state: 'detached' })
}

function palette(page: Page) {
  return dialog(page).getByLabel('Account, person, tax id, firm, document, screen or action')
}

async function stateOf(accountNumber: string) {
  return (await desk.service.alpha.onboardingResult({ accountNumber })).data.currentState
}

describe('from anywhere, Ctrl-K', () => {
  let application = ''
  before(async () => {
    if (desk.isOpen) application = await waitingApplication(desk.service.alpha, { taxIdNumber })
  })

  browsing('finds an application by its tax id, which is decided within six keys', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    const hands = handsOn(page)
    await hands.press('Control+k')
    await palette(page).waitFor()
    await hands.type(taxIdNumber)
    // The answer may come later than the key.
    await hands.press('Enter')
    await page.getByRole('heading', { name: `Application ${application}` }).waitFor()
    await settle(page)
    assert.doesNotMatch(page.url(), new RegExp(taxIdNumber))
    await hands.press('a')
    await isAsked(page)
    await hands.press('Control+Enter')
    await isDone(page)
    assert.notEqual(await stateOf(application), 'ManualReview')
    assert.ok(hands.count <= 6, `${hands.count} keys`)
  })

  const destinations: [typed: string, heading: string | RegExp][] = [
    ['sato', 'INES SATO'],
    ['alpha', 'Alpha Securities'],
    ['301', 'Alpha Securities'],
    ['stock rec', 'Stock record'],
    ['load a file', 'Loads'],
    ['work: doc', 'Work'],
  ]
  for (const [typed, heading] of destinations) {
    browsing(`leads to "${heading}" for "${typed}"`, async () => {
      const { page, open } = await as('operator')
      await open('/console/profile')
      await page.keyboard.press('Control+k')
      await palette(page).fill(typed)
      await dialog(page).getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await isDone(page)
    })
  }

  browsing('leads from the number of an account to each of its documents', async () => {
    const bill = await waitingDocument(desk.service.alpha, { name: 'bill.pdf', content: samplePdf() })
    const { page, open } = await as('viewer')
    await open('/console/')
    await button(page, 'Go to').click()
    await palette(page).fill(bill.accountNumber)
    await dialog(page)
      .getByRole('option', { name: /Electricity bill/i })
      .click()
    await page.getByRole('heading', { level: 1, name: /Electricity bill/i }).waitFor()
  })

  browsing('offers a viewer no action that the role may not do', async () => {
    const { page, open } = await as('viewer')
    await open('/console/')
    await page.keyboard.press('Control+k')
    await palette(page).fill('load a file')
    await dialog(page).getByText('Nothing is found.').waitFor()
    await page.keyboard.press('Escape')
    await isDone(page)
  })
})

describe('after a decision', () => {
  browsing('the next item of the queue opens, and Back leads to the list with its filter', async () => {
    const first = await waitingApplication(desk.service.alpha)
    const second = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    await page.locator('tr', { hasText: first }).getByRole('link').first().click()
    await page.getByRole('heading', { name: `Application ${first}` }).waitFor()
    await settle(page)
    await page.keyboard.press('a')
    await isAsked(page)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: `Application ${second}` }).waitFor()
    await settle(page)
    await page.keyboard.press('a')
    await isAsked(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Nothing more waits in applications.').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Work' }).waitFor()
    assert.equal(await page.getByLabel('Queue', { exact: true }).inputValue(), 'Application')
    await page.getByText('Nothing waits here.').waitFor()
  })

  browsing('a match is cleared from the inbox within four keys', async () => {
    const accountNumber = await waitingMatch(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Match')
    await page.locator('tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    const hands = handsOn(page)
    await hands.press('Enter')
    await page.getByText('90 of 100').waitFor()
    await settle(page)
    await hands.press('a')
    await isAsked(page)
    await hands.type('Another person')
    await hands.press('Control+Enter')
    await isDone(page)
    const { data } = await desk.service.operations.operations.listMatches({ accountNumber })
    assert.equal(data.matches[0]?.decision, 'Cleared')
    assert.ok(hands.count <= 4, `${hands.count} keys`)
  })

  browsing('a claim is undone by a button', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    await page.locator('tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    await page.keyboard.press('c')
    await page.locator('tr', { hasText: accountNumber }).getByText('You', { exact: true }).waitFor()
    await button(page, 'Undo').click()
    await page.locator('tr', { hasText: accountNumber }).getByText('unassigned').waitFor()
    const { data } = await desk.service.operations.operations.listWork({ accountNumber })
    assert.equal(data.work[0]?.assignedTo, '')
  })
})
