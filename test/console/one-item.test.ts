/** What belongs to one item stays with it: dialogs, typed text, a reason to see numbers, and rows. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { button, dialog, fill, hold, inDialog, openDesk } from './desk.ts'
import { goTo } from './in-page.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('another item in the same window', () => {
  browsing('has no dialog of the item before, whose text is kept for it', async () => {
    const { alpha } = desk.service
    const [first, second] = [
      await waitingApplication(alpha, { firstName: 'Paola' }),
      await waitingApplication(alpha, { firstName: 'Pablo' }),
    ]
    const { page, open, visit, wrongs } = await as('operator')
    const heading = (accountNumber: string) =>
      page.getByRole('heading', { level: 1, name: `Application ${accountNumber}` }).waitFor()
    const asked = (accountNumber: string, name: string) =>
      page.getByRole('dialog', { name: new RegExp(`^Reject the application ${accountNumber}, ${name} `) })
    await open(`/console/accounts/${first}/application`)
    await visit(`/console/accounts/${second}/application`)
    await page.keyboard.press('r')
    await asked(second, 'PABLO').waitFor()
    await fill(page, { Reason: 'The passport is forged.' })
    await page.goBack()
    await heading(first)
    await dialog(page).waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    assert.equal(await asked(first, 'PAOLA').getByLabel('Reason').inputValue(), '')
    await page.keyboard.press('Escape')
    await page.goForward()
    await heading(second)
    await page.keyboard.press('r')
    assert.equal(await asked(second, 'PABLO').getByLabel('Reason').inputValue(), 'The passport is forged.')
    await inDialog(page, 'Cancel').click()
    assert.deepEqual(wrongs, [])
  })

  browsing('is masked until a reason for it is given', async () => {
    const { page, open, visit } = await as('operator')
    const [first, second] = ['30100004', '30100001']
    const revealed: string[] = []
    page.on('request', (request) => {
      if ('x-clearing-reveal' in request.headers()) revealed.push(request.postData() ?? '')
    })
    for (const screen of ['?tab=record', '/application']) {
      await open(`/console/accounts/${first}${screen}`)
      await visit(`/console/accounts/${second}${screen}`)
      await button(page, 'Show personal numbers…').click()
      await page.getByRole('dialog', { name: `Show personal numbers ${second}, ` }).waitFor()
      await fill(page, { Reason: 'Call with the owner' })
      await inDialog(page, 'Show').click()
      await button(page, 'Mask personal numbers').waitFor()
      await visit(`/console/accounts/${first}${screen}`)
      await button(page, 'Show personal numbers…').waitFor()
      const goOn = await hold(page, '**/get-a*')
      await page.evaluate(goTo, `/console/accounts/30100002${screen}`)
      await page.locator('h1:not([data-left])').or(page.getByLabel('Loading')).first().waitFor()
      assert.doesNotMatch(await page.locator('#screen').innerText(), new RegExp(first))
      await goOn()
    }
    const { data } = await desk.service.operations.operations.listReadings({ accountNumber: first })
    assert.deepEqual(data.readings, [])
    assert.ok(revealed.length > 0)
    assert.deepEqual([...new Set(revealed)], [JSON.stringify({ accountNumber: second })])
  })

  browsing('shows no rows of the account before while its own are loading', async () => {
    const { page, open, visit } = await as('operator')
    await open('/console/accounts/30100003')
    await visit('/console/accounts/30100002?tab=activity')
    await page.getByRole('tabpanel').getByText('ANCR').first().waitFor()
    const goOn = await hold(page, '**/*trade-activity')
    await page.evaluate(goTo, '/console/accounts/30100003?tab=activity')
    await page.getByRole('heading', { level: 1, name: 'VOSS' }).waitFor()
    const panel = page.getByRole('tabpanel')
    await panel.getByLabel('Loading').first().waitFor()
    assert.equal(await panel.getByText('ANCR').count(), 0)
    await goOn()
    await panel.getByLabel('Loading').first().waitFor({ state: 'detached' })
    await visit('/console/accounts/30100002?tab=history')
    await page.getByRole('slider').focus()
    await page.keyboard.press('End')
    await visit('/console/accounts/30100003?tab=history')
    await page.getByText('Two days side by side').waitFor()
    assert.equal(await page.getByText('The record as of never').count(), 0)
  })

  browsing('a list that another account filters shows none of the rows before', async () => {
    const { page, open } = await as('operator')
    await open('/console/audit?accountNumber=30100002')
    const rows = page.getByRole('group', { name: 'Audit rows' }).getByText('30100002')
    await rows.first().waitFor()
    const goOn = await hold(page, '**/list-audit')
    await page.evaluate(goTo, '/console/audit?accountNumber=30100003')
    await page.getByLabel('Loading').first().waitFor()
    assert.equal(await rows.count(), 0)
    await goOn()
  })
})
