/** Tax ids that foreign persons get after their account has opened without one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, newTaxId } from './applications.ts'
import { openAndFollow, read, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const itins = ['912701234', '912701235'] as const

/** An account of two foreign persons without tax ids. */
async function openWithoutTaxIds() {
  const application = applicationFor('IndividualJointForeign')
  const { taxIdType: _type, taxIdNumber: _number, ...owner } = application.primaryOwner
  const jointOwner = { ...owner, role: 'Secondary', firstName: 'Lucien', birthDate: '1984-05-06' } as const
  return openAndFollow(service.alpha, {
    ...application,
    primaryOwner: owner,
    associatedParties: [jointOwner],
  })
}

test('each owner of an account that opened without tax ids can get one, which is then fixed', async () => {
  const accountNumber = await openWithoutTaxIds()
  const before = await read(service.alpha, accountNumber)
  const customerId = before.associatedParties[0]?.customerId
  const [first, second] = itins.map((taxIdNumber) => ({ taxIdType: 'TaxId', taxIdNumber }))
  const change = {
    accountNumber,
    primaryOwner: { ...first },
    associatedParties: [{ customerId, ...second }],
  } as Parameters<typeof service.alpha.updateAccount>[0]
  const { data } = await service.alpha.updateAccount(change)
  assert.deepEqual(
    [data.primaryOwner, data.associatedParties[0]].map((party) => [party?.taxIdType, party?.taxIdNumber]),
    itins.map((number) => ['TaxId', number]),
  )
  assert.equal((await service.alpha.updateAccount(change)).data.version, data.version)
  const other = { ...change, primaryOwner: { taxIdType: 'SSN', taxIdNumber: newTaxId() } } as typeof change
  assert.deepEqual(await rejectionsOf(service.alpha.updateAccount(other)), [
    'ERR.1021 primaryOwner.taxIdNumber',
    'ERR.1021 primaryOwner.taxIdType',
  ])
  // The number finds the account, as one of the opening does.
  const found = await service.operations.operations.searchAccounts({ taxIdNumber: itins[1] })
  assert.deepEqual(
    found.data.accounts.map((account) => account.accountNumber),
    [accountNumber],
  )
})

test('a tax id that comes later is subject to the rules of one at the opening', async () => {
  const accountNumber = await openWithoutTaxIds()
  const refusedOf = (primaryOwner: object) =>
    rejectionsOf(
      service.alpha.updateAccount({ accountNumber, primaryOwner } as Parameters<
        typeof service.alpha.updateAccount
      >[0]),
    )
  assert.deepEqual(await refusedOf({ taxIdType: 'TaxId' }), ['ERR.1000 primaryOwner.taxIdNumber'])
  assert.deepEqual(await refusedOf({ taxIdNumber: itins[0] }), ['ERR.1000 primaryOwner.taxIdType'])
  assert.deepEqual(await refusedOf({ taxIdType: 'SSN', taxIdNumber: '666121234' }), [
    'ERR.1016 primaryOwner.taxIdNumber',
  ])
})
