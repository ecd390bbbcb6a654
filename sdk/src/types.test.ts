// The compiler checks this file: the lines marked as errors must not compile, and all others must.
import test from 'node:test'
import type { CallOf, Client } from './client.ts'
import { createClient } from './client.ts'
import { isEvent } from './is-event.ts'
import { verifyWebhook } from './verify-webhook.ts'

const settings = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' }

type Application = Omit<CallOf<'new-account'>, 'accountNumber'>

// Never called; the compiler checks its types.
async function calls(client: Client, exact: Client<'string'>, application: Application) {
  const { data } = await client.positionSummary({ accountNumber: '30100001' })
  const price: number | undefined = data.portfolios[0]?.price
  // @ts-expect-error a price is a number unless exact text is requested
  const wrong: string | undefined = data.portfolios[0]?.price
  const text = await exact.positionSummary({ accountNumber: '30100001' })
  const exactPrice: string | undefined = text.data.portfolios[0]?.price
  const account: string | undefined = text.data.portfolios[0]?.acctNo
  const { data: onboarding } = await exact.onboardingResult({ accountNumber: '30100001' })
  const dueBy: string | null | undefined = onboarding.followUps[0]?.dueBy

  const optional: { signal: AbortSignal | undefined; timeoutMs: number | undefined } = {
    signal: undefined,
    timeoutMs: undefined,
  }
  await client.getAccount({ accountNumber: '30100001' }, optional)
  client.events({ cursor: undefined }, { signal: optional.signal })
  // @ts-expect-error the account number is required
  await client.getAccount({})
  // @ts-expect-error the account number is a string
  await client.getAccount({ accountNumber: 30100001 })
  // @ts-expect-error unknown members are errors
  await client.getAccount({ accountNumber: '30100001', nickname: 'x' })
  // @ts-expect-error operations of the clearing firm are in a group of their own
  await client.createFirm({ name: 'x', entityNumbers: [], repCodes: [] })
  // @ts-expect-error the sandbox does not have every operation
  await client.sandbox.createFirm({ name: 'x', entityNumbers: [], repCodes: [] })
  await client.sandbox.decideOnboarding({ accountNumber: '30100001', decision: 'Approved' })
  await client.operations.decideOnboarding({ accountNumber: '30100001', decision: 'ANewDecision' })

  const { data: record } = await client.getAccount({ accountNumber: '30100001' })
  const title: string = record.accountName
  const { data: applied } = await client.newAccount(application)
  const given: string = applied.message.accountNumber
  const { data: shape1 } = await client.getAccount({ accountNumber: '30100001', entityNumber: '301' })
  // @ts-expect-error with the entity number, the record is in the other shape
  const titleOfShape1: string = shape1.accountName
  const { data: echo } = await client.newAccount({ ...application, accountNumber: given })
  // @ts-expect-error with an account number, the response holds the submitted blocks
  const echoed: object = echo.message
  void [title, titleOfShape1, echoed]

  // An entity is named by name1 and name3, as in the guides.
  const accountNumber = '30100001'
  await client.updateAccount({
    accountNumber,
    primaryOwner: { nameType: 'Entity', name1: 'Harbor', name3: 'LLC' },
  })
  await client.updateAccount({ accountNumber, associatedParties: [{ name1: 'Ada', name3: 'Moreno' }] })
  await client.openAccounts({ persons: [{ person: 'ada', name1: 'Ada' }], accounts: [] })
  // @ts-expect-error a name has four parts
  await client.updateAccount({ accountNumber, primaryOwner: { name5: 'Harbor' } })

  await client.codeLists()
  await client.operations.listFirms()
  await client.codeLists({ name: 'occupation' }, { signal: AbortSignal.timeout(1) })

  const document = { documentTypeName: 'a', reference: 'b', accountNumber: '30100001' }
  // @ts-expect-error an upload requires its file
  await client.addDocument(document)
  // @ts-expect-error a file requires a name
  await client.addDocument({ ...document, file: new Blob([]) })
  await client.addDocument({ ...document, file: { name: 'a.pdf', content: new Blob([]) } })
  const received: Uint8Array = Buffer.from('{}')
  await verifyWebhook({ body: received, headers: {} }, 'whsec_')
  // @ts-expect-error a load requires its lines
  await client.operations.loadWatchList({ listName: 'a' })
  // @ts-expect-error a load requires the format of its lines
  await client.operations.loadWatchList({ listName: 'a', lines: 'a,b' })
  // @ts-expect-error lines in CSV are not objects
  await client.operations.loadWatchList({ listName: 'a', lines: { csv: [{ a: 1 }] } })

  for await (const call of client.listCalls.each()) {
    const amount: number = call.amount
    // @ts-expect-error a row has only the members of its shape
    call.currency
    void amount
  }
  for await (const call of exact.listCalls.each({ includeMet: true })) {
    const amount: string = call.amount
    void amount
  }
  // @ts-expect-error an iterator takes the request of its operation
  client.listDeliveries.each({ size: 'many' })
  // @ts-expect-error a list without pages has no iterator
  client.listWebhooks.each()
  // A coded value is open: known values are suggested, and others are accepted.
  const state: 'CreationComplete' | (string & {}) = onboarding.currentState
  const isNew = onboarding.currentState === 'AStateOfTomorrow' || state === 'Rejected'

  for await (const event of client.events()) {
    // @ts-expect-error the data of an event depends on its type
    const early: string = event.data.accountNumber
    if (isEvent(event, 'account.updated')) {
      const fields: string[] = event.data.fields
      // @ts-expect-error the data have only the members of the type
      event.data.documentId
      void [early, fields, event.cursor]
    } else if (isEvent(event, 'document.received', 'document.rejected')) {
      const document: string = event.data.documentId
      if (event.type === 'document.rejected') void [document, event.data.rejectionCode]
      // @ts-expect-error not each of the types has this member
      else event.data.rejectionCode
    }
    // One condition after the other, each with the types of its own.
    if (isEvent(event, 'call.issued')) void event.data.amount
    if (isEvent(event, 'statement.ready')) void event.data.periodTo
    // @ts-expect-error there is no such type of event
    isEvent(event, 'acount.updated')
  }

  const file = await client.getDocument({ accountNumber: '30100001', documentId: 'x' })
  const body: ReadableStream<Uint8Array> = file.body
  // @ts-expect-error a file has no data
  file.data
  return [price, wrong, exactPrice, account, dueBy, body, isNew]
}

function settingsOf() {
  const number: Client = createClient(settings)
  const text: Client<'string'> = createClient({ ...settings, decimals: 'string' })
  // @ts-expect-error a secret is missing
  createClient({ baseUrl: '', clientId: 'a' })
  createClient({ baseUrl: '', accessToken: async () => 'x' })
  createClient({ baseUrl: '', session: 'page' })
  createClient({ ...settings, scope: ['accounts:read', 'a:scope:of:tomorrow'] })
  return [number, text]
}

test('the types describe the requests and responses of the methods', () => {
  void calls
  void settingsOf
})
