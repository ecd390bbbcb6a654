/**
 * A change of an open account that causes a finding which operations review waits for them, as an application with the
 * finding does. A change that keeps such a finding does not wait. What is only noted is in the message of the response.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { type Application, applicationFor, newTaxId } from './applications.ts'
import { openAndFollow, read, refusalOf, until } from './calling.ts'
import {
  type Change,
  changesOf,
  clearAll,
  eventsOf,
  newAccount,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  tehran,
  update,
  work,
} from './screened-changes.ts'

startBeforeTests()

const usual = 'Request successful.'
const political = { primaryOwner: { affiliation: { political: 'true' } } } as Change
const officeHolder = 'A foreign person declares a political office or a tie to one.'
const noPlace = {
  street: 'General Delivery',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

function foreignAccount() {
  return openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
}
function custodialAccount() {
  return openAndFollow(service.alpha, applicationFor('CustodialUtma'))
}
function decide(changeId: string, decision: 'Approved' | 'Rejected', who = principal) {
  return who.call('decide-change', { changeId, decision, reason: 'Asked the firm.' })
}
async function findingsOf(accountNumber: string) {
  return (await service.alpha.onboardingResult({ accountNumber })).data.findings
}
async function waitingOf(accountNumber: string) {
  const [change] = (await changesOf(accountNumber)).filter(({ state }) => state === 'Requested')
  assert.ok(change !== undefined)
  return change
}

interface Case {
  readonly rule: string
  readonly opened: () => Promise<string>
  readonly change: (accountNumber: string) => Promise<Change>
  readonly reason: RegExp
}
const cases: readonly Case[] = [
  {
    rule: 'PoliticalForeign',
    opened: foreignAccount,
    change: async () => political,
    reason: /political office/,
  },
  {
    rule: 'NameIsName',
    opened: newAccount,
    change: async () => ({ primaryOwner: { firstName: 'Unknown', lastName: 'Unknown' } }),
    reason: /placeholder/,
  },
  {
    rule: 'AddressIsPlace',
    opened: newAccount,
    change: async () => ({ primaryOwner: { legalAddress: noPlace } }),
    reason: /does not say where a person lives/,
  },
  {
    rule: 'AgePlausible',
    opened: newAccount,
    change: async () => ({ primaryOwner: { birthDate: '1905-04-05' } }),
    reason: /older than 110; a document must prove it/,
  },
  {
    rule: 'ForeignWithSsn',
    opened: newAccount,
    change: async () => ({ primaryOwner: { caisInformation: { customerType: ['Foreign'] } } }) as Change,
    reason: /foreign person and has a social security number/,
  },
  {
    rule: 'CustodianTrustCompany',
    opened: custodialAccount,
    change: async (accountNumber) => {
      const [custodian] = (await read(service.alpha, accountNumber)).associatedParties
      const company = {
        role: 'Custodian',
        nameType: 'Entity',
        name1: 'Foo Gym',
        citizenshipCountry: 'US',
        legalAddress: {},
        taxIdType: 'TaxId',
        taxIdNumber: newTaxId(),
        phoneNumberBusiness: '2015550177',
      }
      return {
        associatedParties: [{ customerId: custodian?.customerId, role: 'InterestedParty' }, company],
      } as Change
    },
    reason: /trust company/,
  },
]

describe('a change of an open account waits for operations, and takes effect when they approve it', () => {
  for (const { rule, opened, change, reason } of cases) {
    test(rule, async () => {
      const accountNumber = await opened()
      const before = await read(service.alpha, accountNumber)
      const { data, message } = await update(accountNumber, await change(accountNumber))
      assert.match(message, /^The record is unchanged: change [0-9a-f-]{36} awaits a review by operations\. /)
      assert.match(message, reason)
      assert.deepEqual(data, before)
      const waiting = await waitingOf(accountNumber)
      assert.ok(waiting.subjects.includes('ReviewedFacts'))
      assert.deepEqual([waiting.approvalNeeded, waiting.openMatches], [true, 0])
      const found = waiting.fields.find(({ field }) => field === 'finding')
      assert.match(found?.after ?? '', new RegExp(`^${rule}: `))
      assert.deepEqual(
        (await work(accountNumber)).map(({ queue, itemId }) => `${queue} ${itemId}`),
        [`Change ${waiting.changeId}`],
      )
      assert.equal((await decide(waiting.changeId, 'Approved', operator)).status, 403)
      assert.equal((await decide(waiting.changeId, 'Approved')).json.data.state, 'Approved')
      const after = await read(service.alpha, accountNumber)
      assert.deepEqual([after.version, after.accountStatus], [2, 'Open'])
      assert.deepEqual(await work(accountNumber), [])
      const shown = (await findingsOf(accountNumber)).find((one) => one.rule === rule)
      assert.deepEqual([shown?.effect, shown?.followUpId], ['note', ''])
      const types = await eventsOf(accountNumber)
      for (const type of ['change.requested', 'account.updated', 'change.approved'])
        assert.ok(types.includes(type), type)

      const later = await update(accountNumber, { primaryOwner: { jobTitle: 'Pilot' } })
      assert.deepEqual([later.message, later.data.version], [usual, 3])
      // A second custodian is rejected.
      if (rule === 'CustodianTrustCompany') return
      const again = await update(accountNumber, await change(accountNumber))
      assert.equal(again.message, usual)
    })
  }
})

describe('a change that causes a finding which operations review', () => {
  test('has no effect when they reject it, and waits anew when it is sent again', async () => {
    const accountNumber = await foreignAccount()
    await update(accountNumber, political)
    const first = await waitingOf(accountNumber)
    assert.equal((await decide(first.changeId, 'Rejected')).json.data.state, 'Rejected')
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.ok(!(await findingsOf(accountNumber)).some(({ rule }) => rule === 'PoliticalForeign'))
    assert.ok((await eventsOf(accountNumber)).includes('change.rejected'))
    await update(accountNumber, political)
    assert.notEqual((await waitingOf(accountNumber)).changeId, first.changeId)
  })

  test('is one change, however often it is sent', async () => {
    const accountNumber = await foreignAccount()
    const request = { accountNumber, ...political } as Request<'update-account'>
    const settings = { idempotencyKey: `political ${accountNumber}` }
    const first = await service.alpha.updateAccount(request, settings)
    const replay = await service.alpha.updateAccount(request, settings)
    assert.deepEqual([replay.replayed, replay.message], [true, first.message])
    assert.equal((await service.alpha.updateAccount(request)).message, first.message)
    assert.equal((await changesOf(accountNumber)).length, 1)
  })

  test('is not withdrawn by the firm while it states a political office: operations reject it', async () => {
    const accountNumber = await foreignAccount()
    await update(accountNumber, political)
    const { changeId } = await waitingOf(accountNumber)
    const withdraw = () => service.alpha.withdrawUpdate({ accountNumber, changeId })
    const refused = await refusalOf(withdraw())
    assert.deepEqual([refused.status, refused.has('ERR.2010')], [409, true])
    assert.match(refused.message, /operations decide.*they reject the change/)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Change'],
    )
    await decide(changeId, 'Rejected')
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.match((await refusalOf(withdraw())).message, /rejected on/)
  })

  test('is withdrawn by the firm if it asks whether a name is right', async () => {
    const accountNumber = await foreignAccount()
    await update(accountNumber, { primaryOwner: { lastName: 'Unknown' } })
    const { changeId } = await waitingOf(accountNumber)
    const { data } = await service.alpha.withdrawUpdate({ accountNumber, changeId })
    assert.equal(data.state, 'Withdrawn')
    assert.deepEqual(await work(accountNumber), [])
  })

  test('needs another person if a person requests it, and not the credential that the person may hold', async () => {
    const accountNumber = await foreignAccount()
    const asked = await principal.call('update-account', { accountNumber, ...political })
    assert.match(asked.json.message, /awaits a review by operations/)
    const { changeId } = await waitingOf(accountNumber)
    assert.equal((await decide(changeId, 'Approved')).status, 403)
    const { decideChange } = service.operations.operations
    const refused = await refusalOf(decideChange({ changeId, decision: 'Approved', reason: 'Asked.' }))
    assert.equal(refused.status, 403)
  })

  test('takes effect after the approval and the decisions on its matches', async () => {
    const accountNumber = await foreignAccount()
    const { message } = await update(accountNumber, { ...political, mailingAddress: tehran })
    assert.match(message, /awaits a review by operations\. A foreign person/)
    const { changeId, subjects } = await waitingOf(accountNumber)
    assert.deepEqual(subjects, ['Addresses', 'ReviewedFacts', 'Screening'])
    assert.equal((await decide(changeId, 'Approved')).json.data.state, 'Requested')
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    const resent = await update(accountNumber, { ...political, mailingAddress: tehran })
    assert.doesNotMatch(resent.message, /foreign person/, 'the approved finding is not waited for')
    assert.equal((await openMatches(accountNumber)).length, 1)
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).version, 2)
  })

  test('waits as well if it answers a follow-up', async () => {
    const accountNumber = await foreignAccount()
    const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
    const asked = followUps.find(({ kind, field }) => kind === 'Field' && field === 'primaryOwner.occupation')
    assert.ok(asked !== undefined)
    const changes = { primaryOwner: { occupation: 'Retired', ...political.primaryOwner } } as Change
    const { message } = await service.alpha.answerFollowUp({ accountNumber, followUpId: asked.id, changes })
    assert.ok(message.endsWith(officeHolder), message)
    assert.equal((await decide((await waitingOf(accountNumber)).changeId, 'Approved')).status, 200)
    const after = (await service.alpha.onboardingResult({ accountNumber })).data.followUps
    assert.notEqual(after.find(({ id }) => id === asked.id)?.status, 'Open')
  })

  test('does not wait again if operations had reviewed the finding at the opening', async () => {
    const application = applicationFor('IndividualJointForeign')
    const primaryOwner = { ...application.primaryOwner, affiliation: { political: 'true' } }
    const accountNumber = await openAndFollow(service.alpha, { ...application, primaryOwner } as Application)
    await service.operations.operations.decideOnboarding({
      accountNumber,
      decision: 'Approved',
      reason: 'Senior management approved it.',
    } as never)
    await until(
      () => read(service.alpha, accountNumber),
      ({ accountStatus }) => accountStatus === 'Open',
    )
    const { message } = await update(accountNumber, { primaryOwner: { jobTitle: 'Envoy' } })
    assert.equal(message, usual)
  })
})

test('the message names what a new country leaves empty, and what a replaced list no longer has', async () => {
  const accountNumber = await newAccount()
  const { message, data } = await update(accountNumber, {
    mailingAddress: { street: '4 Quay Street', city: 'Bristol', country: 'GB' },
    primaryOwner: { caisCustomerType: ['Advisor', 'Employee'] },
  })
  assert.equal(
    message,
    `${usual} The new country leaves empty: mailingAddress.stateProvince, mailingAddress.postalCode.`,
  )
  assert.deepEqual([data.mailingAddress.stateProvince, data.mailingAddress.postalCode], ['', ''])
  const kept = await update(accountNumber, {
    mailingAddress: { country: 'US', stateProvince: 'NJ', postalCode: '07302' },
  })
  assert.doesNotMatch(kept.message, /leaves empty/)
  const replaced = await update(accountNumber, { primaryOwner: { caisCustomerType: ['CP'] } })
  assert.match(
    replaced.message,
    /^Request successful\. primaryOwner\.caisInformation\.customerType was replaced and no longer has: Advisor, Employee\./,
  )
})

describe('what account policy only notes', () => {
  test('is in the message of the change that causes it, and of no other', async () => {
    const accountNumber = await newAccount()
    const { message, data } = await update(accountNumber, { mailingAddress: { postalCode: '94105' } })
    assert.equal(message, `${usual} Noted: The postal code belongs to another state.`)
    assert.equal(data.version, 2)
    assert.ok((await findingsOf(accountNumber)).some(({ rule }) => rule === 'PostalCodeOfState'))
    const later = await update(accountNumber, { primaryOwner: { jobTitle: 'Baker' } })
    assert.equal(later.message, usual)
  })

  test('includes a tax id that another person of the firm has', async () => {
    const shared = newTaxId()
    const first = applicationFor('Individual')
    const primaryOwner = { ...first.primaryOwner, taxIdNumber: shared, birthDate: '1970-05-05' }
    await openAndFollow(service.alpha, { ...first, primaryOwner } as Application)
    const accountNumber = await newAccount()
    const contact = {
      role: 'InterestedParty',
      firstName: 'Rosa',
      lastName: 'Moreno',
      citizenshipCountry: 'US',
      birthDate: '1991-01-01',
      legalAddress: {},
      taxIdType: 'SSN',
      taxIdNumber: shared,
      phoneNumberCell: '2015550123',
    }
    const { message, data } = await update(accountNumber, { associatedParties: [contact] } as Change)
    assert.match(message, /^Request successful\. Noted: /)
    assert.equal(data.version, 2)
  })
})

test('another office of a person whose political tie operations approved waits', async () => {
  const tie = (organization: string, relationship: string) => ({
    affiliation: { political: { associated: 'true', name: 'Jean Petit', organization, relationship } },
  })
  const application = applicationFor('IndividualJointForeign')
  const primaryOwner = { ...application.primaryOwner, ...tie('Commune de Vif', 'Cousin') }
  const accountNumber = await openAndFollow(service.alpha, { ...application, primaryOwner } as Application)
  await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
  await until(
    () => read(service.alpha, accountNumber),
    ({ accountStatus }) => accountStatus === 'Open',
  )
  const same = { primaryOwner: { ...tie('Commune de Vif', 'Cousin'), email: 'a@example.com' } } as Change
  assert.equal((await update(accountNumber, same)).message, usual)
  const minister = { primaryOwner: tie('Ministry of Defence', 'Self') } as Change
  assert.match(
    (await update(accountNumber, minister)).message,
    /awaits a review by operations.*political office/,
  )
  assert.deepEqual((await waitingOf(accountNumber)).subjects, ['ReviewedFacts'])
})
