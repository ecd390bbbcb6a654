/**
 * Random valid applications of every registration type. Each opens without a decision, and validate-account returns the
 * same result as new-account.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeLists } from '@clearing/protocol'
import fc from 'fast-check'
import { anyApplication } from '../../domain/src/account/testing/any-application.ts'
import { follow, open, read, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const ofEachType = 2
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

for (const { value } of codeLists.registrationType) {
  test(`valid applications of the registration ${value} open automatically (seed ${seed})`, async () => {
    const year = new Date().getUTCFullYear()
    for (const application of fc.sample(anyApplication(value, year), { numRuns: ofEachType, seed })) {
      const sent = JSON.stringify(application)
      const { data: foreseen } = await service.alpha.validateAccount(application)
      assert.equal(foreseen.currentState, 'CreationComplete', sent)
      const { accountNumber } = await open(service.alpha, application)
      const result = await follow(service.alpha, accountNumber)
      assert.equal(result.currentState, 'CreationComplete', `${sent} ${JSON.stringify(result.followUps)}`)
      assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
      assert.deepEqual(
        result.followUps.map(({ code, field }) => `${code} ${field}`).sort(),
        foreseen.followUps.map(({ code, field }) => `${code} ${field}`).sort(),
        sent,
      )
    }
  })
}

test('validate-account refuses the same applications as new-account', async () => {
  for (const { value } of codeLists.registrationType) {
    const [application] = fc.sample(anyApplication(value, new Date().getUTCFullYear()), { numRuns: 1, seed })
    const wrong = {
      ...application,
      main: {
        repCode: 'JC01',
        marginIndicator: 'true',
        optionTradingIndicator: 'false',
        optionTradingLevel: '5',
      },
      associatedParties: [
        {
          firstName: 'Tim',
          lastName: 'Young',
          birthDate: '2019-01-01',
          role: 'PowerOfAttorney',
          taxIdType: 'SSN',
          taxIdNumber: '000111222',
        },
      ],
    } as never
    const refused = await rejectionsOf(service.alpha.newAccount(wrong))
    assert.ok(refused.length > 2, value)
    assert.deepEqual(await rejectionsOf(service.alpha.validateAccount(wrong)), refused, value)
  }
})
