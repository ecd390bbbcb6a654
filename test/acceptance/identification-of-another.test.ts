/**
 * A passport that stands in place of a tax id is that of one person of a firm, by the rule IdentificationOfAnother. A
 * placeholder in place of its number waits for operations.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@clearing/sdk'
import { type Application, applicationFor } from './applications.ts'
import { follow, open, openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

interface Shown {
  readonly idNumber: string
  readonly birthDate?: string
  readonly idType?: string
  readonly firstName?: string
}

/** The application of a French person without a tax id. */
function foreignerWith({
  idNumber,
  idType = 'Passport',
  birthDate = '1951-03-04',
  firstName = 'Claire',
}: Shown) {
  const application = applicationFor('IndividualJointForeign')
  const { taxIdType: _, taxIdNumber: __, ...owner } = application.primaryOwner as Record<string, unknown>
  const governmentId1 = { idType, idNumber, idLocation: 'FR', idExpiration: '2041-03-01' }
  return {
    ...application,
    primaryOwner: {
      ...owner,
      firstName,
      citizenshipCountry: 'FR',
      birthDate,
      governmentIdentification: { governmentId1 },
    },
  } as Application
}

/** The findings of the two rules, the same before and after the submission. */
async function find(client: Client, application: Application, state = 'CreationComplete'): Promise<string[]> {
  const shown = (findings: readonly { rule: string; effect: string; field: string }[]) =>
    findings
      .filter(({ rule }) => rule === 'IdentificationOfAnother' || rule === 'IdNumberIsNumber')
      .map(({ rule, effect, field }) => `${effect} ${rule} ${field}`)
  const { data: foreseen } = await client.validateAccount(application)
  const { accountNumber } = await open(client, application)
  const result = await follow(client, accountNumber)
  assert.equal(result.currentState, state)
  assert.deepEqual(shown(result.findings), shown(foreseen.findings))
  return shown(result.findings)
}

const ofOwner = ['note IdentificationOfAnother primaryOwner.governmentIdentification']

test('a passport of two persons is noted for each later application, not for the same person under another name', async () => {
  const idNumber = '19AB77881'
  assert.deepEqual(await find(service.alpha, foreignerWith({ idNumber })), [])
  assert.deepEqual(await find(service.alpha, foreignerWith({ idNumber, firstName: 'Clara' })), [])
  for (const birthDate of ['1951-03-03', '1951-03-05'])
    assert.deepEqual(
      await find(service.alpha, foreignerWith({ idNumber: '19-ab 77881', birthDate })),
      ofOwner,
    )
  const birthDate = '1988-01-01'
  assert.deepEqual(
    await find(service.alpha, foreignerWith({ idNumber, birthDate, idType: 'NationalId' })),
    [],
  )
  assert.deepEqual(await find(service.alpha, foreignerWith({ idNumber: '19AB77882', birthDate })), [])
  const { primaryOwner } = foreignerWith({ idNumber, birthDate })
  const elsewhere = {
    ...applicationFor('IndividualJointForeign'),
    entityNumber: '302',
    main: { repCode: 'BB01' },
  }
  assert.deepEqual(await find(service.beta, { ...elsewhere, primaryOwner } as Application), [])
})

test('a change of an open account to the passport of another person is noted', async () => {
  await openAndFollow(service.alpha, foreignerWith({ idNumber: '20CD11111' }))
  const accountNumber = await openAndFollow(
    service.alpha,
    foreignerWith({ idNumber: '20CD22222', birthDate: '1988-01-01' }),
  )
  const governmentId1 = { idNumber: '20CD11111' }
  const { message } = await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { governmentIdentification: { governmentId1 } },
  })
  assert.equal(
    message,
    'Request successful. Noted: A person with another birth date has an identification with the same number.',
  )
})

test('a placeholder in place of the number of a passport waits for operations, and is no number that two persons have', async () => {
  const unknown = 'IdNumberIsNumber primaryOwner.governmentIdentification.governmentId1.idNumber'
  for (const birthDate of ['1951-03-04', '1988-01-01'])
    assert.deepEqual(
      await find(service.alpha, foreignerWith({ idNumber: 'UNKNOWN', birthDate }), 'ManualReview'),
      [`review ${unknown}`],
    )
})
