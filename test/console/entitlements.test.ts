/** Margin and options in the console: added on an approved agreement, changed on the account, and approved. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow, read } from '../acceptance/calling.ts'
import { act, button, dialog, fill, inDialog, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('margin and options', () => {
  browsing('are still to do on an approved agreement, until a principal approves them', async () => {
    const { alpha } = desk.service
    const accountNumber = await openAndFollow(alpha, applicationOf({ lastName: 'Lambert' }))
    const { documentId } = (
      await alpha.addDocument({
        documentTypeName: 'New Accounts Documents',
        reference: 'MRGN',
        accountNumber,
        file: { name: 'margin.pdf', content: samplePdf() },
      })
    ).data
    const { page, open, wrongs } = await as('operator')
    const agreement = `/console/accounts/${accountNumber}/documents/${documentId}`
    await open(agreement)
    const toDo = page.getByRole('region', { name: 'Still to do' })
    assert.equal(await toDo.count(), 0)
    await button(page, 'Approve').click()
    await dialog(page).getByText('Margin and options are added afterwards, on the account.').waitFor()
    await inDialog(page, 'Approve').click()
    await toDo.getByText('The agreement is approved, and the account has no margin yet.').waitFor()
    await toDo.getByRole('button', { name: 'Margin and options…' }).click()
    await dialog(page)
      .getByText(/The account has no margin and no options\./)
      .waitFor()
    await fill(page, { Reason: 'The agreement is signed.' })
    await inDialog(page, 'Change margin and options').click()
    await dialog(page).waitFor({ state: 'detached' })
    await toDo.getByRole('link', { name: 'A change waits for a second person.' }).click()
    await page.getByRole('heading', { name: 'Change of entitlements' }).waitFor()
    const principal = await as('principal')
    await principal.open(new URL(page.url()).pathname)
    await principal.page.getByRole('row', { name: /Margin/ }).waitFor()
    await act(principal.page, 'Approve', { Reason: 'Seen.' }, 'Approve')
    assert.equal((await read(alpha, accountNumber)).main.marginIndicator, 'true')
    await open(agreement)
    await page
      .getByRole('region', { name: 'On file' })
      .getByText('Lambert', { exact: false })
      .first()
      .waitFor()
    assert.equal(await toDo.count(), 0)
    assert.deepEqual(wrongs, [])
  })

  browsing('are changed on the account, and an error stands at its field', async () => {
    const { alpha } = desk.service
    const main = { repCode: 'JC01', marginIndicator: 'true', optionTradingLevel: '2' }
    const profile = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }
    const accountNumber = await openAndFollow(alpha, applicationOf({}, { main, financialProfile: profile }))
    const { page, open } = await as('operator')
    await open(`/console/accounts/${accountNumber}`)
    await button(page, 'Margin and options…').click()
    await dialog(page).getByText('margin and option level 2 (buying calls and puts)').waitFor()
    await fill(page, { Margin: 'No margin', 'Option level': '3: Spreads', Reason: 'The owner asked.' })
    await inDialog(page, 'Change margin and options').click()
    await dialog(page)
      .getByText(/Option level 3 is held in a margin account/)
      .waitFor()
    assert.equal(await dialog(page).getByLabel('Margin').getAttribute('aria-invalid'), 'true')
    await fill(page, { Margin: 'As it is' })
    await inDialog(page, 'Change margin and options').click()
    await dialog(page).waitFor({ state: 'detached' })
    const { changes } = (await desk.service.operations.operations.listChanges({ accountNumber })).data
    assert.deepEqual(changes[0]?.fields, [{ field: 'main.optionTradingLevel', before: '2', after: '3' }])
  })
})
