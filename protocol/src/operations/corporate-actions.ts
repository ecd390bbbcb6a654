/** Operations on corporate actions that are announced once and booked for every holder. */
import Type from 'typebox'
import { day, titleOfAccount } from '../answered-values.ts'
import { accountNumber, answeredCode, block, code, list, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { linesNote, load } from './books.ts'
import { amendedActionExample, corporateActionsExample } from './examples.ts'

const strict = { additionalProperties: false }
const firm = { audience: 'firm', body: 'json', origin: 'extension' } as const

const corporateActionId = words(limits.corporateActionIdLengthMax, {
  description: 'The `externalId` of the announcement.',
})
const amount = Type.String({ description: 'A decimal number; empty if the option has none.' })

const optionShape = Type.Object(
  {
    option: Type.String({ description: 'The name of the option; `Mandatory` if there is no choice.' }),
    type: Type.String({
      description: 'As in the code list corporateActionType, or `None`: nothing happens.',
    }),
    ratio: Type.String({
      description:
        'New : old, such as `3:2`; of a StockDividend and a Spinoff, added : held. Otherwise empty.',
    }),
    toSecNo: Type.String({ description: 'The security received; otherwise empty.' }),
    toSymbol: Type.String({
      description: 'Its symbol, or another of its identifiers; can be empty.',
    }),
    cashPerShare: amount,
    costShare: amount,
    taxable: Type.String({
      description:
        '`Y` if the shares received count at `price`, their value: a Merger closes the lots given up, and a Spinoff moves no cost. Otherwise empty.',
    }),
    price: amount,
    cashInLieuPrice: amount,
  },
  strict,
)

const amendmentShape = Type.Object(
  {
    externalId: Type.String({ description: 'The `externalId` of the line that amended the announcement.' }),
    version: Type.Integer({ description: 'The version of the terms that it made.' }),
    amendedOn: Type.String({ format: 'date-time', description: 'When it was amended.' }),
    loadId: Type.String({ format: 'uuid', description: 'The load that contained the line.' }),
    changes: Type.Array(
      Type.Object(
        {
          option: Type.String({ description: 'The option that changed; empty for a field of the action.' }),
          field: Type.String({
            description:
              'As in this response. An option that was added or removed has a change of its `type`.',
          }),
          from: Type.String({ description: 'The value before; empty if there was none.' }),
          to: Type.String({ description: 'The value after; empty if there is none.' }),
        },
        strict,
      ),
      { description: 'What it changed.' },
    ),
  },
  strict,
)

const corporateActionShape = Type.Object(
  {
    corporateActionId: Type.String({ description: 'The `externalId` of the announcement.' }),
    type: answeredCode('corporateActionType', { description: 'Type of the corporate action.' }),
    state: answeredCode('corporateActionState', { description: 'State of the corporate action.' }),
    secNo: Type.String({ description: 'Number of the security in the books.' }),
    symbol: Type.String({
      description: 'Symbol of the security, or another of its identifiers; can be empty.',
    }),
    recordDate: Type.String({ description: '`yyyy-MM-dd`; empty if the announcement has none.' }),
    exDate: day('Who holds the security at the beginning of this day is entitled.'),
    payDate: day('When the issuer pays or delivers.'),
    bookedOn: day(
      'The business day on which the lines are booked. Without options and cashPerShare, it is exDate for StockDividend, Split, Spinoff, NameChange and Merger. Otherwise it is the later of exDate and payDate.',
    ),
    deadline: Type.String({
      description: 'The last business day on which holders can elect; empty for a mandatory action.',
    }),
    defaultOption: Type.String({ description: 'The option of every share without an election.' }),
    options: Type.Array(optionShape, {
      description: 'What holders receive: one option, or several to choose from.',
    }),
    announcedOn: Type.String({ format: 'date-time', description: 'When the service learnt of it.' }),
    loadId: Type.String({ format: 'uuid', description: 'The load that contained the announcement.' }),
    cancelledBy: Type.String({ description: 'The `externalId` of the cancel; otherwise empty.' }),
    version: Type.Integer({
      description: 'The version of the terms, from 1. Each amendment makes the next one.',
    }),
    amendedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The time of the last amendment; null without one.',
    }),
    amendments: Type.Array(amendmentShape, { description: 'The first one first.' }),
  },
  strict,
)

const electionShape = Type.Object(
  {
    option: Type.String({ description: 'Name of the option.' }),
    quantity: Type.String({ description: 'For how many shares; empty for all that are left.' }),
    void: Type.String({
      description:
        'Why the election does not count since an amendment: its shares get the default option. Empty for one that counts.',
    }),
  },
  strict,
)

const entitlementShape = Type.Object(
  {
    corporateActionId: Type.String({ description: 'The `externalId` of the announcement.' }),
    type: Type.String({ description: 'As in the code list corporateActionType.' }),
    symbol: Type.String({
      description: 'Symbol of the security, or another of its identifiers; can be empty.',
    }),
    exDate: day('Who holds the security at the beginning of this day is entitled.'),
    payDate: day('When the issuer pays or delivers.'),
    deadline: Type.String({ description: 'Empty for a mandatory action.' }),
    accountNumber: Type.String({ description: '8 characters.' }),
    accountName: titleOfAccount,
    acctType: answeredCode('activityAcctType', { description: 'Account type of the position.' }),
    state: answeredCode('actionEntitlementState', { description: 'State of the entitlement.' }),
    quantity: Type.String({
      description:
        'The position at the beginning of the ex-date, negative if it is short. Before that day, the position now.',
    }),
    elections: Type.Array(electionShape, { description: 'The choices, in the order in which they count.' }),
    electedBy: Type.String({
      description: 'The credential or person that elected; empty without an election.',
    }),
    electedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the choice was made; null without an election.',
    }),
    lines: Type.Array(
      Type.Object(
        {
          externalId: Type.String({ description: 'As in trade-activity and non-trade-activity (`tagNo`).' }),
          transType: Type.String({ description: 'Kind of line, as in trade-activity.' }),
          tradeDate: day('Trade date.'),
          netAmount: Type.String({ description: 'Empty if the books compute it from the lots.' }),
        },
        strict,
      ),
      { description: 'The lines that count now.' },
    ),
    reason: Type.String({
      description:
        'Why the lines were refused, the line of the feed that counts or may pay the same, or the cancel of the feed.',
    }),
  },
  strict,
)

export const loadCorporateActions = defineOperation({
  ...load,
  summary: 'Load corporate actions',
  description:
    'Announces corporate actions: externalId, type, an identifier of the security, recordDate, exDate, payDate and the terms. The default exDate follows from recordDate and the settlement cycle ' +
    '(FINRA Rule 11140(b)(1)); that of a Split or StockDividend of 25 % or more is the first business day after payDate (11140(b)(2)). The service books the lines of every holder by itself: mandatory changes of shares on the ex-date, and others on the pay date, or on the ex-date if that is later. `options` gives holders a choice, each option with its own ' +
    'terms; `deadline` and `defaultOption` belong to it. A line with `amends`, the externalId of an announcement, replaces all of its terms but type and security. It has an externalId ' +
    'of its own. Entitlements follow the new terms, and lines that were booked are reversed and booked again. Elections for options that changed or are gone are void. A line with cancelType C and tagNo ' +
    `cancels an announcement and reverses all of its lines.${linesNote}`,
  examples: [
    { title: 'A cash dividend', request: {}, lines: corporateActionsExample },
    { title: 'An amended rate', request: {}, lines: amendedActionExample },
  ],
})

export const listCorporateActions = defineOperation({
  ...firm,
  scope: 'activity:read',
  summary: 'List corporate actions',
  description: 'Returns announced corporate actions with their terms, the latest pay date first.',
  writes: false,
  request: block({
    corporateActionId: optional(corporateActionId),
    symbol: optional(
      words(12, {
        description: 'Returns the actions of the security with this symbol, CUSIP, ISIN or SEDOL.',
      }),
    ),
    state: optional(code('corporateActionState', { description: 'Returns actions in this state only.' })),
    ...pageOf(),
  }),
  data: Type.Object(
    {
      corporateActions: Type.Array(corporateActionShape, { description: 'The latest pay date first.' }),
      next,
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const listActionEntitlements = defineOperation({
  ...firm,
  scope: 'activity:read',
  summary: 'List the entitlements of corporate actions',
  description:
    'Returns what the positions of accounts are entitled to: of one corporate action, of one account, or both, with the elections and the lines that were booked. Entitlements are noted when an action ' +
    'is announced, and follow the positions at each close until the ex-date. A trade that arrives later for an earlier day changes the entitlement and its lines at the next close.',
  writes: false,
  request: block({
    corporateActionId: optional(corporateActionId),
    accountNumber: optional(accountNumber()),
    ...pageOf(),
  }),
  data: Type.Object(
    { entitlements: Type.Array(entitlementShape, { description: 'One item for each position.' }), next },
    strict,
  ),
  examples: [{ title: 'Of an account', request: { accountNumber: '30100001' } }],
})

export const elect = defineOperation({
  ...firm,
  scope: 'accounts:write',
  summary: 'Elect between the options of a corporate action',
  description:
    'Chooses the options for a position, in place of an earlier choice. Elections count in their order, each for `quantity` shares or for all that are left; the other shares get the default option. ' +
    'Elections are accepted until the end of the business day `deadline` (ERR.2049).',
  writes: true,
  request: block({
    corporateActionId,
    accountNumber: accountNumber(),
    acctType: optional(code('activityAcctType', { description: 'The default is 1, Cash.' })),
    elections: optional(
      list(
        block({
          option: words(30, { description: 'An option of the corporate action.' }),
          quantity: optional(
            words(30, { description: 'A decimal number above zero. The default is all that is left.' }),
          ),
        }),
        { description: 'Without elections, an earlier choice is withdrawn.' },
      ),
    ),
  }),
  data: entitlementShape,
  examples: [
    {
      title: 'Shares instead of cash',
      request: { corporateActionId: 'EX-CA-1', accountNumber: '30100001', elections: [{ option: 'Shares' }] },
      yours: { corporateActionId: 'list-corporate-actions', accountNumber: 'new-account' },
    },
  ],
})
