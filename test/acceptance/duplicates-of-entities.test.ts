/**
 * An entity that has the registration already, and a person without a tax id who has it, are possible duplicates. The
 * EIN of an entity with another name is noted.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@clearing/sdk'
import { type Application, applicationFor, newTaxId, type RegistrationType } from './applications.ts'
import { follow, open, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const rules = ['EinOfAnother', 'PossibleDuplicate']
/** The findings of the two rules, the same before and after the submission. */
async function find(client: Client, application: Application): Promise<string[]> {
  const shown = (findings: readonly { rule: string; effect: string }[]) =>
    findings.filter(({ rule }) => rules.includes(rule)).map(({ rule, effect }) => `${effect} ${rule}`)
  const { data: foreseen } = await client.validateAccount(application)
  const { accountNumber } = await open(client, application)
  const result = await follow(client, accountNumber)
  assert.equal(result.currentState, 'CreationComplete')
  assert.deepEqual(shown(result.findings).sort(), shown(foreseen.findings).sort())
  return shown(result.findings).sort()
}

let change = 0
/** The application of an entity, each with another phone. */
function entityOf(type: RegistrationType, owner: object, more: object[] = []): Application {
  const application = applicationFor(type)
  const phoneNumberBusiness = `201555${1000 + change++}`
  Object.assign(application.primaryOwner as object, { phoneNumberBusiness }, owner)
  return {
    ...application,
    associatedParties: [...(application.associatedParties ?? []), ...more],
  } as Application
}

test('an entity with the registration is a possible duplicate, and one with another name has the EIN of another', async () => {
  const ein = { taxIdNumber: newTaxId() }
  assert.deepEqual(await find(service.alpha, entityOf('Corporation', { ...ein, name1: 'Elm Corp' })), [])
  const again = entityOf('Corporation', { ...ein, name1: 'Elm Corp' })
  assert.deepEqual(await find(service.alpha, again), ['note PossibleDuplicate'])
  assert.deepEqual(await find(service.alpha, entityOf('Llc', { ...ein, name1: 'Elm, Corp.' })), [])
  assert.deepEqual(await find(service.alpha, entityOf('Trust', { ...ein, name1: 'Birch Trust' })), [
    'note EinOfAnother',
  ])
  const elsewhere = { ...again, entityNumber: '302', main: { repCode: 'BB01' } } as Application
  assert.deepEqual(await find(service.beta, elsewhere), [])
})

test('trusts with the number of their grantor are duplicates only under one name', async () => {
  const number = { taxIdType: 'SSN', taxIdNumber: newTaxId() }
  const grantor = { ...applicationFor('Individual').primaryOwner, ...number, role: 'Grantor' }
  const trust = (name1: string) => entityOf('Trust', { ...number, name1 }, [grantor])
  assert.deepEqual(await find(service.alpha, trust('Elm Trust')), [])
  assert.deepEqual(await find(service.alpha, trust('Birch Trust')), [])
  assert.deepEqual(await find(service.alpha, trust('Elm Trust')), ['note PossibleDuplicate'])
})

/** A foreign owner without a tax id; the phone differs. */
function foreigner(owner: object): Application {
  const application = applicationFor('IndividualJointForeign')
  const { taxIdType: _, taxIdNumber: __, ...own } = application.primaryOwner as Record<string, unknown>
  return {
    ...application,
    primaryOwner: { ...own, phoneNumberCell: `201555${1000 + change++}`, ...owner },
  } as Application
}

test('a person without a tax id is a possible duplicate by the passport', async () => {
  const withPassport = (idNumber: string) => ({
    governmentIdentification: { governmentId1: { idType: 'Passport', idNumber, idLocation: 'CA' } },
  })
  assert.deepEqual(await find(service.alpha, foreigner(withPassport('AB100001'))), [])
  assert.deepEqual(await find(service.alpha, foreigner(withPassport('AB100001'))), ['note PossibleDuplicate'])
  assert.deepEqual(await find(service.alpha, foreigner(withPassport('AB100002'))), [])
})

test('the setting of the firm refuses them, with the number of the other account', async () => {
  const { operations } = service.operations
  const firms = (await operations.listFirms({})).data.firms
  const firmId = firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? ''
  await operations.updateFirm({ firmId, settings: { duplicateApplications: 'Refuse' } })
  const ein = { taxIdNumber: newTaxId(), name1: 'Cedar LLC' }
  const { accountNumber } = await open(service.alpha, entityOf('Llc', ein))
  const { rejections } = await refusalOf(service.alpha.newAccount(entityOf('Llc', ein)))
  assert.deepEqual(
    rejections.map(({ code, rule, reason }) => `${code} ${rule} ${reason}`),
    [`ERR.2012 PossibleDuplicate The same entity already has this registration in account ${accountNumber}.`],
  )
  const again = await refusalOf(
    service.alpha.newAccount(foreigner({})).then(() => service.alpha.newAccount(foreigner({}))),
  )
  assert.deepEqual(
    again.rejections.map(({ field }) => field),
    ['primaryOwner.governmentIdentification'],
  )
})
