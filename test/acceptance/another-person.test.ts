/** An update of an open account does not make a party another person, whose documents the account does not have. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Application, applicationFor, applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, read, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const other = { firstName: 'Zed', lastName: 'Zorn', birthDate: '1981-01-01' }
const agent = {
  role: 'PowerOfAttorney',
  tradingAuthority: 'Full',
  firstName: 'Jonas',
  lastName: 'Halvorsen',
  birthDate: '1970-05-06',
  citizenshipCountry: 'US',
  legalAddress: {},
  taxIdType: 'SSN',
  phoneNumberCell: '2015550123',
}

async function opened(application: Application, ...parties: object[]) {
  const associatedParties = [...(application.associatedParties ?? []), ...parties]
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    associatedParties,
  } as Application)
  assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
  return accountNumber
}
function update(accountNumber: string, change: object) {
  return service.alpha.updateAccount({ accountNumber, ...change } as never)
}
async function partyOf(accountNumber: string) {
  const [party] = (await read(service.alpha, accountNumber)).associatedParties
  return party?.customerId ?? ''
}
async function refused(accountNumber: string, change: object) {
  const { status, rejections } = await refusalOf(update(accountNumber, change))
  assert.equal((await read(service.alpha, accountNumber)).version, 1, 'nothing is changed')
  return [status, ...rejections.map(({ code, field }) => `${code} ${field}`)]
}

describe('another name and another birth date in one request', () => {
  test('are refused for the owner, who remains the owner', async () => {
    const accountNumber = await opened(applicationOf({}))
    assert.deepEqual(await refused(accountNumber, { primaryOwner: other }), [
      400,
      'ERR.1020 primaryOwner.lastName',
    ])
    const { message } = await refusalOf(update(accountNumber, { primaryOwner: other }))
    assert.match(message, /remains the owner: open an account for the other person.*in two requests/)
  })

  test('are refused for a co-owner and for an agent', async () => {
    const joint = await opened(applicationFor('JointWROS'))
    const single = await opened(applicationOf({}), { ...agent, taxIdNumber: newTaxId() })
    for (const accountNumber of [joint, single]) {
      const associatedParties = [{ customerId: await partyOf(accountNumber), ...other }]
      assert.deepEqual(await refused(accountNumber, { associatedParties }), [
        400,
        'ERR.1020 associatedParties[0].lastName',
      ])
    }
  })

  test('are accepted one after the other, and as corrections of the spelling', async () => {
    const accountNumber = await opened(applicationOf({ firstName: 'Ada', lastName: 'Moreno' }))
    await update(accountNumber, { primaryOwner: { lastName: 'Halvorsen' } })
    await update(accountNumber, { primaryOwner: { birthDate: '1986-04-18' } })
    await update(accountNumber, { primaryOwner: { lastName: 'Halvorson', birthDate: '1986-04-19' } })
    const { primaryOwner, version } = await read(service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.name3, primaryOwner.birthDate, version], ['HALVORSON', '1986-04-19', 4])
  })
})

test('the other agent is added, and the former one gets no authority, in one request', async () => {
  const accountNumber = await opened(applicationOf({}), { ...agent, taxIdNumber: newTaxId() })
  const customerId = await partyOf(accountNumber)
  await update(accountNumber, {
    associatedParties: [
      { customerId, role: 'InterestedParty', tradingAuthority: 'None' },
      { ...agent, ...other, taxIdNumber: newTaxId() },
    ],
  })
  const parties = (await read(service.alpha, accountNumber)).associatedParties
  assert.deepEqual(
    parties.map((party) => [party.role, party.name3]),
    [
      ['InterestedParty', 'HALVORSEN'],
      ['PowerOfAttorney', 'ZORN'],
    ],
  )
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  assert.ok(followUps.some(({ code }) => code === 'AuthorityDocument'))
})

test('a foreign owner without a tax id does not get another name and another passport', async () => {
  const application = applicationFor('IndividualJointForeign')
  const { taxIdType: _, taxIdNumber: __, ...owner } = application.primaryOwner as Record<string, unknown>
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    primaryOwner: owner,
  } as Application)
  const passport = { idType: 'Passport', idNumber: '751234567', idLocation: 'FR', idExpiration: '2037-01-01' }
  const governmentIdentification = { governmentId1: passport }
  const change = { primaryOwner: { firstName: 'Igor', lastName: 'Volkonsky', governmentIdentification } }
  assert.deepEqual(await refused(accountNumber, change), [400, 'ERR.1020 primaryOwner.lastName'])
  await update(accountNumber, { primaryOwner: { governmentIdentification } })
})
