/**
 * Operations decide on an office or a sanctioned place that an application stated, although the firm takes the
 * statement back before anyone has decided.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Application, address, applicationFor } from './applications.ts'
import { follow, openAndFollow } from './calling.ts'
import { type Change, clearAll, service, startBeforeTests, update, work } from './screened-changes.ts'

startBeforeTests()

const notAnyMore = / This was stated in the application and is not any more\.$/
const tehran = { street: '12 Azadi Avenue', city: 'Tehran', country: 'IR', postalCode: '11369' }
const box = { ...address, street: 'PO Box 4' }

function passport(idLocation: string) {
  const document = { idType: 'Passport', idNumber: '19AB77881', idLocation, idExpiration: '2037-01-01' }
  return { governmentIdentification: { governmentId1: document } }
}

interface Case {
  readonly rule: string
  readonly field: string
  readonly stated: object
  readonly takenBack: object
}
const cases: readonly Case[] = [
  {
    rule: 'PoliticalForeign',
    field: 'primaryOwner.affiliation.political',
    stated: { affiliation: { political: 'true', organization: 'Ministry of Defence', relationship: 'Self' } },
    takenBack: { affiliation: { political: 'false' } },
  },
  {
    rule: 'PlaceNotSanctioned',
    field: 'primaryOwner.legalAddress',
    stated: { legalAddress: tehran },
    takenBack: { legalAddress: { ...address, street: '14 Harbor Street' } },
  },
  {
    rule: 'PlaceNotSanctioned',
    field: 'primaryOwner.governmentIdentification.governmentId1.idLocation',
    stated: passport('IR'),
    takenBack: passport('CA'),
  },
]

/** A foreign person who states it. */
async function apply(stated: object) {
  const application = applicationFor('IndividualJointForeign')
  const primaryOwner = { ...application.primaryOwner, phoneRegionCell: '1', ...stated }
  return openAndFollow(service.alpha, { ...application, primaryOwner } as Application)
}
function change(accountNumber: string, ...owner: object[]) {
  return update(accountNumber, { primaryOwner: Object.assign({}, ...owner) } as Change)
}
function ask(accountNumber: string, field: string) {
  const requests = [{ code: 'FieldCorrection', field, reason: 'Describe it.' }]
  return service.operations.operations.requestInformation({ accountNumber, requests } as never)
}
function decide(accountNumber: string, decision: 'Approved' | 'Rejected' = 'Approved') {
  const reason = 'Seen with the papers of the branch.'
  return service.operations.operations.decideOnboarding({ accountNumber, decision, reason })
}
/** The state, and the findings as `rule ended`, of which those that wait have a mark. */
async function stateOf(accountNumber: string) {
  const { currentState, followUps, findings } = await follow(service.alpha, accountNumber)
  const waiting = new Set(followUps.filter(({ status }) => status === 'Open').map(({ id }) => id))
  const rules = new Set(cases.map(({ rule }) => rule))
  return [
    currentState,
    ...findings
      .filter(({ rule }) => rules.has(rule))
      .map(({ rule, ended, followUpId }) => `${rule} ${ended}${waiting.has(followUpId) ? ' waits' : ''}`),
  ]
}

for (const { rule, field, stated, takenBack } of cases) {
  describe(`${rule} of ${field}`, () => {
    test('is decided on after an answer to operations took it back', async () => {
      const accountNumber = await apply(stated)
      assert.deepEqual(await stateOf(accountNumber), ['ManualReview', `${rule} false waits`])
      await ask(accountNumber, field)
      await change(accountNumber, takenBack)
      assert.deepEqual(await stateOf(accountNumber), ['ManualReview', `${rule} true`, `${rule} true waits`])
      const [item] = (await work(accountNumber)).filter(({ queue }) => queue === 'Application')
      assert.match(item?.detail ?? '', notAnyMore)
      const { findings } = await follow(service.alpha, accountNumber)
      assert.match(findings.find(({ reason }) => notAnyMore.test(reason))?.field ?? '', new RegExp(field))
      await decide(accountNumber)
      assert.deepEqual(await stateOf(accountNumber), ['CreationComplete', `${rule} true`, `${rule} true`])
    })

    test('is not decided on again if operations approved it while it was stated', async () => {
      const accountNumber = await apply({ ...stated, taxIdNumber: '000000005' })
      await decide(accountNumber)
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
      await ask(accountNumber, 'primaryOwner.email')
      await change(accountNumber, takenBack, { email: 'amelie@example.com' })
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
      await clearAll(accountNumber)
      assert.deepEqual(await stateOf(accountNumber), ['CreationComplete', `${rule} true`])
    })
  })
}

test('a declaration that the answer to the first question takes back is decided on', async () => {
  const [political] = cases
  const accountNumber = await apply({ ...political?.stated, legalAddress: box })
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  await change(
    accountNumber,
    { legalAddress: { ...box, street: '4 Harbor Street' } },
    political?.takenBack ?? {},
  )
  assert.deepEqual(await stateOf(accountNumber), ['ManualReview', 'PoliticalForeign true waits'])
  await decide(accountNumber, 'Rejected')
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
})

test('a corrected typing error of another field is no statement taken back', async () => {
  const accountNumber = await apply({ legalAddress: box })
  await change(accountNumber, { legalAddress: { ...box, street: '4 Harbor Street' } })
  assert.deepEqual(await stateOf(accountNumber), ['CreationComplete'])
  const { findings } = await follow(service.alpha, accountNumber)
  assert.deepEqual(
    findings.filter(({ rule }) => rule === 'AddressNotBox').map(({ ended }) => ended),
    [true],
  )
})
