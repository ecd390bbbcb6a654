/** Makes the objects that the addresses of all screens name: waiting work, a change, a firm, a load, an action. */
import { addMarketDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { until } from '../acceptance/calling.ts'
import { signIn } from '../acceptance/person.ts'
import type { RunningService } from '../acceptance/running-service.ts'
import { makeFailingWebhook } from './failing-webhook.ts'
import type { Shown } from './screens.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

export async function makeShown(service: RunningService): Promise<Shown> {
  const { operations } = service.operations
  const { data: firms } = await operations.listFirms({})
  const operator = await signIn(service, 'operator@example.com')
  await operator.call('place-restriction', {
    accountNumber: '30100008',
    restrictionCode: 'ReturnedMail',
    reason: 'The address is in doubt',
  })
  const principal = await signIn(service, 'principal@example.com')
  await principal.call('add-note', {
    accountNumber: '30100002',
    text: 'The owner promised a transfer by Friday. Please look at the call again then.',
    mentions: ['operator@example.com'],
  })
  await operator.call('update-account', {
    accountNumber: '30100002',
    mailingAddress: { street: '8 Pier Road' },
  })
  const { data: asked } = await operations.listChanges({ accountNumber: '30100002' })
  await principal.call('decide-change', {
    changeId: asked.changes[0]?.changeId,
    decision: 'Approved',
    reason: 'The letter and the record agree.',
  })
  const { data: changes } = await operations.listChanges({ state: 'Requested' })
  const { data: load } = await operations.loadPrices({ lines: { ndjson: [{ symbol: 'NOSUCH' }] } })
  const shown = {
    corporateActionId: await announceActions(service),
    application: await waitingApplication(service.alpha),
    match: await waitingMatch(service.alpha),
    document: await waitingDocument(service.alpha, { name: 'bill.pdf', content: samplePdf() }),
    changeId: changes.changes[0]?.changeId ?? '',
    firmId: firms.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? '',
    loadId: load.loadId,
  }
  await makeFailingWebhook(service)
  return shown
}

const electedBy = 12

/** A dividend that is soon booked, and a choice that stays open for days. Returns the id of the choice. */
async function announceActions(service: RunningService): Promise<string> {
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  const day = (count: number) => addMarketDays(businessDate, count)
  const corporateActionId = 'ANCR-2026-CHOICE'
  const options = [
    { option: 'Cash', type: 'Dividend', cashPerShare: '0.5' },
    { option: 'Shares', type: 'StockDividend', ratio: '1:20', cashInLieuPrice: '93.75' },
  ]
  const choice = {
    externalId: corporateActionId,
    type: 'Dividend',
    symbol: 'ANCR',
    recordDate: day(electedBy - 1),
    payDate: day(electedBy + 2),
    options,
    defaultOption: 'Cash',
    deadline: day(electedBy),
  }
  const dates = { recordDate: day(1), payDate: day(2) }
  await service.operations.operations.loadCorporateActions({
    lines: {
      ndjson: [
        choice,
        { externalId: 'HRBR-2026-Q4', type: 'Dividend', symbol: 'HRBR', ...dates, cashPerShare: '0.25' },
        {
          externalId: 'HRBR-2026-SPLIT',
          type: 'Split',
          symbol: 'HRBR',
          exDate: day(electedBy + 1),
          payDate: day(electedBy + 1),
          ratio: '3:2',
        },
      ],
    },
  })
  await until(
    () => service.alpha.listActionEntitlements({ corporateActionId }),
    ({ data }) => data.entitlements.length > 0,
  )
  const { accountNumber } = (await service.alpha.listActionEntitlements({ corporateActionId })).data
    .entitlements[0] ?? { accountNumber: '' }
  await service.alpha.elect({
    corporateActionId,
    accountNumber,
    elections: [{ option: 'Shares', quantity: '20' }],
  })
  return corporateActionId
}
