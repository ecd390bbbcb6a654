/** Documents that a firm adds before a check asks for them answer the follow-up of the check. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { open, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { untilBehind } from './waiting-behind.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

async function resultOf(accountNumber: string) {
  return (await service.alpha.onboardingResult({ accountNumber })).data
}

/** An application that needs a margin agreement, and whose first check ends 30 seconds later. */
async function screened() {
  const { accountNumber } = await open(
    service.alpha,
    applicationOf(
      { lastName: 'SLOW30' },
      {
        main: { repCode: 'JC01', optionTradingLevel: '3' },
        financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
      },
    ),
  )
  await until(
    () => resultOf(accountNumber),
    ({ currentState }) => currentState === 'Screening',
  )
  return accountNumber
}
async function add(accountNumber: string, reference = 'MRGN') {
  const file = { name: 'agreement.pdf', content: samplePdf() }
  const request = { documentTypeName: 'New Accounts Documents', reference, accountNumber, file }
  return (await service.alpha.addDocument(request)).data
}
async function decide(accountNumber: string, documentId: string, rejectionCode?: 'UNSIGNED') {
  const decision = rejectionCode === undefined ? 'Approved' : 'Rejected'
  const code = rejectionCode === undefined ? {} : { rejectionCode }
  await service.operations.operations.decideDocument({ accountNumber, documentId, decision, ...code })
}
function checksEnd() {
  return service.alpha.sandbox.advanceClock({ duration: 'PT5M' })
}
async function asked(accountNumber: string) {
  const { currentState, followUps } = await resultOf(accountNumber)
  const blocking = followUps.filter((one) => one.blocking)
  return {
    currentState,
    followUps: blocking.map(({ code, status }) => `${code} ${status}`),
    answers: blocking.flatMap((one) => one.answers.map(({ documentId }) => documentId)),
  }
}
/** A busy machine may take longer for the checks than advance-clock waits. */
async function untilState(accountNumber: string, state: 'CreationComplete' | 'ActionRequired') {
  return until(
    async () => {
      await checksEnd()
      return asked(accountNumber)
    },
    ({ currentState }) => currentState === state,
  )
}
function untilOpen(accountNumber: string) {
  return untilState(accountNumber, 'CreationComplete')
}
function untilAsked(accountNumber: string) {
  return untilState(accountNumber, 'ActionRequired')
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ accountNumber, types: ['followup.*'] })
  const ofAgreement = data.events.filter(
    (event) => (event.data as { followUpId?: string }).followUpId === 'FU-1',
  )
  return ofAgreement.map(({ type }) => type)
}

describe('a document that was added before the check that asks for it', () => {
  test('answers the follow-up, and its approval continues the application', async () => {
    const accountNumber = await screened()
    const { documentId, followUpId } = await add(accountNumber)
    assert.equal(followUpId, '')
    assert.deepEqual(await untilAsked(accountNumber), {
      currentState: 'ActionRequired',
      followUps: ['MarginAgreement Answered'],
      answers: [documentId],
    })
    const { data } = await service.alpha.getDocumentDetails({ accountNumber })
    assert.deepEqual(
      data.documents.map((one) => one.followUpId),
      ['FU-1'],
    )
    await decide(accountNumber, documentId)
    await untilOpen(accountNumber)
    assert.deepEqual(await eventsOf(accountNumber), [
      'followup.opened',
      'followup.answered',
      'followup.accepted',
    ])
  })

  test('is not asked for again if it was approved before', async () => {
    const accountNumber = await screened()
    const { documentId } = await add(accountNumber)
    await decide(accountNumber, documentId)
    assert.deepEqual(await untilOpen(accountNumber), {
      currentState: 'CreationComplete',
      followUps: ['MarginAgreement Accepted'],
      answers: [documentId],
    })
    assert.deepEqual(await eventsOf(accountNumber), [
      'followup.opened',
      'followup.answered',
      'followup.accepted',
    ])
  })

  test('is asked for if it was rejected, or is another document', async () => {
    const accountNumber = await screened()
    const { documentId } = await add(accountNumber)
    await decide(accountNumber, documentId, 'UNSIGNED')
    await add(accountNumber, 'OPTS')
    assert.deepEqual(await untilAsked(accountNumber), {
      currentState: 'ActionRequired',
      followUps: ['MarginAgreement Open'],
      answers: [],
    })
  })

  test('answers the follow-up first of two copies, and the second may be approved instead', async () => {
    const accountNumber = await screened()
    const first = await add(accountNumber)
    await service.alpha.sandbox.advanceClock({ duration: 'PT1S' })
    const second = await add(accountNumber)
    assert.deepEqual((await untilAsked(accountNumber)).answers, [first.documentId])
    await decide(accountNumber, second.documentId)
    await untilOpen(accountNumber)
  })
})

test('a tax form that came with the application answers the follow-up of the opened account', async () => {
  const accountNumber = await screened()
  const agreement = await add(accountNumber)
  await decide(accountNumber, agreement.documentId)
  const { documentId } = await add(accountNumber, 'W9')
  await untilOpen(accountNumber)
  const { followUps } = await resultOf(accountNumber)
  const form = followUps.find(({ code }) => code === 'W9Certification')
  assert.deepEqual([form?.status, form?.answers.map((one) => one.documentId)], ['Answered', [documentId]])
})

describe('a document that is added while the check asks for it', () => {
  const acts = {
    document: (accountNumber: string) => add(accountNumber),
    check: () => checksEnd(),
  }
  for (const [first, second] of [
    ['document', 'check'],
    ['check', 'document'],
  ] as const) {
    test(`answers the follow-up when the ${first} comes first`, async () => {
      const accountNumber = await screened()
      await service.query('begin')
      await service.query('select from clearing.onboarding where account_number = $1 for update', [
        accountNumber,
      ])
      const running: Promise<unknown>[] = [acts[first](accountNumber)]
      await untilBehind(service, 1)
      running.push(acts[second](accountNumber))
      await untilBehind(service, 2)
      await service.query('commit')
      await Promise.all(running)
      assert.deepEqual((await untilAsked(accountNumber)).followUps, ['MarginAgreement Answered'])
    })

    test(`continues the application when the ${first} comes first, and is approved meanwhile`, async () => {
      const accountNumber = await screened()
      const { documentId } = await add(accountNumber)
      await service.query('begin')
      await service.query('select from clearing.onboarding where account_number = $1 for update', [
        accountNumber,
      ])
      const acting = { document: () => decide(accountNumber, documentId), check: () => checksEnd() }
      const running: Promise<unknown>[] = [acting[first]()]
      await untilBehind(service, 1)
      running.push(acting[second]())
      await untilBehind(service, 2)
      await service.query('commit')
      await Promise.all(running)
      await untilOpen(accountNumber)
    })
  }
})
