/**
 * Persons who act for an owner show their authority: the account opens, and a follow-up asks for the document of each.
 * A party who is added later is asked for, and a document that was approved before the opening counts.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { type Application, applicationFor, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function party(role: string, more: object = {}) {
  const { nameType: _, ...person } = applicationOf({}).primaryOwner as { nameType?: string }
  return { ...person, firstName: 'Grace', lastName: 'Okafor', role, ...more }
}
async function askedOf(accountNumber: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  return data.followUps
    .filter(({ acceptedDocuments }) => acceptedDocuments.some((one) => proofs.has(one)))
    .map(({ code, field, status, blocking, acceptedDocuments }) =>
      [code, field, acceptedDocuments.join('+'), status, blocking].join(' '),
    )
}
const proofs = new Set(['POAT', 'CORD', 'LTTR', 'RESO', 'TRST'])

async function giveDocument(accountNumber: string, documentTypeName: string, reference: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName,
    reference,
    file: { name: `${reference}.pdf`, content: new Uint8Array(samplePdf()) },
  })
  await service.operations.operations.decideDocument({
    accountNumber,
    documentId: data.documentId,
    decision: 'Approved',
  })
}

const rows: readonly [type: 'Individual' | 'Estate' | 'Llc' | 'Trust', role: string, asked: string][] = [
  ['Individual', 'PowerOfAttorney', 'AuthorityDocument associatedParties[0] POAT+TRAU'],
  ['Individual', 'Guardian', 'GuardianshipDocument associatedParties[0] CORD'],
  ['Estate', 'Executor', 'LettersDocument associatedParties[1] LTTR'],
  ['Llc', 'AuthorizedSigner', 'ResolutionDocument associatedParties[1] RESO'],
  ['Trust', 'Trustee', 'TrustDocument associatedParties[1] TRST+CERT'],
]
for (const [type, role, asked] of rows)
  test(`an account ${type} with a party ${role} opens, is asked for the document, and its approval settles it`, async () => {
    const application = applicationFor(type) as Application & { associatedParties: object[] }
    application.associatedParties = [...(application.associatedParties ?? []), party(role)]
    const { accountNumber } = await open(service.alpha, application)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    assert.deepEqual(await askedOf(accountNumber), [`${asked} Open false`])
    const [reference = ''] = (asked.split(' ')[2] ?? '').split('+')
    await giveDocument(accountNumber, type === 'Trust' ? 'Trust Documents' : 'Authority Documents', reference)
    assert.deepEqual(await askedOf(accountNumber), [`${asked} Accepted false`])
  })

test('an agent and a trustee who are added to an open account are asked for their documents', async () => {
  const added = async (accountNumber: string, role: string) => {
    await service.alpha.updateAccount({ accountNumber, associatedParties: [party(role)] } as never)
  }
  const individual = await openAndFollow(service.alpha, applicationFor('Individual'))
  assert.deepEqual(await askedOf(individual), [])
  await added(individual, 'PowerOfAttorney')
  const ofAgent = 'AuthorityDocument associatedParties[0] POAT+TRAU Open false'
  await until(
    () => askedOf(individual),
    (asked) => asked.length > 0,
  )
  assert.deepEqual(await askedOf(individual), [ofAgent])

  const trust = await openAndFollow(service.alpha, applicationFor('Trust'))
  await giveDocument(trust, 'Trust Documents', 'CERT')
  await added(trust, 'Trustee')
  await until(
    () => askedOf(trust),
    (asked) => asked.length > 1,
  )
  assert.deepEqual(await askedOf(trust), [
    'TrustDocument associatedParties[0] TRST+CERT Accepted false',
    'TrustDocument associatedParties[1] TRST+CERT Open false',
  ])
})

test('a document that was approved before the account opened answers the request of the opening', async () => {
  const mailingAddress = { ...applicationFor('Trust').mailingAddress, street: 'PO Box 77' }
  const application = applicationFor('Trust', { mailingAddress })
  const { accountNumber } = await open(service.alpha, application)
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  await giveDocument(accountNumber, 'Trust Documents', 'TRST')
  await service.alpha.updateAccount({
    accountNumber,
    mailingAddress: { street: '12 Harbor Street' },
  } as never)
  const settled = 'TrustDocument associatedParties[0] TRST+CERT Accepted false'
  await until(
    () => askedOf(accountNumber),
    (asked) => asked.includes(settled),
  )
  assert.deepEqual(await askedOf(accountNumber), [settled])
})
