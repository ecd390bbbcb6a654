/** Operations on margin calls. */
import Type from 'typebox'
import { day, numberOfAccount, unsatisfiedDeficits } from '../answered-values.ts'
import { asOfOf, known } from '../books-view.ts'
import { accountNumber, block, code, optional, rangeDate, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', origin: 'extension' } as const

export const grantExtension = defineOperation({
  ...operations,
  summary: 'Extend the time to meet a call',
  description:
    'Grants more time to meet an open call, as the examining authority allowed it (12 CFR 220.4(c)(3), 220.8(d); FINRA Rule 4210(f)(6)). The request must come before the due date has passed. ' +
    'One extension moves the due date by at most one payment period, of a maintenance call by at most fifteen business days. A call can be extended again. An intraday margin deficit cannot be extended.',
  writes: true,
  body: 'json',
  request: block({
    accountNumber: accountNumber(),
    kind: code('callKind', { description: 'Kind of the call.' }),
    issuedOn: rangeDate({
      description:
        'The day of the call, as in `list-calls`. For a call of the cash account, the day on which the payment period ends; the period need not have ended.',
    }),
    until: rangeDate({ description: 'The new due date.' }),
    reason: words(limits.noteLengthMax, {
      description: 'Why the customer could not pay in time. It is audited.',
    }),
  }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      kind: code('callKind', { description: 'Kind of the call.' }),
      issuedOn: day('The day of the call.'),
      dueBy: Type.String({ format: 'date', description: 'The due date, with this extension.' }),
      extensions: Type.Integer({ description: 'Number of extensions of this call.' }),
    },
    strict,
  ),
  examples: [
    {
      title: 'A wire that is late',
      request: {
        accountNumber: '30100002',
        kind: 'Fed',
        issuedOn: '2026-11-20',
        until: '2026-11-26',
        reason: 'The wire of the customer’s bank is late.',
      },
      yours: { accountNumber: 'list-accounts', issuedOn: 'list-calls', until: 'list-calls' },
    },
  ],
})

export const listCalls = defineOperation({
  audience: 'firm',
  scope: 'positions:read',
  origin: 'extension',
  summary: 'List margin calls',
  description:
    'Returns the margin calls of the firm’s accounts as the closes of business days issued, aged and met them: the open ones, or all with `includeMet`, ended ones among them. ' +
    'position-summary shows requirements since the last close.',
  writes: false,
  body: 'json',
  request: block({
    accountNumber: optional(accountNumber()),
    includeMet: optional(Type.Boolean({ description: 'Returns the calls that were met or ended, too.' })),
    asOf: asOfOf('Returns the calls as they were at the end of this day'),
    knownAt: known,
    ...pageOf({ sizeMax: limits.callsPageSizeMax, sizeDefault: limits.callsPageSizeMax }),
  }),
  data: Type.Object(
    {
      calls: Type.Array(
        Type.Object(
          {
            accountNumber: Type.String({ description: '8 characters.' }),
            accountName: Type.String({ description: 'The current title of the account, also with `asOf`.' }),
            kind: Type.String({
              description:
                '`Fed` (initial margin, Regulation T), `Maintenance`, `Cash` (a purchase of a cash account is unpaid at the end of its payment period), or `Intraday` (the intraday margin deficit of a day, FINRA Rule 4210(d)(2)).',
            }),
            state: Type.String({
              description:
                '`Open` or `Met`; `Ended` for an intraday margin deficit that was not satisfied by the fifteenth business day.',
            }),
            issuedOn: Type.String({
              format: 'date',
              description: 'The business day whose close issued the call.',
            }),
            dueBy: Type.String({ format: 'date', description: 'The due date, extensions included.' }),
            amount: Type.Number({
              description:
                'The amount of the call in US dollars, as it was issued or last raised. An intraday margin deficit is computed again if lines of its day arrive late or are cancelled, and can become 0.',
            }),
            outstanding: Type.Number({
              description:
                'The amount that was not met at the last close, in US dollars. Of an `Ended` call, what was not satisfied.',
            }),
            ageDays: Type.Integer({
              description: 'Business days from the issue of the call to the last close.',
            }),
            overdue: Type.Boolean({ description: 'Whether the due date has passed.' }),
            unsatisfiedDeficits,
            metOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
              description: 'The business day whose close found it met or ended; null while it is open.',
            }),
          },
          strict,
        ),
        { description: 'The calls.' },
      ),
      next,
    },
    strict,
  ),
  examples: [{ title: 'The open calls', request: {} }],
})
