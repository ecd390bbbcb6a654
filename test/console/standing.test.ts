/** The screens of an account that waits, was refused or is closed: they state the reason, and take no correction. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { applicationOf } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { openDesk } from './desk.ts'
import { waitingApplication, waitingMatch } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

async function rejected(): Promise<string> {
  const accountNumber = await waitingApplication(desk.service.alpha)
  const decision = { decision: 'Rejected', reason: 'The passport is forged.' } as const
  await desk.service.operations.operations.decideOnboarding({ accountNumber, ...decision })
  return accountNumber
}

async function closed(): Promise<string> {
  const accountNumber = await openAndFollow(desk.service.alpha, applicationOf({}))
  const reason = 'The owner asked for it by letter.'
  await desk.service.operations.operations.closeAccount({ accountNumber, reason })
  return accountNumber
}

describe('the screen of an account that is not open', () => {
  browsing('states why, with a link', async () => {
    const { page, open, wrongs } = await as('viewer')
    for (const [accountNumber, says, leadsTo] of [
      [await rejected(), /^Rejected: The passport is forged\.$/, /application$/],
      [await waitingMatch(desk.service.alpha), /^In review: .* One possible match/, /application$/],
      [
        await closed(),
        /^Closed on [A-Z][a-z]+ \d+, \d{4}: The owner asked for it by letter\.$/,
        /tab=audit$/,
      ],
    ] as const) {
      await open(`/console/accounts/${accountNumber}`)
      const link = page.locator('.page-head').getByRole('link', { name: says })
      assert.match((await link.getAttribute('href')) ?? '', leadsTo)
    }
    assert.deepEqual(wrongs, [])
  })
})

describe('the correction of a record that cannot be corrected', () => {
  browsing('has no field to fill in, and its key tells the reason', async () => {
    const { page, open, wrongs } = await as('operator')
    for (const [accountNumber, why] of [
      [await rejected(), 'The account is rejected.'],
      [await closed(), 'The account is closed.'],
    ] as const) {
      await open(`/console/accounts/${accountNumber}/correct`)
      await page.getByRole('status').getByText(why).waitFor()
      assert.equal(await page.getByLabel('Job title', { exact: true }).first().isEditable(), false)
      assert.equal(await page.getByLabel('Reason').isDisabled(), true)
      await page.keyboard.press('Control+Enter')
      await page.locator('.notices').getByText(why).waitFor()
    }
    assert.deepEqual(wrongs, [])
  })
})

describe('an answer that was not given in time', () => {
  browsing('is not called awaited', async () => {
    const { alpha } = desk.service
    const accountNumber = await openAndFollow(alpha, applicationOf({}))
    const { followUps } = (await alpha.onboardingResult({ accountNumber })).data
    const count = followUps.filter(({ kind, status }) => kind !== 'Review' && status === 'Open').length
    await alpha.sandbox.advanceClock({ days: 69 })
    const { page, open } = await desk.signIn('viewer')
    await open(`/console/accounts/${accountNumber}`)
    const head = page.locator('.page-head')
    await head.getByText(`${count} answers were not given, the first by `).waitFor()
    assert.equal(await head.getByText('awaited').count(), 0)
  })
})
