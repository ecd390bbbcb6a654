/** A record that a colleague changes while a person types: no form overwrites the colleague's value unasked. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { openAndFollow, read } from '../acceptance/calling.ts'
import { button, dialog, fill, inDialog, openDesk } from './desk.ts'
import { findSeriousIssues } from './in-page.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const desk = openDesk()
const { as, browsing } = desk

/** The first value of an account opened here is `Harbor Works`. */
function open(parts: object = {}): Promise<string> {
  return openAndFollow(desk.service.alpha, applicationOf({ employerName: 'Harbor Works' }, parts))
}

/** The firm is the colleague. */
function correct(accountNumber: string, primaryOwner: object) {
  return desk.service.alpha.updateAccount({ accountNumber, primaryOwner, reason: 'The owner wrote.' })
}

const employer = 'input[name="primaryOwner.employerName"]'

async function typeEmployer(page: Page, name: string) {
  await page.locator(employer).fill(name)
  await page.getByLabel('Reason').fill('The owner called.')
}

function alertOf(page: Page) {
  return page.getByRole('alert').filter({ hasText: 'The record changed while you typed' })
}

describe('a correction of a field that a colleague corrects meanwhile', () => {
  browsing('is sent after the person chose to keep the typed value', async () => {
    const accountNumber = await open()
    const { page, open: visit, visit: go, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/correct`)
    await typeEmployer(page, 'One Works')
    await correct(accountNumber, { employerName: 'Two Works' })
    await alertOf(page).getByText('Employer changed from HARBOR WORKS to TWO WORKS.').waitFor()
    await page.evaluate(axeSource)
    assert.deepEqual(await page.evaluate(findSeriousIssues, ['color-contrast']), [])
    assert.equal(await button(page, 'Send the correction').getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('Control+Enter')
    await alertOf(page).and(page.locator(':focus')).waitFor()
    assert.equal((await read(desk.service.alpha, accountNumber)).primaryOwner.employerName, 'TWO WORKS')
    // The values that were seen are kept with the typed ones.
    await go('/console/work')
    await go(`/console/accounts/${accountNumber}/correct`)
    await alertOf(page).waitFor()
    await button(page, 'Keep mine').click()
    await alertOf(page).waitFor({ state: 'detached' })
    await page.locator(`${employer}:focus`).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('The record is corrected').waitFor()
    assert.equal((await read(desk.service.alpha, accountNumber)).primaryOwner.employerName, 'ONE WORKS')
    assert.deepEqual(wrongs, [])
  })

  browsing('leaves the value of the colleague if the person takes it', async () => {
    const accountNumber = await open()
    const { page, open: visit } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/correct`)
    await typeEmployer(page, 'One Works')
    await page.locator('input[name="primaryOwner.jobTitle"]').fill('Pilot')
    await correct(accountNumber, { employerName: 'Two Works' })
    await button(page, 'Take theirs').click()
    await alertOf(page).waitFor({ state: 'detached' })
    assert.equal(await page.locator(employer).inputValue(), 'TWO WORKS')
    await page.keyboard.press('Control+Enter')
    await page.getByText('The record is corrected').waitFor()
    const { primaryOwner } = await read(desk.service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.employerName, primaryOwner.jobTitle], ['TWO WORKS', 'PILOT'])
  })

  browsing('is sent at once if other fields changed, or a field that was typed back', async () => {
    const accountNumber = await open()
    const { page, open: visit } = await as('operator')
    await visit(`/console/accounts/${accountNumber}/correct`)
    await page.locator('input[name="primaryOwner.jobTitle"]').fill('Pilot')
    await typeEmployer(page, 'One Works')
    await typeEmployer(page, 'HARBOR WORKS')
    await correct(accountNumber, { employerName: 'Two Works' })
    await page.locator(`${employer}[value="TWO WORKS"]`).waitFor()
    assert.equal(await alertOf(page).count(), 0)
    await page.keyboard.press('Control+Enter')
    await page.getByText('The record is corrected').waitFor()
    const { primaryOwner } = await read(desk.service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.employerName, primaryOwner.jobTitle], ['TWO WORKS', 'PILOT'])
  })
})

describe('a form of the account whose value a colleague changes meanwhile', () => {
  browsing('of margin and options is not sent before the person chose', async () => {
    const main = { repCode: 'JC01', marginIndicator: 'true', optionTradingLevel: '2' }
    const profile = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }
    const accountNumber = await open({ main, financialProfile: profile })
    const { operations } = desk.service
    const setLevel = (optionTradingLevel: '0' | '1') =>
      operations.operations.setEntitlements({ accountNumber, optionTradingLevel, reason: 'By letter.' })
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}`)
    await button(page, 'Margin and options…').click()
    await fill(page, { 'Option level': '0', Reason: 'The owner asked.' })
    await setLevel('1')
    const alert = alertOf(page)
    await alert.getByText(/Option level changed from Buying calls and puts to Covered calls/).waitFor()
    await page.keyboard.press('Control+Enter')
    await alert.and(page.locator(':focus')).waitFor()
    await inDialog(page, 'Take theirs').click()
    await alert.waitFor({ state: 'detached' })
    assert.equal(await dialog(page).getByLabel('Option level').inputValue(), '')
    // The same value as the colleague's is no conflict.
    await fill(page, { 'Option level': '0' })
    await setLevel('0')
    await dialog(page).getByText('margin and no options').waitFor()
    assert.equal(await alert.count(), 0)
    await inDialog(page, 'Cancel').click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(wrongs, [])
  })

  browsing('of a tax id is sent when the person keeps the typed value', async () => {
    const accountNumber = await open()
    const documentTypeName = 'New Accounts Documents'
    const file = { name: 'w9.pdf', content: samplePdf() }
    const { alpha, operations } = desk.service
    const form = { documentTypeName, reference: 'W9', accountNumber, file }
    const { documentId } = (await alpha.addDocument(form)).data
    const staff = operations.operations
    await staff.decideDocument({ accountNumber, documentId, decision: 'Approved' })
    const { page, open: visit, wrongs } = await as('operator')
    await visit(`/console/accounts/${accountNumber}`)
    await button(page, 'Tax id and citizenship…').click()
    await dialog(page).getByRole('textbox', { name: 'Tax id', exact: true }).fill(newTaxId())
    await fill(page, { Reason: 'As on the form.' })
    const documents = dialog(page).getByRole('combobox', { name: 'Documents' })
    await documents.press('ArrowDown')
    await page.getByRole('option', { name: /W9/ }).click()
    const theirs = { taxIdNumber: newTaxId(), documentIds: [documentId] }
    await staff.correctIdentity({ accountNumber, ...theirs, reason: 'As on the form.' })
    await alertOf(page)
      .getByText(new RegExp(`Tax id changed from .* to .*${theirs.taxIdNumber.slice(-4)}`))
      .waitFor()
    await inDialog(page, 'Keep mine').click()
    await alertOf(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await dialog(page).waitFor({ state: 'detached' })
    const { changes } = (await staff.listChanges({ accountNumber, state: 'Requested' })).data
    assert.deepEqual(
      changes.map(({ operation }) => operation),
      ['correct-identity'],
    )
    assert.deepEqual(wrongs, [])
  })
})
