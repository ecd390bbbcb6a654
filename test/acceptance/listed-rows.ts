/** For tests of all lists: a service with at least two rows in every paged list, and the requests of its operations. */
import { type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

export interface ListedRows {
  readonly service: RunningService
  /** The request of an operation with its required fields only. */
  requestOf(operation: OperationDefinition): Record<string, unknown>
  ask(name: string, operation: OperationDefinition, request: object): Promise<RawAnswer>
}

interface Shape {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
  readonly required?: readonly string[]
}
export function shapeOf({ request }: OperationDefinition) {
  return request as Shape
}

/** Every operation whose request names a place in a list, with the members that can. */
export function placedOperations(members: readonly string[]) {
  return (Object.entries(operations) as [string, OperationDefinition][]).flatMap(([name, operation]) =>
    members
      .filter((member) => shapeOf(operation).properties?.[member] !== undefined && !operation.writes)
      .map((member) => ({ name, operation, member })),
  )
}

export async function startListedRows(): Promise<ListedRows> {
  const service = await startRunningService({ withAccounts: true })
  const loadId = await fill(service)
  return {
    service,
    requestOf: (operation) => {
      const { required = [] } = shapeOf(operation)
      const example = { ...(operation.examples[0].request as Record<string, unknown>), loadId }
      return Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))
    },
    ask: async (name, { audience }, request) =>
      service.send(pathOf(name, audience), {
        headers: {
          authorization: `Bearer ${await service.token(audience === 'operations' ? 'operations' : 'alpha')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(request),
      }),
  }
}

/** Answers a load with rejects. */
async function fill(service: RunningService): Promise<string> {
  const { operations: clearing } = service.operations
  const { data } = await clearing.listFirms({})
  for (const { firmId } of data.firms) {
    await clearing.updateFirm({
      firmId,
      settings: { requestsPerSecond: 10_000, changesNeedingApproval: ['Restrictions'] },
    })
  }
  // Two of everything that lists show, so that a page of one leads on.
  const webhook = await service.alpha.createWebhook({ url: 'http://127.0.0.1:9/hook' })
  for (const accountNumber of ['30100001', '30100002']) {
    const file = { name: 'bill.pdf', content: samplePdf() }
    const bill = { documentTypeName: 'Identity Documents', reference: 'UTIL', accountNumber: '30100001' }
    await service.alpha.addDocument({ ...bill, displayName: `Bill ${accountNumber}`, file })
    await service.alpha.testWebhook({ webhookId: webhook.data.webhookId })
    const reason = 'A test.'
    await clearing.placeRestriction({ accountNumber, restrictionCode: 'NoTrading', reason })
    const sale = {
      externalId: `sale-${accountNumber}`,
      acctNo: accountNumber,
      transType: 'Trade',
      buySell: 'SEL',
    }
    const line = { ...sale, symbol: 'HRBR', quantity: '500000', price: '48.10', tradeDate: '2026-01-30' }
    const pending = { ...line, externalId: `pending-${accountNumber}`, tradeDate: '2098-01-02' }
    await clearing.loadActivity({ lines: { ndjson: [line, pending] } })
    await service.query(
      `insert into clearing.margin_call
         (account_number, kind, issued_on, firm_id, due_by, amount, outstanding, aged_on, age_days)
       select account_number, 'Fed', '2026-01-30', firm_id, '2026-02-03', 10, 10, '2026-01-30', 0
       from clearing.account where account_number = $1`,
      [accountNumber],
    )
    await service.query(
      `insert into clearing.restriction (restriction_id, account_number, firm_id, code, reason, placed_by, placed_at)
       select gen_random_uuid(), account_number, firm_id, 'NoTrading', '', 'a test', now()
       from clearing.account where account_number = $1`,
      [accountNumber],
    )
    await service.query(
      `insert into clearing.screening_match
         (account_number, match_id, firm_id, customer_id, list_name, list_version, entry_id, entry_version, score,
          matched_name, reasons, party_fingerprint, created_at)
       select account_number, gen_random_uuid(), firm_id, 'x', 'OWN', 'OWN-1', '1', '1', 80, 'X', '[]', 'x', now()
       from clearing.account where account_number = $1`,
      [accountNumber],
    )
  }
  const { businessDate } = (await clearing.closeChecklist({})).data
  const atDepository = { location: 'DTC', asOfDate: businessDate, symbol: 'HRBR', quantity: '1' }
  await clearing.loadLocationPositions({ lines: { ndjson: [atDepository] } })
  const refused = [
    { externalId: 'x1', acctNo: 'nobody' },
    { externalId: 'x2', acctNo: 'nobody' },
  ]
  const { data: load } = await clearing.loadActivity({ lines: { ndjson: refused } })
  return load.loadId
}
