/** Reviewing in the console: records by their meaning, corrections field by field, matches beside the list, decisions by keys. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { codeLists } from '@clearing/protocol'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { follow, openAndFollow, read } from '../acceptance/calling.ts'
import { settle } from './browser.ts'
import { button, dialog, openDesk } from './desk.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

function open(owner: object): Promise<string> {
  return openAndFollow(desk.service.alpha, applicationOf(owner))
}

describe('a record', () => {
  browsing('has the words of people, the customer as its title, and what is empty is folded', async () => {
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

describe('a correction', () => {
  browsing('shows each field before and after, says why a field is fixed, and is made', async () => {
    const accountNumber = await open({ firstName: 'Ines', lastName: 'Brandvold' })
    const { page, open: visit, visit: go, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}`)
    await page.getByRole('link', { name: 'Correct', exact: true }).click()
    await settle(page)
    const taxId = page.locator('input[name="primaryOwner.taxIdNumber"]')
    assert.equal(await taxId.getAttribute('readonly'), '')
    await page.getByText('It says who the person is').first().waitFor()
    await page.locator('input[name="primaryOwner.jobTitle"]').fill('Harbour pilot')
    await page.locator('select[name="primaryOwner.maritalStatus"]').selectOption('Widowed')
    const changes = page.getByRole('group', { name: 'What changes' })
    await changes.getByText('Harbour pilot').waitFor()
    assert.match(await changes.innerText(), /Primary owner › Marital status/)
    // The screen is left and opened again within the window.
    await go('/console/work')
    await go(`/console/accounts/${accountNumber}/correct`)
    await changes.getByText('Harbour pilot').waitFor()
    await button(page, 'Send the correction').click()
    await page.getByText('The record is corrected').waitFor()
    const { primaryOwner } = await read(desk.service.alpha, accountNumber)
    assert.equal(primaryOwner.jobTitle, 'HARBOUR PILOT')
    assert.equal(primaryOwner.maritalStatus, 'Widowed')
    assert.deepEqual(wrongs, [])
  })

  browsing('that needs a second person waits, and one that is wrong says so at its field', async () => {
    const accountNumber = await open({ firstName: 'Ruben', lastName: 'Haldane' })
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/correct`)
    const email = page.locator('input[name="primaryOwner.email"]')
    await email.fill('no address')
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
})

describe('what was typed', () => {
  browsing('in a dialog is there again after Esc, and gone after Cancel', async () => {
    const { page, open: visit } = await as('operator')
    await visit('/console/accounts/30100001?tab=notes')
    const note = dialog(page).getByLabel('Note')
    await button(page, 'Write a note').click()
    await note.fill('Called back, asked for the deed')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'Write a note').click()
    assert.equal(await note.inputValue(), 'Called back, asked for the deed')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'Write a note').click()
    assert.equal(await note.inputValue(), '')
    await page.keyboard.press('Escape')
  })
})

describe('a match', () => {
  browsing('shows the customer beside the entry of the list, and is cleared by keys', async () => {
    const listed = { firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' }
    const accountNumber = await waitingApplication(desk.service.alpha, { ...listed, taxIdNumber: newTaxId() })
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/screening`)
    const compared = page.getByRole('group', { name: /^Comparison with/ }).first()
    const born = compared.locator('tr', { hasText: 'Date of birth' })
    assert.match(await born.locator('td').nth(1).innerText(), /Aug 12, 1968/)
    assert.match(await born.locator('td').nth(2).innerText(), /1968/)
    assert.match(await born.locator('td').nth(3).innerText(), /^Same/)
    const name = compared.locator('tr', { hasText: /^Name/ })
    assert.match(await name.locator('td').nth(1).innerText(), /RUSLAN ZERKALOV/)
    assert.match(await name.locator('td').nth(2).innerText(), /ZERKALOV/i)
    await page.keyboard.press('a')
    await dialog(page).waitFor()
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

  browsing('is looked for when a list is loaded from the console', async () => {
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
    await button(page, 'Load the list').click()
    await page.getByText('HOUSE is in force').waitFor()
    await page.locator('tr, dl', { hasText: 'New or changed entries' }).first().waitFor()
    await visit('/console/work?queue=Match')
    await page.getByText(accountNumber).first().waitFor()
    assert.deepEqual(wrongs, [])
  })
})

describe('an application', () => {
  browsing('says at each finding its reason, the rule and the source of the rule', async () => {
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
      assert.ok(text.includes(`${label}. ${source}`), `${label}. ${source}`)
    }
    assert.deepEqual(wrongs, [])
  })

  browsing('is approved by keys, and the next one is a key away', async () => {
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
