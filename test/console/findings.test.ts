/** The screen of an application shows at each finding the rule that it comes from and the rule's source. */
import assert from 'node:assert/strict'
import { applicationOf } from '../acceptance/applications.ts'
import { follow, open } from '../acceptance/calling.ts'
import { openDesk } from './desk.ts'

const desk = openDesk()

desk.browsing('each finding on an application stands with its rule and source', async () => {
  const { accountNumber } = await open(
    desk.service.alpha,
    applicationOf(
      {
        legalAddress: {
          street: 'General Delivery',
          city: 'Jersey City',
          stateProvince: 'NJ',
          country: 'US',
          postalCode: '07302',
        },
        firstName: 'John',
        lastName: 'Doe',
      },
      { financialProfile: { netWorth: 'B', liquidNetWorth: 'C' } },
    ),
  )
  const result = await follow(desk.service.alpha, accountNumber)
  assert.equal(result.currentState, 'ManualReview')
  const { page, open: visit, wrongs } = await desk.as('viewer')
  await visit(`/console/accounts/${accountNumber}/application`)
  const followUps = page.getByRole('table', { name: 'Follow-ups' })
  await followUps.getByText('The name is the name of a real person').waitFor()
  const text = await followUps.innerText()
  for (const { reason, source, effect } of result.findings.filter((one) => one.effect === 'review')) {
    assert.ok(text.includes(reason), `${effect}: ${reason}`)
    assert.ok(text.includes(source), source)
  }
  const noted = await page.getByRole('table', { name: 'Noted' }).innerText()
  assert.match(noted, /The liquid net worth is above the net worth/)
  assert.match(noted, /Reading 3\.7/)
  assert.deepEqual(wrongs, [])
})
