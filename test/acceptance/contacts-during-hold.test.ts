/**
 * During a temporary hold, a trusted contact is recorded or replaced only after a principal has approved it, and no
 * other change of the record is made.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { applicationOf } from './applications.ts'
import { openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
let principal: PersonAtWork
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
  principal = await signIn(service, 'principal@example.com')
})
after(() => service?.stop())

type Change = Omit<Request<'update-account'>, 'accountNumber'>

const lucia = { name: 'Lucia Ferrante', phoneNumber: '2015550188' }
const bruno = { name: 'Bruno Castell', phoneNumber: '2015550199' }
const reason = 'A caller asks for gift cards.'

function operations() {
  return service.operations.operations
}
function openOwner(contact?: typeof lucia) {
  return openAndFollow(
    service.alpha,
    applicationOf({ birthDate: '1950-03-04', ...(contact && { trustedContact: contact }) }),
  )
}
async function place(accountNumber: string, restrictionCode: string) {
  const { data } = await operations().placeRestriction({ accountNumber, restrictionCode, reason })
  return data.restriction?.restrictionId ?? ''
}
async function heldOwner(contact?: typeof lucia) {
  const accountNumber = await openOwner(contact)
  const restrictionId = await place(accountNumber, 'ProtectedAdult')
  return { accountNumber, restrictionId }
}
function update(accountNumber: string, change: Change) {
  return service.alpha.updateAccount({ accountNumber, ...change })
}
async function waitingOf(accountNumber: string) {
  const { changes } = (await operations().listChanges({ accountNumber, state: 'Requested' })).data
  return changes
}
async function approve(person: PersonAtWork, changeId = '') {
  const decision = { changeId, decision: 'Approved', reason: 'The owner confirmed it in the branch.' }
  return person.call('decide-change', decision)
}
async function nameOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).primaryOwner.trustedContact?.name
}

describe('during a temporary hold', () => {
  test('a trusted contact is recorded when a principal has approved it, and answers the follow-up', async () => {
    const { accountNumber } = await heldOwner()
    const { message } = await update(accountNumber, { trustedContact: lucia })
    assert.match(message, /^The record is unchanged: change \S+ awaits a second person's approval\.$/)
    assert.match((await update(accountNumber, { trustedContact: lucia })).message, /awaits/)
    const [change, ...more] = await waitingOf(accountNumber)
    assert.equal(more.length, 0, 'the same request is the same change')
    assert.deepEqual(change?.subjects, ['ReviewedFacts'])
    const fields = new Map(change?.fields.map(({ field, after }) => [field, after]))
    assert.match(fields.get('finding') ?? '', /temporary hold is in force.*4512\(a\)\(1\)\(F\)/)
    assert.match([...fields.values()].join(), /LUCIA FERRANTE/)
    assert.equal((await approve(operator, change?.changeId)).status, 403)
    assert.equal(await nameOf(accountNumber), undefined)
    const approved = await approve(principal, change?.changeId)
    assert.equal(approved.status, 200, JSON.stringify(approved.json.errors))
    assert.equal(await nameOf(accountNumber), 'LUCIA FERRANTE')
    const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
    const asked = followUps.find(({ field }) => field === 'primaryOwner.trustedContact')
    assert.equal(asked?.status, 'Accepted')
  })

  test('the follow-up can be answered with the contact, which waits as well', async () => {
    const { accountNumber } = await heldOwner()
    const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
    const followUpId = followUps.find(({ field }) => field === 'primaryOwner.trustedContact')?.id ?? ''
    const answer = { accountNumber, followUpId, changes: { trustedContact: lucia } }
    assert.match((await service.alpha.answerFollowUp(answer)).message, /awaits a second person's approval/)
    const other = { ...answer, changes: { trustedContact: lucia, primaryOwner: { occupation: 'Retired' } } }
    assert.deepEqual(await rejectionsOf(service.alpha.answerFollowUp(other)), ['ERR.2011 accountNumber'])
  })

  test('a known contact stays until a principal has approved another one', async () => {
    const { accountNumber } = await heldOwner(lucia)
    await update(accountNumber, { trustedContact: bruno })
    await update(accountNumber, { trustedContact: { phoneNumber: '2015550177' } })
    assert.equal(await nameOf(accountNumber), 'LUCIA FERRANTE')
    const [first, second] = await waitingOf(accountNumber)
    for (const change of [first, second])
      assert.ok(change?.fields.some(({ before }) => /LUCIA FERRANTE|2015550188/.test(before)))
    // A person cannot approve what the same person requests.
    const own = await heldOwner(lucia)
    const request = { accountNumber: own.accountNumber, trustedContact: bruno, reason }
    assert.match((await principal.call('update-account', request)).json.message, /awaits/)
    const [asked] = await waitingOf(own.accountNumber)
    assert.equal((await approve(principal, asked?.changeId)).status, 403)
    assert.equal(await nameOf(own.accountNumber), 'LUCIA FERRANTE')
  })

  test('any other change is refused, alone and beside a contact', async () => {
    const { accountNumber } = await heldOwner()
    for (const change of [
      { electronicDelivery: { email: 'other@example.com' } },
      { trustedContact: lucia, primaryOwner: { phoneNumberCell: '2015550166' } },
    ]) {
      const refused = await refusalOf(update(accountNumber, change))
      assert.match(refused.message, /ProtectedAdult suspends changes, except of the trusted contact/)
    }
    assert.deepEqual(await waitingOf(accountNumber), [])
    await place(accountNumber, 'LegalHold')
    const refused = await refusalOf(update(accountNumber, { trustedContact: lucia }))
    assert.match(refused.message, /LegalHold suspends changes/)
  })

  test('a contact that waits only for a match since before the hold is not recorded', async () => {
    const accountNumber = await openOwner()
    await update(accountNumber, { trustedContact: { name: 'Dmitriy Veshnyakov' } })
    await place(accountNumber, 'ProtectedAdult')
    const { matches } = (await operations().listMatches({ accountNumber })).data
    const [match] = matches
    const cleared = { accountNumber, matchId: match?.matchId, decision: 'Cleared', reason: 'Another one.' }
    assert.equal((await operator.call('decide-match', cleared)).status, 200)
    assert.equal(await nameOf(accountNumber), undefined)
  })

  test('ends with the hold: before and after it a contact is recorded at once', async () => {
    const accountNumber = await openOwner()
    await update(accountNumber, { trustedContact: lucia })
    assert.equal(await nameOf(accountNumber), 'LUCIA FERRANTE')
    const restrictionId = await place(accountNumber, 'ProtectedAdult')
    await update(accountNumber, { trustedContact: bruno })
    assert.equal(await nameOf(accountNumber), 'LUCIA FERRANTE')
    await operations().endRestriction({ accountNumber, restrictionId, reason })
    await update(accountNumber, { trustedContact: { phoneNumber: '2015550177' } })
    const contact = (await read(service.alpha, accountNumber)).primaryOwner.trustedContact
    assert.equal(contact?.phoneNumber, '2015550177')
  })
})
