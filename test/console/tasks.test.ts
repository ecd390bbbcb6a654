/**
 * The most common tasks, done with real keys and no mouse in at most the number of keys that `docs/guides/console.md`
 * states, and the step after a decision.
 */
import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow, read } from '../acceptance/calling.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { act, button, dialog, fill, inDialog, openDesk, send } from './desk.ts'
import { coloursOfChoice } from './in-page.ts'
import { handsOn, mouseOn } from './keys.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk
const taxIdNumber = '000000004'

/** The dialog of an action is open, and its first field has the focus. */
async function isAsked(page: Page) {
  await dialog(page).locator(':focus').waitFor()
}

async function isDone(page: Page) {
  await dialog(page).waitFor({ state: 'detached' })
}

function palette(page: Page) {
  return dialog(page).getByLabel('Account, person, tax id, firm, document, screen or action')
}

/** The keys that follow go to the palette. */
function isReadyToType(page: Page) {
  return dialog(page).locator('input:focus').waitFor()
}

async function stateOf(accountNumber: string) {
  return (await desk.service.alpha.onboardingResult({ accountNumber })).data.currentState
}

describe('from anywhere, Ctrl-K', () => {
  let application = ''
  before(async () => {
    if (desk.isOpen) application = await waitingApplication(desk.service.alpha, { taxIdNumber })
  })

  browsing('finds an application by its tax id, and a person decides on it within six keys', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    const hands = handsOn(page)
    await hands.press('Control+k')
    await isReadyToType(page)
    await hands.type(taxIdNumber)
    // The response may arrive after the key.
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

  browsing('takes no key of the screen behind it while it is loading', async () => {
    const { page, close } = await signIn('operator', { at: '/console/work' })
    await page.route(/palette/, async (route) => {
      await page.keyboard.type('?')
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await isReadyToType(page)
    assert.equal(await page.getByText('Keys of the inbox').count(), 0)
    await close()
  })

  browsing('leads from the number of an account to each of its documents', async () => {
    const bill = await waitingDocument(desk.service.alpha, { name: 'bill.pdf', content: samplePdf() })
    const { page, open } = await as('viewer')
    await open('/console/')
    await button(page, 'Go to').click()
    await palette(page).fill(bill.accountNumber)
    await dialog(page).locator('[data-combobox-selected] .quiet').waitFor()
    const [choice, quiet] = await page.evaluate(coloursOfChoice)
    assert.equal(quiet, choice)
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
    await dialog(page).getByText('No results.').waitFor()
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
    await page.getByText('No further item waits in applications.').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Work' }).waitFor()
    assert.equal(await page.getByLabel('Queue', { exact: true }).inputValue(), 'Application')
    await page.getByText('No items wait.').waitFor()
  })

  browsing(
    'an item that a colleague has claimed is skipped, and its screen names the colleague',
    async () => {
      const [first, second, third] = [
        await waitingApplication(desk.service.alpha),
        await waitingApplication(desk.service.alpha),
        await waitingApplication(desk.service.alpha),
      ]
      const colleague = await signInOutside(desk.service, 'principal@example.com')
      await colleague.call('claim-work', { workIds: [`Application.${second}`] })
      const { page, open } = await as('operator')
      await open('/console/work?queue=Application')
      await page.locator('tr', { hasText: first }).getByRole('link').first().click()
      await page.getByRole('heading', { name: `Application ${first}` }).waitFor()
      assert.equal(await page.locator('h1:focus').innerText(), `Application ${first}`)
      await settle(page)
      await page.keyboard.press('a')
      await isAsked(page)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: `Application ${third}` }).waitFor()
      // The screen shows another application by now.
      await page.getByText(`${first}: done.`).waitFor()
      assert.equal(await page.locator('h1:focus').innerText(), `Application ${third}`)
      await settle(page)
      await page.keyboard.press('a')
      await isAsked(page)
      await page.keyboard.press('Control+Enter')
      await page.getByText('Colleagues have claimed the items that wait in applications.').waitFor()
      await open(`/console/accounts/${second}/application`)
      await page.getByText('Claimed by principal@example.com').waitFor()
      await page.keyboard.press('a')
      await isAsked(page)
      await page.keyboard.press('Control+Enter')
      await isDone(page)
    },
  )

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

  browsing('a document is approved from the inbox within three keys', async () => {
    const { accountNumber, documentId } = await waitingDocument(desk.service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    const { page, open } = await as('operator')
    await open('/console/work?queue=Document&order-work=-since')
    await page.getByRole('checkbox', { name: `Mark Utility bill ${accountNumber}` }).waitFor()
    await page.locator('tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    const hands = handsOn(page)
    await hands.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Electricity bill/i }).waitFor()
    await settle(page)
    await hands.press('a')
    await isAsked(page)
    await hands.press('Control+Enter')
    await isDone(page)
    const { data } = await desk.service.alpha.getDocumentDetails({ accountNumber })
    assert.equal(data.documents.find((one) => one.documentId === documentId)?.status, 'Approved')
    assert.ok(hands.count <= 3, `${hands.count} keys`)
  })

  browsing('a Form W-8BEN is approved with the day of its signature', async () => {
    const { accountNumber } = await waitingDocument(desk.service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    const { data: form } = await desk.service.alpha.addDocument({
      documentTypeName: 'New Accounts Documents',
      reference: 'W8BE',
      accountNumber,
      file: { name: 'w8ben.pdf', content: new Uint8Array(samplePdf()) },
    })
    const { documentId } = form
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/documents/${documentId}`)
    const signedOn = new Date(Date.now() - 86_400_000 * 3).toISOString().slice(0, 10)
    await act(page, 'Approve', { 'Signed on': signedOn }, 'Approve')
    const { data } = await desk.service.alpha.getDocumentDetails({ accountNumber, documentId })
    assert.deepEqual([data.documents[0]?.status, data.documents[0]?.signedOn], ['Approved', signedOn])
  })

  browsing('a requested restriction is withdrawn by Undo', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100005')
    await send(page, 'Restrict…', { Restriction: 'ReturnedMail', Reason: 'In doubt' }, 'Place a restriction')
    await button(page, 'Undo').click()
    await page.getByText('Undone.').waitFor()
    const { data } = await desk.service.operations.operations.listChanges({ accountNumber: '30100005' })
    assert.equal(data.changes[0]?.state, 'Withdrawn')
  })

  browsing('an action can no longer be undone after ten seconds, and stays', async () => {
    const { page, open, close } = await signIn('operator')
    await page.clock.install()
    await open('/console/accounts/30100006')
    await send(page, 'Restrict…', { Restriction: 'ReturnedMail', Reason: 'In doubt' }, 'Place a restriction')
    await button(page, 'Undo').waitFor()
    await page.clock.fastForward(10_000)
    await button(page, 'Undo').waitFor({ state: 'detached' })
    const { data } = await desk.service.operations.operations.listChanges({ accountNumber: '30100006' })
    assert.equal(data.changes[0]?.state, 'Requested')
    await close()
  })

  browsing('an assignment notifies the colleague, and is undone by a button', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application&order-work=-since')
    await page.locator('tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    await page.keyboard.press('x')
    await send(page, 'Assign to…', { Colleague: 'principal@example.com' }, 'Assign the work')
    const row = page.locator('tr', { hasText: accountNumber })
    await row.getByText('principal@example.com').waitFor()
    await button(page, 'Undo').click()
    await row.getByText('unassigned').waitFor()
    const colleague = await as('principal')
    await colleague.open('/console/')
    await button(colleague.page, '1 unread notification').click()
    await colleague.page.getByText('Assigned to you: applications').waitFor()
  })

  browsing('a claim is undone by a button', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application&order-work=-since')
    await page.locator('tr[aria-selected=true]', { hasText: accountNumber }).waitFor()
    await page.keyboard.press('c')
    await page.locator('tr', { hasText: accountNumber }).getByText('You', { exact: true }).waitFor()
    await button(page, 'Undo').click()
    await page.locator('tr', { hasText: accountNumber }).getByText('unassigned').waitFor()
    const { data } = await desk.service.operations.operations.listWork({ accountNumber })
    assert.equal(data.work[0]?.assignedTo, '')
  })
})

describe('a record', () => {
  browsing('has its address corrected from any screen, with the reason, within ten keys', async () => {
    const accountNumber = '30100004'
    const { page, open } = await as('operator')
    await open('/console/')
    const hands = handsOn(page)
    await hands.press('Control+k')
    await isReadyToType(page)
    await hands.type(accountNumber)
    await hands.press('Enter')
    await page.getByText(`Account ${accountNumber}`).first().waitFor()
    await settle(page)
    await hands.press('c')
    await page.locator('[aria-label="Find a field"]:focus').waitFor()
    await hands.type('mailing street')
    await hands.press('Enter')
    await page.locator('[name="mailingAddress.street"]:focus').waitFor()
    await hands.type('99 Harbor Street')
    await hands.press('Control+Enter')
    await page.locator('textarea[name="reason"]:focus').waitFor()
    await hands.type('The owner moved.')
    await hands.press('Control+Enter')
    await page.getByText('The correction waits').waitFor()
    const { data } = await desk.service.operations.operations.listChanges({ accountNumber })
    assert.deepEqual(
      data.changes[0]?.fields.map(({ field, after }) => [field, after]),
      [['mailingAddress.street', '99 HARBOR STREET']],
    )
    assert.ok(hands.count <= 10, `${hands.count} keys`)
  })

  browsing('has its change approved by a second person from the inbox within three keys', async () => {
    const { page, open } = await as('principal')
    await open('/console/work?queue=Change')
    await page.locator('tr[aria-selected=true]', { hasText: '30100004' }).waitFor()
    const hands = handsOn(page)
    await hands.press('Enter')
    await page.getByText('99 HARBOR STREET').first().waitFor()
    await settle(page)
    await hands.press('a')
    await isAsked(page)
    await hands.press('Control+Enter')
    await isDone(page)
    const { data } = await desk.service.alpha.getAccount({ accountNumber: '30100004' })
    assert.match(JSON.stringify(data), /99 HARBOR STREET/)
    const requester = await as('operator')
    await requester.open('/console/')
    await button(requester.page, '1 unread notification').click()
    await requester.page.getByRole('link', { name: 'Your change was decided' }).waitFor()
    assert.ok(hands.count <= 3, `${hands.count} keys`)
  })
})

describe('with the mouse', () => {
  browsing('an application is found from any screen and decided within four clicks', async () => {
    const tax = { taxIdNumber: '000000004', lastName: 'Clicker' }
    const application = await waitingApplication(desk.service.alpha, tax)
    const { page, open } = await as('operator')
    await open('/console/books/loads')
    const mouse = mouseOn()
    await mouse.click(button(page, 'Go to'))
    await palette(page).fill('CLICKER')
    await mouse.click(
      dialog(page)
        .getByRole('option', { name: /CLICKER/ })
        .first(),
    )
    await page.getByRole('heading', { name: `Application ${application}` }).waitFor()
    await settle(page)
    await mouse.click(button(page, 'Approve'))
    await mouse.click(inDialog(page, 'Approve'))
    await isDone(page)
    assert.notEqual(await stateOf(application), 'ManualReview')
    assert.ok(mouse.clicks <= 4, `${mouse.clicks} clicks`)
  })

  browsing('a match is cleared, and a document approved, from the inbox within three clicks', async () => {
    const match = await waitingMatch(desk.service.alpha)
    const bill = await waitingDocument(desk.service.alpha, { name: 'bill.pdf', content: samplePdf() })
    const { page, open } = await as('operator')
    const decide = async (queue: string, accountNumber: string, [label, submit]: [string, string]) => {
      await open(`/console/work?queue=${queue}&order-work=-since`)
      const mouse = mouseOn()
      await mouse.click(page.locator('tbody tr', { hasText: accountNumber }).getByRole('link').first())
      await mouse.click(button(page, label).first())
      if (queue === 'Match') await fill(page, { Reason: 'Another person' })
      await mouse.click(inDialog(page, submit))
      await isDone(page)
      assert.ok(mouse.clicks <= 3, `${mouse.clicks} clicks`)
    }
    await decide('Match', match, ['Clear…', 'Clear'])
    const { data } = await desk.service.operations.operations.listMatches({ accountNumber: match })
    assert.equal(data.matches[0]?.decision, 'Cleared')
    await decide('Document', bill.accountNumber, ['Approve', 'Approve'])
    const { documents } = (await desk.service.alpha.getDocumentDetails(bill)).data
    assert.equal(documents[0]?.status, 'Approved')
  })

  browsing('an address is corrected from any screen within five clicks', async () => {
    const accountNumber = '30100006'
    const { page, open } = await as('operator')
    await open('/console/')
    const mouse = mouseOn()
    await mouse.click(button(page, 'Go to'))
    await palette(page).fill(accountNumber)
    await mouse.click(dialog(page).getByRole('option', { name: accountNumber }).first())
    await mouse.click(page.getByRole('link', { name: 'Correct', exact: true }))
    const street = page.locator('[name="mailingAddress.street"]')
    await mouse.click(street)
    await street.fill('7 Quay Road')
    const reason = page.getByLabel('Reason')
    await mouse.click(reason)
    await reason.fill('The owner moved.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('The correction waits').waitFor()
    assert.ok(mouse.clicks <= 5, `${mouse.clicks} clicks`)
  })

  browsing('a foreign person who had no tax id gets one', async () => {
    const application = applicationFor('IndividualJointForeign')
    const { taxIdType: _type, taxIdNumber: _number, ...owner } = application.primaryOwner
    const withoutTaxId = { ...application, primaryOwner: owner }
    const accountNumber = await openAndFollow(desk.service.alpha, withoutTaxId)
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}/correct`)
    await page.locator('select[name="primaryOwner.taxIdType"]').selectOption('TaxId')
    await page.locator('input[name="primaryOwner.taxIdNumber"]').fill('912780455')
    await page.getByLabel('Reason').fill('The IRS assigned it.')
    await button(page, 'Send the correction').click()
    await page.getByText('The record is corrected').waitFor()
    assert.equal((await read(desk.service.alpha, accountNumber)).primaryOwner.taxIdNumber, '912780455')
  })
})

describe('a saved view', () => {
  browsing('is opened by its name from any screen, within three keys', async () => {
    const { page, open } = await as('viewer')
    await open('/console/work?queue=Match&order-work=-accountNumber')
    await button(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click()
    await fill(page, { Name: 'Matches by account' })
    await page.keyboard.press('Control+Enter')
    await button(page, 'View: Matches by account').waitFor()
    await open('/console/books/loads')
    const hands = handsOn(page)
    await hands.press('Control+k')
    await isReadyToType(page)
    await hands.type('view matches')
    await hands.press('Enter')
    await button(page, 'View: Matches by account').waitFor()
    assert.equal(await page.getByLabel('Queue', { exact: true }).inputValue(), 'Match')
    assert.ok(hands.count <= 3, `${hands.count} keys`)
    // The view was not saved for all staff.
    const colleague = await as('operator')
    await Promise.all([colleague.page.waitForResponse('**/list-views'), colleague.open('/console/work')])
    await button(colleague.page, 'Views').click()
    await colleague.page.getByRole('menuitem', { name: 'Save as a view…' }).waitFor()
    assert.equal(await colleague.page.getByRole('menuitem', { name: /^Matches by account/ }).count(), 0)
  })
})

describe('a note', () => {
  browsing('notifies the mentioned colleague, and the bell leads the colleague to it', async () => {
    const viewer = await as('viewer')
    const principal = await as('principal')
    await viewer.open('/console/')
    await principal.open('/console/accounts/30100001?tab=notes')
    await button(principal.page, 'Write a note').click()
    await fill(principal.page, { Note: 'Please look at the second page' })
    await dialog(principal.page).getByRole('combobox', { name: 'Mention' }).press('ArrowDown')
    await principal.page.getByRole('option', { name: /viewer@example.com/ }).click()
    await principal.page.keyboard.press('Control+Enter')
    await principal.page.getByText('mentions viewer@example.com').waitFor()
    await button(viewer.page, '1 unread notification').click()
    await viewer.page.getByText('Please look at the second page').waitFor()
    await viewer.page.getByRole('link', { name: 'You were mentioned in a note' }).click()
    await viewer.page.getByRole('region', { name: 'Notes' }).getByText('Please look at the second').waitFor()
    await button(viewer.page, 'Notifications').waitFor()
  })
})
