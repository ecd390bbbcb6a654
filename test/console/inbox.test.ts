/** The inbox in a real Chromium: what its rows state, and what it reports after a decision on several items. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { signIn } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { button, fill, inDialog, openDesk, send } from './desk.ts'
import { waitingApplication, waitingDocument } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('a decision on several items', () => {
  browsing('reports how many were done, and names the items that were not', async () => {
    const { accountNumber } = await waitingDocument(desk.service.alpha, {
      name: 'bill.pdf',
      content: samplePdf(),
    })
    await desk.service.alpha.addDocument({
      documentTypeName: 'Account Maintenance',
      reference: 'DEAT',
      accountNumber,
      file: { name: 'certificate.pdf', content: new Uint8Array(samplePdf()) },
    })
    const { page, open } = await as('operator')
    await open('/console/work?queue=Document')
    const notices = page.locator('[data-notice]')
    const reported = async () => {
      await notices.first().waitFor()
      const texts = await notices.allInnerTexts()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      return texts.map((text) => text.replaceAll('\n', ' '))
    }
    await page.getByRole('checkbox', { name: 'Mark all' }).click()
    await send(page, 'Approve', {}, 'Approve 2 items')
    const why = 'Open the death certificate to approve it: the approval states whether an owner died.'
    const named = new RegExp(`Not done: ${accountNumber} [A-Z ]+ \\(.+\\): ${why}$`)
    const [both, ...rest] = await reported()
    assert.deepEqual(rest, [])
    assert.match(both ?? '', /^Approve 2 items 1 of 2 items done\. /)
    assert.match(both ?? '', named)
    await page.getByRole('checkbox', { name: new RegExp(`^Mark .+ ${accountNumber}$`) }).click()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await inDialog(page, 'Approve 1 item').click()
    const [alone, ...others] = await reported()
    assert.deepEqual(others, [])
    assert.match(alone ?? '', /^Approve 1 item Not done: /)
    assert.match(alone ?? '', named)
  })
})

describe('a row', () => {
  browsing('of an application states why it waits', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    await page
      .locator('tr', { hasText: accountNumber })
      .getByText('The identity must be looked at by a person.')
      .waitFor()
  })

  browsing('of a break names its line and leads to it, where a person marks it as reviewed', async () => {
    const { operations } = desk.service.operations
    const sale = { acctNo: '30100001', transType: 'Trade', buySell: 'SEL', symbol: 'ANCR', price: '4.10' }
    const sold = (externalId: string, quantity: string) => ({
      ...{ ...sale, externalId, quantity, tradeDate: '2025-03-03' },
    })
    const ndjson = [sold('x-1', '9000000'), sold('x-2', '500')]
    assert.deepEqual((await operations.loadActivity({ lines: { ndjson } })).data.rejects, [])
    const { page, open } = await as('operator')
    await open('/console/work?queue=Break')
    const rows = page.getByRole('group', { name: 'Work' }).locator('tbody tr')
    await rows.getByRole('link', { name: /^Oversold · ANCR −[89],[\d,.]+ · line x-1$/ }).click()
    await page.getByText('opened from the inbox').waitFor()
    await settle(page)
    const found = page.getByRole('group', { name: 'Breaks' }).locator('tbody tr')
    assert.equal(await page.getByLabel('Account', { exact: true }).inputValue(), '30100001')
    assert.match(await found.filter({ hasText: 'opened from' }).innerText(), /x-1/)
    await found.filter({ hasText: 'x-1' }).getByRole('button', { name: 'Mark as reviewed' }).click()
    await fill(page, { Reason: 'The feed sends the purchase tomorrow.' })
    await inDialog(page, 'Mark as reviewed').click()
    await page.getByText('30100001: done.').waitFor()
    const { work } = (await operations.listWork({ queues: ['Break'], accountNumber: '30100001' })).data
    const waits = (line: string) => work.some(({ detail }) => detail.includes(line))
    assert.deepEqual([waits('line x-1'), waits('line x-2')], [false, true])
  })
})

describe('a change of identity', () => {
  browsing('leads to the document that proves it', async () => {
    const accountNumber = await openAndFollow(desk.service.alpha, applicationOf({}))
    const { data } = await desk.service.alpha.addDocument({
      documentTypeName: 'New Accounts Documents',
      reference: 'W9',
      accountNumber,
      file: { name: 'w9.pdf', content: new Uint8Array(samplePdf()) },
    })
    const { documentId } = data
    const { operations } = desk.service.operations
    await operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
    const operator = await signIn(desk.service, 'operator@example.com')
    const asked = { accountNumber, taxIdNumber: newTaxId(), documentIds: [documentId], reason: 'A new form.' }
    const changeId = (await operator.call('correct-identity', asked)).json.data.change.changeId
    const { page, open } = await as('principal')
    await open(`/console/changes/${changeId}`)
    const proof = page.getByRole('row', { name: /^Document/ }).getByRole('link', { name: 'Form W-9' })
    assert.equal(
      await proof.getAttribute('href'),
      `/console/accounts/${accountNumber}/documents/${documentId}`,
    )
  })
})

describe('the inbox of a part of Home', () => {
  browsing('has the items of all queues of the part', async () => {
    const operator = await signIn(desk.service, 'operator@example.com')
    const asked = { accountNumber: '30100004', restrictionCode: 'ReturnedMail', reason: 'In doubt' }
    await operator.call('place-restriction', asked)
    const { page, open } = await as('principal')
    await open('/console/')
    const part = page.getByRole('region', { name: 'For your approval' })
    const shown = await part.getByRole('listitem').count()
    assert.ok(shown > 1)
    await part.getByRole('link', { name: 'Inbox' }).click()
    await page.getByText(`Showing ${shown} of ${shown}.`).waitFor()
    const queue = page.getByLabel('Queue', { exact: true })
    assert.equal(await queue.locator('option:checked').innerText(), 'Changes, Restrictions')
    await button(page, 'Approve').waitFor()
  })
})
