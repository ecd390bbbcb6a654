/** An application that waits for an agreement opens with the entitlement that the agreement is for. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { follow, open, read } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'AGRE', secTypeName: 'Common Stock' },
        {
          symbol: 'AGREC25',
          secTypeName: 'Option',
          underlying: 'AGRE',
          putCall: 'Call',
          strike: '25',
          expiration: '2037-12-18',
          multiplier: '100',
        },
      ],
    },
  })
})
after(() => service?.stop())

const suitable = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }

async function apply(main: object, financialProfile: object = suitable) {
  const application = applicationOf({}, { main: { repCode: 'JC01', ...main }, financialProfile })
  const { accountNumber } = await open(service.alpha, application)
  return accountNumber
}
async function asked(accountNumber: string) {
  const { currentState, followUps } = await follow(service.alpha, accountNumber)
  const waiting = followUps.filter(({ blocking, status }) => blocking && status === 'Open')
  return [currentState, ...waiting.map(({ code }) => code)]
}
async function decide(accountNumber: string, reference: string, decision: 'Approved' | 'Rejected') {
  const { data } = await service.alpha.addDocument({
    documentTypeName: 'New Accounts Documents',
    reference,
    accountNumber,
    file: { name: 'agreement.pdf', content: samplePdf() },
  })
  const code = decision === 'Rejected' ? { rejectionCode: 'UNSIGNED' as never } : {}
  await service.operations.operations.decideDocument({
    accountNumber,
    documentId: data.documentId,
    decision,
    ...code,
  })
}
let id = 0
async function breaksOf(acctNo: string, ...lines: object[]) {
  const ndjson = lines.map((line) => ({
    externalId: `AG-${++id}`,
    acctNo,
    acctType: '1',
    transType: 'Trade',
    buySell: 'BUY',
    quantity: '1',
    price: '1',
    secFee: '0',
    tradeDate: '2026-11-02',
    ...line,
  }))
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } } as never)
  assert.deepEqual(data.rejects, [])
  const found = await service.operations.operations.listBreaks({ accountNumber: acctNo })
  return found.data.breaks.filter(({ kind }) => kind === 'NotEntitled').map(({ reason }) => reason)
}

test('level 3 opens with margin after the margin agreement was approved', async () => {
  const accountNumber = await apply({ optionTradingLevel: '3' })
  assert.deepEqual(await asked(accountNumber), ['ActionRequired', 'MarginAgreement'])
  await decide(accountNumber, 'MRGN', 'Rejected')
  assert.equal((await read(service.alpha, accountNumber)).main.marginIndicator, 'false')
  await decide(accountNumber, 'MRGN', 'Approved')
  assert.deepEqual(await asked(accountNumber), ['CreationComplete'])
  const { main, version } = await read(service.alpha, accountNumber)
  assert.deepEqual(
    [main.marginIndicator, main.optionTradingIndicator, main.optionTradingLevel, version],
    ['true', 'true', '3', 2],
  )
  assert.deepEqual(await breaksOf(accountNumber, { symbol: 'AGRE', acctType: '2' }), [])
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ accountNumber, types: ['account.updated'] } as never)
  assert.deepEqual(
    data.events.map((event) => (event.data as { fields?: string[] }).fields),
    [['main.marginIndicator']],
  )
})

test('options without a level open at level 1 after the option agreement was approved', async () => {
  const accountNumber = await apply({ optionTradingIndicator: 'true', optionTradingLevel: '' })
  assert.deepEqual(await asked(accountNumber), ['ActionRequired', 'OptionAgreement'])
  await decide(accountNumber, 'OPTS', 'Approved')
  assert.deepEqual(await asked(accountNumber), ['CreationComplete'])
  assert.equal((await read(service.alpha, accountNumber)).main.optionTradingLevel, '1')
  const [reason = '', ...others] = await breaksOf(accountNumber, { symbol: 'AGREC25' })
  assert.deepEqual(others, [])
  assert.match(
    reason,
    /the account has level 1\. Have it closed out or cancelled, or have the level raised\.$/,
  )
})

test('level 1 asks for the facts of an options customer, as an application with a level does', async () => {
  const accountNumber = await apply({ optionTradingIndicator: 'true', optionTradingLevel: '' }, {})
  await decide(accountNumber, 'OPTS', 'Approved')
  assert.deepEqual(await asked(accountNumber), ['ActionRequired', 'FieldCorrection', 'FieldCorrection'])
  await service.alpha.updateAccount({ accountNumber, financialProfile: suitable })
  assert.deepEqual(await asked(accountNumber), ['CreationComplete'])
})
