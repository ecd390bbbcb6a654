/**
 * The calls before an example of the Postman collection that create its values: an account in review, a webhook, a
 * load. Each step stores values of its response as variables for later requests.
 */
import type { Audience } from '../operation.ts'
import { newAccountExample } from '../operations/examples.ts'
import type { OperationName } from '../operations/index.ts'

/** One call before an example. */
export interface Step {
  readonly operation: OperationName
  /** The audience under whose path the operation is called, if it is not its own. */
  readonly audience?: Audience
  readonly request: object
  readonly lines?: string
  /** Variables, each with a JavaScript expression on `data` (of the response) and `sent` (the body of the request). */
  readonly keep?: Readonly<Record<string, string>>
  /** A JavaScript expression on `data`: while it is true, the call is sent again. */
  readonly again?: string
}

/** The variable that holds a value of the reader's own: `yourAccountNumber` for `accountNumber`. */
export function variableOf(member: string): string {
  return `your${member.charAt(0).toUpperCase()}${member.slice(1)}`
}

const yourAccount = { accountNumber: `{{${variableOf('accountNumber')}}}` }
const example = { accountNumber: '30100001' }

/**
 * An application, submitted and followed until it has ended or waits. A tax id that begins with 000 determines
 * its outcome in the sandbox.
 */
function application(taxIdNumber = '{{taxIdNumber}}'): Step[] {
  const owner = { ...newAccountExample.primaryOwner, lastName: 'Moreno {{letters}}', taxIdNumber }
  return [
    {
      operation: 'new-account',
      request: { ...newAccountExample, primaryOwner: owner },
      keep: { [variableOf('accountNumber')]: 'data.message.accountNumber' },
    },
    {
      operation: 'onboarding-result',
      request: yourAccount,
      again: "['Submitted', 'Screening', 'AccountCreation'].includes(data.currentState)",
    },
  ]
}

function bill(accountNumber: string, variable = variableOf('documentId')): Step {
  return {
    operation: 'add-document',
    request: { documentTypeName: 'Identity Documents', reference: 'UTIL', accountNumber },
    keep: { [variable]: 'data.documentId' },
  }
}

const webhook: Step = {
  operation: 'create-webhook',
  request: { url: 'http://127.0.0.1:9/hook' },
  keep: { [variableOf('webhookId')]: 'data.webhookId' },
}

/** A firm other than that of the collection's credential, so that nothing changes for the rest of the collection. */
const firm: Step = {
  operation: 'list-firms',
  request: {},
  keep: { [variableOf('firmId')]: "data.firms.find((firm) => firm.entityNumbers.includes('302')).firmId" },
}

const credential: Step = {
  operation: 'create-credential',
  request: { firmId: '{{yourFirmId}}', name: 'An example {{letters}}' },
  keep: { [variableOf('clientId')]: 'data.clientId' },
}

const rejectedLoad: Step = {
  operation: 'load-activity',
  request: {},
  lines: 'externalId,acctNo\nEX-{{letters}},nobody\n',
  keep: { [variableOf('loadId')]: 'data.loadId' },
}

function work(queue: string): Step {
  return {
    operation: 'list-work',
    request: { queues: [queue], ...yourAccount },
    keep: { [variableOf('workIds')]: 'data.work[0].workId' },
    again: 'data.work.length === 0',
  }
}
const review = [...application('000000004'), work('Application')]

/**
 * A change that waits for a second person, because a setting of the firm requires one. The setting is in force
 * for this change only.
 */
function waitingChange(subject: string, change: Step): Step[] {
  return [
    ...application(),
    {
      operation: 'list-firms',
      request: {},
      keep: { ownFirmId: "data.firms.find((firm) => firm.entityNumbers.includes('301')).firmId" },
    },
    guard([subject]),
    change,
    guard([]),
    {
      operation: 'list-changes',
      request: yourAccount,
      keep: { [variableOf('changeId')]: 'data.changes[0].changeId' },
    },
  ]
}
function guard(changesNeedingApproval: string[]): Step {
  return {
    operation: 'update-firm',
    request: { firmId: '{{ownFirmId}}', settings: { changesNeedingApproval } },
  }
}

const clock: Step = {
  operation: 'get-clock',
  request: {},
  keep: { [variableOf('now')]: 'new Date(Date.parse(data.now) + 1000).toISOString()' },
}

/** Moves the clock to the end of the business day, unless the clock is later already. */
const endOfDay: Step[] = [
  {
    operation: 'get-clock',
    request: {},
    keep: {
      [variableOf('now')]:
        "new Date(Math.max(Date.parse(data.now) + 1000, Date.parse(data.businessDate + 'T22:00:00Z'))).toISOString()",
    },
  },
  { operation: 'set-clock', request: { now: '{{yourNow}}' } },
]

/** A trade of today in a new account. */
const bought: Step[] = [
  ...application(),
  { operation: 'get-clock', request: {}, keep: { tradeDate: 'data.businessDate' } },
  {
    operation: 'load-activity',
    request: {},
    lines:
      'externalId,acctNo,transType,buySell,symbol,quantity,price,tradeDate\n' +
      'EX-{{letters}},{{yourAccountNumber}},Trade,BUY,HRBR,5,48.10,{{tradeDate}}\n',
  },
]

/** A trade of today in a new account, after whose close the account has a confirmation. */
const confirmation: Step[] = [
  ...bought,
  ...endOfDay,
  { operation: 'close-business-day', request: { acceptOpen: { reason: 'An example.' } } },
  {
    operation: 'list-statements',
    request: { ...yourAccount, kind: 'Confirmation' },
    keep: { [variableOf('periodTo')]: 'data.statements[0].periodTo' },
    again: 'data.statements.length === 0',
  },
]

/** A position with a choice between cash and shares. */
const choice: Step[] = [
  ...bought,
  {
    operation: 'load-corporate-actions',
    request: {},
    lines:
      'externalId,type,symbol,recordDate,payDate,deadline,defaultOption,options\n' +
      'EX-{{letters}},Dividend,HRBR,2099-12-30,2099-12-31,2099-12-29,Cash,' +
      '"[{""option"":""Cash"",""cashPerShare"":""1""},{""option"":""Shares"",""type"":""StockDividend"",""ratio"":""1:50""}]"\n',
  },
  {
    operation: 'list-action-entitlements',
    request: yourAccount,
    keep: { [variableOf('corporateActionId')]: 'data.entitlements[0].corporateActionId' },
    again: 'data.entitlements.length === 0',
  },
]

const steps: Partial<Record<OperationName, readonly Step[]>> = {
  'get-document': [bill(example.accountNumber)],
  'get-statement': confirmation,
  'make-statement': confirmation,
  elect: choice,
  'update-webhook': [webhook],
  'delete-webhook': [webhook],
  'rotate-webhook-secret': [webhook],
  'test-webhook': [webhook],
  'list-deliveries': [webhook],
  'resend-events': [webhook],
  'update-firm': [firm],
  'create-credential': [firm],
  'replace-client-keys': [firm, credential],
  'disable-credential': [firm, credential],
  'update-credential': [firm, credential],
  'decide-onboarding': application('000000004'),
  'request-information': application('000000004'),
  'decide-document': [bill(example.accountNumber)],
  'decide-match': [
    ...application('000000005'),
    {
      operation: 'list-matches',
      request: yourAccount,
      keep: { [variableOf('matchId')]: 'data.matches[0].matchId' },
    },
  ],
  'get-load': [rejectedLoad],
  'review-load': [rejectedLoad],
  'claim-work': review,
  'assign-work': review,
  'decide-work': review,
  'settle-work': [
    ...application(),
    {
      operation: 'load-activity',
      request: {},
      lines:
        'externalId,acctNo,transType,buySell,symbol,quantity,price,tradeDate\n' +
        'EX-{{letters}},{{yourAccountNumber}},Trade,SEL,HRBR,5,48.10,2026-01-30\n',
    },
    work('Break'),
  ],
  'delete-view': [
    {
      operation: 'save-view',
      request: { screen: '/work', name: 'To be deleted', search: 'queue=Document' },
      keep: { [variableOf('viewId')]: 'data.viewId' },
    },
  ],
  'update-incident': [
    {
      operation: 'open-incident',
      request: { title: 'An example', components: ['Webhooks'], impact: 'None', text: 'An example.' },
      keep: { [variableOf('incidentId')]: 'data.incidentId' },
    },
  ],
  'delete-sandbox': [
    {
      operation: 'create-sandbox',
      request: { name: 'An example {{letters}}' },
      keep: { [variableOf('sandboxId')]: 'data.sandboxId' },
    },
  ],
  'set-clock': [clock],
  'restore-snapshot': [
    {
      operation: 'save-snapshot',
      request: { name: 'postman-{{letters}}' },
      keep: { [variableOf('name')]: 'sent.name' },
    },
  ],
  'decide-change': waitingChange('Names', {
    operation: 'update-account',
    request: { ...yourAccount, primaryOwner: { lastName: 'Fourier' } },
  }),
  'withdraw-change': waitingChange('Restrictions', {
    operation: 'place-restriction',
    request: { ...yourAccount, restrictionCode: 'NoTrading', reason: 'An example.' },
  }),
  'withdraw-update': [
    ...application(),
    {
      operation: 'update-account',
      request: { ...yourAccount, primaryOwner: { trustedContact: { name: 'Dmitriy Veshnyakov' } } },
    },
    {
      operation: 'account-history',
      request: yourAccount,
      keep: { [variableOf('changeId')]: 'data.waiting.changes[0].changeId' },
    },
  ],
  'withdraw-application': application('000000004'),
  'end-restriction': [
    ...application(),
    {
      operation: 'place-restriction',
      request: { ...yourAccount, restrictionCode: 'ReturnedMail', reason: 'An example.' },
      keep: { [variableOf('restrictionId')]: 'data.restriction.restrictionId' },
    },
  ],
  'record-hold-step': [
    ...application(),
    {
      operation: 'place-restriction',
      request: {
        ...yourAccount,
        restrictionCode: 'ProtectedAdult',
        holdGround: 'Impairment',
        reason: 'An example.',
      },
      keep: { [variableOf('restrictionId')]: 'data.restriction.restrictionId' },
    },
  ],
  'grant-extension': [
    ...application(),
    {
      operation: 'get-clock',
      request: {},
      keep: { tradeDate: 'data.businessDate' },
    },
    {
      operation: 'load-activity',
      request: {},
      lines:
        'externalId,acctNo,acctType,transType,buySell,symbol,quantity,price,tradeDate\n' +
        'EX-{{letters}},{{yourAccountNumber}},2,Trade,BUY,HRBR,100,48.10,{{tradeDate}}\n',
    },
    ...endOfDay,
    { operation: 'close-business-day', request: { acceptOpen: { reason: 'An example.' } } },
    {
      operation: 'list-calls',
      request: yourAccount,
      keep: {
        [variableOf('issuedOn')]: "data.calls.find(({ kind }) => kind === 'Fed').issuedOn",
        [variableOf('until')]:
          "new Date(Date.parse(data.calls.find(({ kind }) => kind === 'Fed').dueBy) + 86400000).toISOString().slice(0, 10)",
      },
    },
  ],
  'close-account': application(),
  'set-entitlements': [
    ...application(),
    {
      operation: 'add-document',
      request: { documentTypeName: 'New Accounts Documents', reference: 'MRGN', ...yourAccount },
      keep: { agreementId: 'data.documentId' },
    },
    {
      operation: 'decide-document',
      request: { ...yourAccount, documentId: '{{agreementId}}', decision: 'Approved' },
    },
  ],
  'correct-identity': [
    ...application(),
    {
      operation: 'add-document',
      request: { documentTypeName: 'New Accounts Documents', reference: 'W9', ...yourAccount },
      keep: { [variableOf('documentIds')]: 'data.documentId' },
    },
    {
      operation: 'decide-document',
      request: { ...yourAccount, documentId: `{{${variableOf('documentIds')}}}`, decision: 'Approved' },
    },
  ],
  'waive-follow-up': [
    ...application(),
    {
      operation: 'onboarding-result',
      request: yourAccount,
      keep: {
        [variableOf('followUpId')]: "data.followUps.find(({ code }) => code === 'W9Certification').id",
      },
    },
  ],
  'update-staff': [
    {
      operation: 'create-staff',
      request: { email: '{{letters}}@example.com', name: 'An Example', role: 'operator' },
      keep: { [variableOf('email')]: 'sent.email' },
    },
  ],
}

/** The steps before an example, in the order of their calls. */
export function stepsBefore(
  name: OperationName,
  yours: readonly string[],
  audience: Audience,
): readonly Step[] {
  // The operation of the sandbox moves the clock automatically.
  if (name === 'close-business-day') return audience === 'sandbox' ? [] : endOfDay
  if (name !== 'answer-follow-up') return steps[name] ?? []
  if (!yours.includes('documentId')) return application('000000002')
  // The first of two bills answers the follow-up automatically. When it is rejected, the second one can answer the
  // follow-up.
  const firstBill = bill(yourAccount.accountNumber, 'firstDocumentId')
  const rejection = {
    ...yourAccount,
    documentId: '{{firstDocumentId}}',
    decision: 'Rejected',
    rejectionCode: 'BLURRY',
  }
  return [
    ...application('000000002'),
    firstBill,
    bill(yourAccount.accountNumber),
    { operation: 'decide-document', request: rejection },
  ]
}
