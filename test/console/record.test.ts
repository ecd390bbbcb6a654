/**
 * Reviewing in the console: records in plain words, corrections field by field, matches beside the entry of the list,
 * decisions by keys.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { codeLists } from '@clearing/protocol'
import type { Route } from 'playwright-core'
import {
  sampleBmp,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleTiff,
} from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { follow, openAndFollow, open as openApplication, read } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { act, button, dialog, fill, inDialog, openDesk } from './desk.ts'
import { asksBeforeLeaving, birthDatesShown, isDrawnUpon, isInView, watchBirthDates } from './in-page.ts'
import { waitingApplication, waitingDocument } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk

function dayInNewYork(at: string) {
  return easternDay(new Date(at))
}

function open(owner: object): Promise<string> {
  return openAndFollow(desk.service.alpha, applicationOf(owner))
}

describe('a record', () => {
  browsing('has plain labels and the customer as its title, and empty parts are folded', async () => {
    const accountNumber = await open({ firstName: 'Odile', lastName: 'Marchetti' })
    const { page, open: visit, wrongs } = await as('viewer')
    await visit(`/console/accounts/${accountNumber}`)
    await page.getByRole('heading', { name: /ODILE MARCHETTI/, level: 1 }).waitFor()
    const text = await page.locator('.record').innerText()
    for (const words of ['Primary owner', 'First name', 'Date of birth', 'Tax id', 'Mobile phone'])
      assert.match(text, new RegExp(words))
    assert.doesNotMatch(text, /Name1|benes|TaxId|Accum|\btrue\b|\bfalse\b/i)
    const summary = page.locator('.record summary').first()
    assert.match(await summary.innerText(), /^\d+ empty fields?$/)
    assert.deepEqual(wrongs, [])
  })
})

describe('a number without an account', () => {
  browsing('is named in the title, with a way back to the accounts', async () => {
    const { page, open: visit } = await as('viewer')
    await visit('/console/accounts/99999999')
    await page.getByRole('heading', { name: 'Account 99999999', level: 1 }).waitFor()
    await page.getByText('There is no account with this number.').waitFor()
    assert.match(await page.title(), /^Account 99999999/)
    await page.locator('#screen').getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  })

  browsing('leads to screens with a title and the reason, as any other id of nothing', async () => {
    const { page, open: visit } = await as('viewer')
    for (const [address, title, reason] of [
      ['accounts/abc', 'Account abc', 'Account number must be 8 letters or digits.'],
      ['accounts/99999999/application', 'Application 99999999', 'There is no account with this number.'],
      ['accounts/99999999/correct', 'Correct 99999999', 'There is no account with this number.'],
      ['books/loads/nothing', 'Load', 'There is no load with this id.'],
    ] as const) {
      await visit(`/console/${address}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await page.getByText(reason).waitFor()
      assert.equal(await button(page, 'Try again').count(), 0, 'a second read has the same result')
      assert.ok((await page.title()).startsWith(`${title} · `))
    }
    for (const address of ['calls', 'pending']) {
      await visit(`/console/books/${address}?firmId=0198b4e2-0000-7000-8000-000000000000`)
      await page.getByText('There is no firm with this id.').waitFor()
    }
  })
})

describe('two days side by side', () => {
  browsing('show the fields of the record that differ', async () => {
    const accountNumber = '30100006'
    const { alpha } = desk.service
    const dayOfClock = async () => dayInNewYork((await alpha.sandbox.getClock({})).data.now)
    const before = await dayOfClock()
    await alpha.sandbox.advanceClock({ days: 2 })
    await alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Ferry master' } })
    const today = await dayOfClock()
    const { page, open: visit, wrongs } = await as('viewer')
    await visit(`/console/accounts/${accountNumber}?tab=history&from=${before}&to=${today}`)
    const row = page
      .getByRole('group', { name: 'Fields that differ' })
      .locator('tr', { hasText: 'Job title' })
    assert.equal(await row.locator('td').nth(1).innerText(), 'empty')
    assert.equal(await row.locator('ins').innerText(), 'FERRY MASTER')
    await page.getByLabel('From', { exact: true }).fill(today)
    await page.getByText('The record is the same on both days.').waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing('show the positions at the end of each, and how many changed', async () => {
    const accountNumber = '30100001'
    const { alpha } = desk.service
    const { data: now } = await alpha.positionSummary({ accountNumber })
    const { page, open: visit, wrongs } = await as('viewer')
    await visit(`/console/accounts/${accountNumber}?tab=positions`)
    await page.getByLabel('Beside the end of').fill('2001-01-31')
    const compared = page.getByRole('group', { name: 'Positions of two days' })
    await compared.waitFor()
    const rows = compared.locator('tbody tr[data-index]')
    assert.equal(await rows.count(), now.portfolios.length)
    for (const { symbol, secNo, quantity } of now.portfolios) {
      const row = rows.filter({ hasText: symbol || secNo }).first()
      assert.equal(await row.locator('td').nth(2).innerText(), 'none')
      assert.equal(
        Number((await row.locator('ins').innerText()).replaceAll(',', '').replace('−', '-')),
        Number(quantity),
      )
    }
    await page.getByText(`${now.portfolios.length} changes`).waitFor()
    assert.deepEqual(wrongs, [])
  })
})

describe('a wide window', () => {
  browsing(
    'shows the queue beside an item that was opened from it, and keys lead through the queue',
    async () => {
      const first = await waitingApplication(desk.service.alpha, { lastName: 'Quist' })
      const second = await waitingApplication(desk.service.alpha, { lastName: 'Rasch' })
      const { page, open: visit, wrongs, close } = await signIn('operator', { width: 1440 })
      await visit('/console/work?queue=Application')
      await page.locator('tr', { hasText: first }).getByRole('link').first().click()
      await page.getByRole('heading', { name: `Application ${first}` }).waitFor()
      const rail = page.getByRole('navigation', { name: 'Applications' })
      await rail.locator('a[aria-current=page]', { hasText: 'QUIST' }).waitFor()
      await page.keyboard.press('j')
      await page.getByRole('heading', { name: `Application ${second}` }).waitFor()
      await rail.locator('a[aria-current=page]', { hasText: 'RASCH' }).waitFor()
      await rail.getByRole('link', { name: /QUIST/ }).click()
      await page.getByRole('heading', { name: `Application ${first}` }).waitFor()
      await page.setViewportSize({ width: 1024, height: 800 })
      await rail.waitFor({ state: 'detached' })
      await page.goBack()
      await page.getByRole('heading', { name: 'Work' }).waitFor()
      assert.deepEqual(wrongs, [])
      await close()
    },
  )
})

describe('a correction', () => {
  browsing('shows each field before and after, explains why a field is fixed, and takes effect', async () => {
    const accountNumber = await open({ firstName: 'Ines', lastName: 'Brandvold' })
    const { page, open: visit, visit: go, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}`)
    await page.getByRole('link', { name: 'Correct', exact: true }).click()
    await settle(page)
    const taxId = page.locator('input[name="primaryOwner.taxIdNumber"]')
    assert.equal(await taxId.getAttribute('readonly'), '')
    await page.getByText('It identifies the person').first().waitFor()
    await page.locator('input[name="primaryOwner.jobTitle"]').fill('Harbour pilot')
    await page.locator('select[name="primaryOwner.maritalStatus"]').selectOption('Widowed')
    const changes = page.getByRole('group', { name: 'What changes' })
    await changes.getByText('Harbour pilot').waitFor()
    assert.match(await changes.innerText(), /Primary owner › Marital status/)
    // The screen is left and opened again within the window.
    await go('/console/work')
    await go(`/console/accounts/${accountNumber}/correct`)
    await changes.getByText('Harbour pilot').waitFor()
    assert.equal(await button(page, 'Send the correction').getAttribute('aria-disabled'), 'true')
    await page.getByLabel('Reason').fill('The owner called.')
    await button(page, 'Send the correction').click()
    await page.getByText('The record is corrected').waitFor()
    const { primaryOwner } = await read(desk.service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.jobTitle, primaryOwner.maritalStatus], ['HARBOUR PILOT', 'Widowed'])
    const { data } = await desk.service.alpha.accountHistory({ accountNumber })
    assert.deepEqual([data.history[0]?.reason, wrongs], ['The owner called.', []])
  })

  browsing('that needs a second person waits, and one with an error shows it at its field', async () => {
    const accountNumber = await open({ firstName: 'Ruben', lastName: 'Haldane' })
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/correct`)
    const email = page.locator('input[name="primaryOwner.email"]')
    await email.fill('no address')
    await page.getByLabel('Reason').fill('Married.')
    await button(page, 'Send the correction').click()
    await page.locator('.mantine-InputWrapper-error').first().waitFor()
    assert.equal(await email.getAttribute('aria-invalid'), 'true')
    await email.fill('ruben.haldane@example.com')
    await page.locator('input[name="primaryOwner.name3"]').fill('Haldane-Voss')
    await button(page, 'Send the correction').click()
    await page.getByText('The correction waits').waitFor()
    await page.getByRole('link', { name: 'Open the change' }).first().click()
    await page.getByText('Primary owner › Last name').waitFor()
    assert.equal((await read(desk.service.alpha, accountNumber)).primaryOwner.name3, 'HALDANE')
    assert.deepEqual(wrongs, [])
  })

  browsing('that is sent with keys in a narrow window shows its result', async () => {
    const accountNumber = await open({ firstName: 'Signe', lastName: 'Aldane' })
    const { page, open: visit, close } = await signIn('operator', { width: 400 })
    await visit(`/console/accounts/${accountNumber}/correct`)
    const email = page.locator('input[name="primaryOwner.email"]')
    await email.fill('no address')
    await page.getByLabel('Reason').fill('Married.')
    await page.keyboard.press('Control+Enter')
    await page.locator('input[name="primaryOwner.email"]:focus').waitFor()
    await email.fill('signe.aldane@example.com')
    await page.locator('input[name="primaryOwner.name3"]').fill('Aldane-Voss')
    await page.keyboard.press('Control+Enter')
    await page.waitForFunction(isInView, 'The correction waits')
    await close()
  })
})

describe('typed text', () => {
  browsing('of many lines leaves the buttons of its dialog in a narrow window', async () => {
    const { page, open: visit, close } = await signIn('operator', { width: 360, height: 640 })
    await visit('/console/accounts/30100001?tab=notes')
    await button(page, 'Write a note').click()
    await fill(page, { Note: 'The firm was called and will send the deed. '.repeat(40) })
    const save = await inDialog(page, 'Save').boundingBox()
    assert.ok(save !== null && save.y + save.height <= 640, JSON.stringify(save))
    await inDialog(page, 'Cancel').click()
    await close()
  })

  browsing('in a dialog is there again after Esc, and gone after Cancel', async () => {
    const { page, open: visit } = await as('operator')
    await visit('/console/accounts/30100001?tab=notes')
    const note = dialog(page).getByLabel('Note')
    await button(page, 'Write a note').click()
    assert.equal(await page.evaluate(asksBeforeLeaving), false)
    await note.fill('Called back, asked for the deed')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(asksBeforeLeaving), true)
    await button(page, 'Write a note').click()
    assert.equal(await note.inputValue(), 'Called back, asked for the deed')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'Write a note').click()
    assert.equal(await note.inputValue(), '')
    assert.equal(await page.evaluate(asksBeforeLeaving), false)
    await page.keyboard.press('Escape')
  })

  browsing(
    'is not lost without a question when a person signs out, and stays for the person who cancels',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/accounts/30100001?tab=notes')
      const note = dialog(page).getByLabel('Note')
      await button(page, 'Write a note').click()
      await note.fill('The deed is on its way')
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await page.locator('header button').last().click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await dialog(page).getByText('It is lost when you sign out.').waitFor()
      await dialog(page).getByRole('button', { name: 'Stay' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      await button(page, 'Write a note').click()
      assert.equal(await note.inputValue(), 'The deed is on its way')
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await dialog(page).waitFor({ state: 'detached' })
    },
  )
})

async function sendLater(route: Route) {
  await pause(500)
  await route.continue()
}

describe('a match', () => {
  browsing('shows the customer beside the entry of the list, and is cleared by keys', async () => {
    const listed = { firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' }
    const accountNumber = await waitingApplication(desk.service.alpha, { ...listed, taxIdNumber: newTaxId() })
    const { page, open: visit, visit: go, wrongs } = await as('operator')
    // The record arrives after the matches. A page that is loaded anew would lose the watch.
    await page.route('**/get-account', sendLater)
    await visit('/console/')
    await page.evaluate(watchBirthDates)
    await go(`/console/accounts/${accountNumber}/screening`)
    const compared = page.getByRole('group', { name: /^Comparison with/ }).first()
    const born = compared.locator('tr', { hasText: 'Date of birth' })
    await born.waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    assert.deepEqual(await page.evaluate(birthDatesShown), ['Aug 12, 1968'])
    assert.match(await born.locator('td').nth(1).innerText(), /Aug 12, 1968/)
    assert.match(await born.locator('td').nth(2).innerText(), /1968/)
    assert.match(await born.locator('td').nth(3).innerText(), /^Same/)
    const name = compared.locator('tr', { hasText: /^Name/ })
    assert.match(await name.locator('td').nth(1).innerText(), /RUSLAN ZERKALOV/)
    assert.match(await name.locator('td').nth(2).innerText(), /ZERKALOV/i)
    await page.keyboard.press('a')
    // The first field has the focus.
    await page.locator('textarea[name=reason]:focus').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByText('Reason is required.').waitFor()
    await page.keyboard.type('Another person')
    await page.keyboard.press('Control+Enter')
    await dialog(page).waitFor({ state: 'detached' })
    const { matches } = (await desk.service.operations.operations.listMatches({ accountNumber })).data
    assert.ok(
      matches.some(({ decision, clearanceChangeId }) => decision === 'Cleared' || clearanceChangeId !== ''),
    )
    assert.deepEqual(wrongs, [])
  })

  browsing('of a name that cannot be compared states what a person must do', async () => {
    const named = { firstName: '小明', lastName: '王', taxIdNumber: newTaxId() }
    const accountNumber = await waitingApplication(desk.service.alpha, named)
    const { page, open: visit, wrongs } = await as('operator')
    await visit('/console/work?queue=Match')
    const row = page.locator('tbody tr', { hasText: accountNumber })
    const words = /A name in another alphabet\s+It cannot be compared with the lists. A person must check it/
    assert.match(await row.innerText(), words)
    assert.doesNotMatch(await row.innerText(), /ALPHABET|score/)
    await visit(`/console/accounts/${accountNumber}/screening`)
    const panel = page.getByRole('region', { name: 'A name in another alphabet' })
    await panel.getByText('小明 王').waitFor()
    assert.doesNotMatch(await panel.innerText(), /ALPHABET|Likeness/)
    await act(page, 'Clear…', { Reason: 'No list has Wang Xiaoming' }, 'Clear')
    await panel.getByText('No list has Wang Xiaoming').waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing('appears when a list is compared and put in force from the console', async () => {
    const accountNumber = await open({
      firstName: 'Thaddeus',
      lastName: 'Quillfeather',
      birthDate: '1971-03-09',
    })
    const { page, open: visit, wrongs } = await as('operator')
    await visit('/console/screening')
    await page.getByLabel('Name of the list').fill('HOUSE')
    const line =
      '9001,"QUILLFEATHER, Thaddeus","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 09 Mar 1971."'
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sdn.csv', mimeType: 'text/csv', buffer: Buffer.from(`${line}\r\n`) })
    await button(page, 'Compare with the list in force').click()
    const differences = page.getByRole('group', { name: 'Differences' })
    await differences.locator('tr', { hasText: 'QUILLFEATHER' }).getByText('Added').waitFor()
    const inForce = page.getByRole('group', { name: 'Lists in force' })
    assert.equal(await inForce.getByText('HOUSE', { exact: true }).count(), 0)
    await button(page, 'Put in force').click()
    const house = inForce.locator('tr', { hasText: 'HOUSE' })
    await house.getByText(/Entries from sdn\.csv by operator@example\.com/).waitFor()
    await house.getByText(/SHA-256 [0-9a-f]{12}/).waitFor()
    await house.getByText(/\d+ of \d+ accounts compared, 1 match/).waitFor()
    await house.getByText(/, ended/).waitFor()
    await visit('/console/work?queue=Match')
    await page.getByText(accountNumber).first().waitFor()
    assert.deepEqual(wrongs, [])
  })
})

describe('an application', () => {
  browsing(
    'shows the request as it was sent beside its interpretation, and only real differences',
    async () => {
      const taxIdNumber = newTaxId()
      const { registrationType: _, ...rest } = applicationOf({ lastName: 'Ferber', taxIdNumber })
      const sent = { RegistrationType: 'individual', ...rest }
      const { accountNumber } = await openApplication(desk.service.alpha, sent as never)
      const { page, open: visit, wrongs } = await as('operator')
      await visit(`/console/accounts/${accountNumber}/application`)
      const table = page.getByRole('group', { name: 'Sent and understood' })
      const row = (field: string) => table.locator('tr', { hasText: field })
      await page.getByText('ADA FERBER · Individual').waitFor()
      await row('RegistrationType').getByText('Letter case').waitFor()
      assert.match(await row('Last name').first().innerText(), /Ferber\s+FERBER/)
      // Read as it was sent.
      assert.equal(await row('Tax id').filter({ hasText: '9' }).count(), 0)
      await page.getByText(/The request as it was sent/).click()
      const text = page.locator('.as-sent pre')
      await text.getByText('"RegistrationType":"individual"').waitFor()
      assert.ok(!(await text.innerText()).includes(taxIdNumber))
      await button(page, 'Show personal numbers…').click()
      await fill(page, { Reason: 'The firm disputes the number' })
      await inDialog(page, 'Show').click()
      await text.getByText(taxIdNumber).waitFor()
      assert.deepEqual(wrongs, [])
    },
  )

  browsing('shows for each finding its reason, the rule and the source of the rule', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha, {
      taxIdNumber: newTaxId(),
      legalAddress: {
        street: 'PO Box 12',
        city: 'Jersey City',
        stateProvince: 'NJ',
        country: 'US',
        postalCode: '07302',
      },
    })
    const { findings } = (await desk.service.alpha.onboardingResult({ accountNumber })).data
    assert.ok(findings.length > 0)
    const { page, open: visit, wrongs } = await as('viewer')
    await visit(`/console/accounts/${accountNumber}/application`)
    const text = await page.locator('#screen').innerText()
    for (const { rule, reason, source } of findings) {
      assert.ok(text.includes(reason), reason)
      const label = codeLists.accountRule.find(({ value }) => value === rule)?.label
      const shown = source.replace(/Reading (\S+)/, 'Rule $1 of the service')
      assert.ok(text.includes(`${label}. ${shown}`), `${label}. ${shown}`)
    }
    assert.doesNotMatch(text, /Reading \d/)
    assert.deepEqual(wrongs, [])
  })

  browsing('is approved by keys, and one key opens the next', async () => {
    const [first, second] = [
      await waitingApplication(desk.service.alpha, { lastName: 'Ashdown' }),
      await waitingApplication(desk.service.alpha, { lastName: 'Birch' }),
    ]
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${first}/application`)
    await page.keyboard.press('a')
    await dialog(page).waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await settle(page)
    await page.getByRole('link', { name: /^Next of applications/ }).waitFor()
    await page.keyboard.press('n')
    await page.waitForURL((url) => url.pathname.endsWith('/application') && !url.pathname.includes(first))
    assert.notEqual((await follow(desk.service.alpha, first)).currentState, 'ManualReview')
    assert.equal((await follow(desk.service.alpha, second)).currentState, 'ManualReview')
    assert.deepEqual(wrongs, [])
  })
})

describe('a document', () => {
  browsing('a document is viewed beside the data on file and rejected with a code', async () => {
    const { accountNumber, documentId } = await waitingDocument(desk.service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    const { page, open: visit } = await as('operator')
    const readings: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/get-document')) readings.push(request.url())
    })
    await visit(`/console/accounts/${accountNumber}/documents/${documentId}`)
    await page.locator('canvas[data-drawn]').waitFor()
    assert.ok(
      await page.locator('canvas[data-drawn]').evaluate(isDrawnUpon),
      'the page of the document is empty',
    )
    await page.getByText('12 HARBOR STREET').first().waitFor()
    await page.getByText('Identity Documents · Utility bill').waitFor()
    const onFile = await page.locator('.beside').innerText()
    assert.match(onFile, /First name.*Last name.*Date of birth.*Tax id type/s)
    await button(page, 'Zoom in').click()
    await button(page, 'Rotate right').click()
    await page.getByText('125 %').waitFor()
    // Another change occurs in the service: the screen is read again, and the document is not.
    const again = page.waitForRequest('**/get-document-details')
    await waitingApplication(desk.service.alpha)
    await again
    await settle(page)
    await page.locator('canvas[data-drawn]').waitFor()
    assert.equal(readings.length, 1)
    await act(page, 'Reject…', { 'What is wrong': 'CROPPED' }, 'Reject')
    const { data } = await desk.service.alpha.getDocumentDetails({ accountNumber })
    assert.deepEqual([data.documents[0]?.status, data.documents[0]?.rejectionCode], ['Rejected', 'CROPPED'])
    const decided = page.locator('button[aria-description^="It is rejected by operator@example.com at "]')
    await decided.first().waitFor()
  })

  const images: [name: string, make: () => Uint8Array, selector: string][] = [
    ['scan.png', samplePng, '.viewer img'],
    ['scan.jpg', sampleJpeg, '.viewer img'],
    ['scan.bmp', sampleBmp, '.viewer img'],
    ['scan.tiff', () => sampleTiff(), '.viewer canvas[data-drawn]'],
  ]
  browsing('every kind of image is shown', async () => {
    const { page, open: visit, wrongs } = await as('operator')
    for (const [name, make, selector] of images) {
      const { accountNumber, documentId } = await waitingDocument(desk.service.alpha, {
        name,
        content: make(),
      })
      await visit(`/console/accounts/${accountNumber}/documents/${documentId}`)
      const shown = page.locator(selector).or(page.getByText('The browser cannot show this image.'))
      await shown.first().waitFor()
    }
    assert.deepEqual(wrongs, [])
  })
})
