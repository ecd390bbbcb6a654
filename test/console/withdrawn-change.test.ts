/** A change that its firm has withdrawn: the console shows it with its match, which is still reviewed. */
import assert from 'node:assert/strict'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { act, button, dialog, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

browsing(
  'a change that its firm withdrew is shown as withdrawn, with the match that is reviewed',
  async () => {
    const { alpha } = desk.service
    const accountNumber = await openAndFollow(alpha, applicationOf({}))
    await alpha.updateAccount({
      accountNumber,
      primaryOwner: { trustedContact: { name: 'Dmitriy Veshnyakov' } },
    })
    const { waiting } = (await alpha.accountHistory({ accountNumber })).data
    await alpha.withdrawUpdate({ accountNumber, changeId: waiting.changes[0]?.changeId ?? '' })
    const { page, open } = await as('principal')
    await open(`/console/accounts/${accountNumber}/screening`)
    const change = page.getByRole('region', { name: 'Withdrawn change' })
    await change.locator('ins', { hasText: 'DMITRIY VESHNYAKOV' }).waitFor()
    await change.getByText('requested by alpha, withdrawn by alpha, and still reviewed: 1 match').waitFor()
    await button(page, 'Confirm…').click()
    await dialog(page).getByText('The account is blocked.').waitFor()
    await page.keyboard.press('Escape')
    await change.getByRole('link', { name: 'Change' }).click()
    await page.getByText('Withdrawn', { exact: true }).first().waitFor()
    const why = await button(page, 'Approve').getAttribute('aria-description')
    assert.match(why ?? '', /^Withdrawn by alpha at/)
    await open(`/console/accounts/${accountNumber}/screening`)
    await act(page, 'Clear…', { Reason: 'Another person' }, 'Clear')
    await change.waitFor({ state: 'detached' })
    assert.doesNotMatch(JSON.stringify((await alpha.getAccount({ accountNumber })).data), /VESHNYAKOV/)
  },
)
