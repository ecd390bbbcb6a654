/** request-information: operations ask the firm about an application that waits for their decision. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data, Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { follow, open, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Requests = Request<'request-information'>['requests']

type Case = [what: string, requests: Requests, rejections: string[]]

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

/** An application in manual review. */
async function reviewed(): Promise<string> {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
  return accountNumber
}
function request(accountNumber: string, requests: Requests) {
  return service.operations.operations.requestInformation({ accountNumber, requests })
}
function statesOf({ followUps }: Data<'onboarding-result'>) {
  return followUps.map(({ code, field, status }) => [code, field, status].filter(Boolean).join(' '))
}
const birthDate = {
  code: 'FieldCorrection',
  field: 'primaryOwner.birthDate',
  reason: 'The passport has another date.',
}
const bill = { code: 'AddressDocument', field: 'primaryOwner', reason: 'A bill with the street.' }

test('the firm answers what operations request, and the check runs again', async () => {
  const accountNumber = await reviewed()
  const { data: asked } = await request(accountNumber, [birthDate, bill])
  assert.equal(asked.currentState, 'ActionRequired')
  assert.deepEqual(statesOf(asked), [
    'IdentityReview Waived',
    'FieldCorrection primaryOwner.birthDate Open',
    'AddressDocument primaryOwner Open',
  ])
  assert.deepEqual(
    asked.followUps.slice(1).map(({ reasons }) => reasons),
    [[birthDate.reason], [bill.reason]],
  )
  await service.alpha.updateAccount({ accountNumber, primaryOwner: { birthDate: '1985-04-17' } })
  const { data: document } = await service.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber,
    file: { name: 'bill.pdf', content: samplePdf() },
  })
  await service.operations.operations.decideDocument({
    accountNumber,
    documentId: document.documentId,
    decision: 'Approved',
  })
  const again = await follow(service.alpha, accountNumber)
  assert.equal(again.currentState, 'ManualReview')
  assert.deepEqual(statesOf(again).slice(1), [
    'FieldCorrection primaryOwner.birthDate Accepted',
    'AddressDocument primaryOwner Accepted',
    'IdentityReview Open',
  ])
  await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({
    accountNumber,
    types: [
      'followup.waived',
      'application.action_required',
      'application.resumed',
      'application.manual_review',
    ],
  })
  assert.deepEqual(
    data.events.map(({ type }) => type),
    [
      'application.manual_review',
      'followup.waived',
      'application.action_required',
      'application.resumed',
      'application.manual_review',
      'application.resumed',
    ],
  )
})

test('an open match stays open while the firm is asked, and is decided afterwards', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000005' }))
  await follow(service.alpha, accountNumber)
  await request(accountNumber, [birthDate])
  await service.alpha.updateAccount({ accountNumber, primaryOwner: { birthDate: '1985-04-17' } })
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
  const { matches } = (await service.operations.operations.listMatches({ accountNumber })).data
  assert.deepEqual(
    matches.map(({ decision }) => decision),
    ['Open'],
  )
  await service.operations.operations.decideMatch({
    accountNumber,
    matchId: matches[0]?.matchId ?? '',
    decision: 'Cleared',
    reason: 'Another person.',
  })
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
})

test('a firm asks itself in the sandbox, about its own applications only', async () => {
  const accountNumber = await reviewed()
  const requests = [bill]
  assert.deepEqual(await rejectionsOf(service.beta.sandbox.requestInformation({ accountNumber, requests })), [
    'ERR.2003 accountNumber',
  ])
  const { data } = await service.alpha.sandbox.requestInformation({ accountNumber, requests })
  assert.equal(data.currentState, 'ActionRequired')
})

describe('a missing agent, beneficiary or trusted contact is requested, and added', () => {
  const agent = {
    ...applicationOf({ firstName: 'Jonas' }).primaryOwner,
    role: 'InterestedParty',
    tradingAuthority: 'None',
  }
  const heir = {
    primaryContingent: 'Primary',
    name: 'Luis Moreno',
    relationship: 'Other',
    percentageAllocation: '100',
  }
  const contact = {
    name: 'Luis Moreno',
    relationship: 'Parent',
    phoneRegionCode: '1',
    phoneNumber: '2015550188',
  }
  const added: [asked: string, field: string, change: object][] = [
    ['associatedParties', 'associatedParties', { associatedParties: [agent] }],
    ['beneficiaries', 'beneficiaries', { beneficiaries: [heir] }],
    ['transferOfDeathBeneficiaries', 'beneficiaries', { beneficiaries: [heir] }],
    ['trustedContact', 'primaryOwner.trustedContact', { primaryOwner: { trustedContact: contact } }],
  ]
  for (const [asked, field, change] of added) {
    test(asked, async () => {
      const accountNumber = await reviewed()
      const completion = { code: 'FieldCompletion', field: asked, reason: 'The branch names one.' }
      const { data } = await request(accountNumber, [completion])
      assert.deepEqual(statesOf(data).slice(1), [`FieldCompletion ${field} Open`])
      await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Baker' } })
      const open = await follow(service.alpha, accountNumber)
      assert.deepEqual(statesOf(open).slice(1), [`FieldCompletion ${field} Open`])
      await service.alpha.updateAccount({ accountNumber, ...change } as never)
      const answered = await follow(service.alpha, accountNumber)
      assert.ok(statesOf(answered).includes(`FieldCompletion ${field} Accepted`))
    })
  }
})

describe('a request that the firm could not answer is rejected', () => {
  const cases: Case[] = [
    ['nothing', [], ['ERR.1000 requests']],
    ['a decision', [{ ...bill, code: 'IdentityReview' }], ['ERR.1015 requests[0].code']],
    ['an unknown code', [{ ...bill, code: 'Everything' }], ['ERR.1015 requests[0].code']],
    ['no field', [bill, { ...birthDate, field: '' }], ['ERR.1000 requests[1].field']],
    ['an unknown field', [{ ...birthDate, field: 'primaryOwner.birthday' }], ['ERR.1015 requests[0].field']],
    [
      'a member of every object',
      [{ ...birthDate, field: 'primaryOwner.toString' }],
      ['ERR.1015 requests[0].field'],
    ],
    [
      'a party that is not there',
      [{ ...bill, field: 'associatedParties[0]' }],
      ['ERR.1015 requests[0].field'],
    ],
    ['a document about a list', [{ ...bill, field: 'associatedParties' }], ['ERR.1015 requests[0].field']],
    ['a position in a block', [{ ...bill, field: 'primaryOwner[0]' }], ['ERR.1015 requests[0].field']],
    ['what cannot change', [{ ...birthDate, field: 'registrationType' }], ['ERR.1015 requests[0].field']],
    ...['primaryOwner.taxIdNumber', 'primaryOwner.citizenshipCountry', 'main.marginIndicator'].map(
      (field): Case => [
        `${field}, which update-account does not change`,
        [bill, { ...birthDate, field }],
        ['ERR.1015 requests[1].field'],
      ],
    ),
    ['no reason', [{ ...bill, reason: '' }], ['ERR.1000 requests[0].reason']],
  ]
  for (const [what, requests, rejections] of cases) {
    test(what, async () => {
      const accountNumber = await reviewed()
      assert.deepEqual(await rejectionsOf(request(accountNumber, requests)), rejections)
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    })
  }

  test('a fixed field, with the reason that says who changes it', async () => {
    const accountNumber = await reviewed()
    const field = 'primaryOwner.taxIdNumber'
    const { rejections } = await refusalOf(request(accountNumber, [{ ...birthDate, field }]))
    assert.deepEqual(
      rejections.map(({ reason }) => reason),
      [
        'The firm cannot change primaryOwner.taxIdNumber of an application. Reject the application, and the firm sends another, or change it with correct-identity once the account is open.',
      ],
    )
    const type = { ...birthDate, field: 'registrationType' }
    assert.match(
      (await refusalOf(request(accountNumber, [type]))).message,
      /Reject the application, and the firm sends another\./,
    )
    // A document about it can be requested.
    const card = { code: 'TaxIdDocument', field, reason: 'The card.' }
    assert.equal((await request(accountNumber, [card])).data.currentState, 'ActionRequired')
  })

  test('about an application that waits for no decision', async () => {
    const accountNumber = await reviewed()
    await request(accountNumber, [bill])
    assert.deepEqual(await rejectionsOf(request(accountNumber, [birthDate])), ['ERR.2010 '])
    const { accountNumber: opened } = await open(service.alpha, applicationOf({}))
    await follow(service.alpha, opened)
    assert.deepEqual(await rejectionsOf(request(opened, [birthDate])), ['ERR.2010 '])
  })
})
