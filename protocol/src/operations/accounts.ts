/** Operations that open, read and change accounts. */
import Type from 'typebox'
import { numberOfAccount, textOf, time } from '../answered-values.ts'
import { accountNumber, answeredCode, block, code, entityNumber, optional, repCode, words } from '../field.ts'
import { defineOperation } from '../operation.ts'
import {
  accountMessage,
  accountShape2,
  newAccountEcho,
  newAccountRequest,
  updateAccountRequest,
} from '../shapes/account.ts'
import { onboardingResultShape } from '../shapes/onboarding.ts'
import { exampleAccount, exampleIds, jointAccountExample, newAccountExample } from './examples.ts'

/** Other spellings of the entity number; the responses of the specification use them too (Reading 1.1). */
const aliases = { subnumber: 'entityNumber' }

export const newAccount = defineOperation({
  summary: 'Open an account',
  description:
    'Validates the application, stores it and starts its onboarding. A 200 response means that the submission is committed; read its progress with ' +
    'onboarding-result. Without `accountNumber`, the response holds the record under `data.message` with a new account number. With `accountNumber` (reserved with ' +
    'account-number, or any free number), the response holds the submitted blocks.',
  audience: 'firm',
  scope: 'accounts:write',
  writes: true,
  body: 'json',
  origin: 'specification',
  request: newAccountRequest,
  data: Type.Union([accountMessage, newAccountEcho]),
  examples: [
    { title: 'An individual account', request: newAccountExample },
    { title: 'A joint account with right of survivorship', request: jointAccountExample },
  ],
})

export const getAccount = defineOperation({
  summary: 'Read an account',
  description:
    'Returns the full record: with `entityNumber` in shape 1 under `data.message`, without it in shape 2. Tax ids and government id numbers are masked to the last ' +
    'four characters unless the token carries `pii:read`.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  // An empty entity number is an error (Reading 1.11), so it must reach the operation.
  request: block(
    { accountNumber: accountNumber(), entityNumber: optional(entityNumber()) },
    { aliases, blanks: 'kept' },
  ),
  data: Type.Union([accountMessage, accountShape2]),
  examples: [
    { title: 'Shape 2', request: { accountNumber: '30100001' } },
    { title: 'Shape 1', request: { accountNumber: '30100001', entityNumber: '301' } },
  ],
})

export const updateAccount = defineOperation({
  summary: 'Change an account',
  description:
    'Merges the submitted blocks into the record, attribute by attribute. Attributes that are not sent keep their values. The change is stored whole or not at all. ' +
    'Items of lists match by customerId (parties, T.O.D. beneficiaries) or taxId (retirement beneficiaries); an item without it is appended. A request to delete a ' +
    'value is rejected (ERR.1020). A request to change an attribute that cannot be updated is rejected (ERR.1021). `message` says that a change waits for operations and ' +
    'why, or what account policy notes about it.',
  audience: 'firm',
  scope: 'accounts:write',
  writes: true,
  body: 'json',
  origin: 'specification',
  request: updateAccountRequest,
  data: accountShape2,
  examples: [
    {
      title: 'A new e-mail address for statements',
      request: {
        accountNumber: '30100001',
        electronicDelivery: { email: 'ada.moreno@example.com', statements: 'true' },
      },
    },
  ],
})

export const withdrawUpdate = defineOperation({
  summary: 'Withdraw a change that waits',
  description:
    'Withdraws a request of update-account that waits for operations: it never takes effect, and the event is `change.rejected` with the outcome `Withdrawn`. Any credential ' +
    'of the firm can withdraw a request of the firm, and not one of operations (ERR.1003). A change that was approved or rejected in the meantime is ERR.2010; a change that was withdrawn ' +
    'stays so, and the response is the same. A review of names that the change has caused goes on. A change that states a political office of a foreign person is decided on, and not withdrawn ' +
    '(ERR.2010).',
  audience: 'firm',
  scope: 'accounts:write',
  writes: true,
  body: 'json',
  origin: 'extension',
  request: block({
    accountNumber: accountNumber(),
    changeId: words(36, {
      description: 'ID of the change, as in `waiting.changes` of account-history and in its events.',
    }),
  }),
  data: Type.Object(
    {
      accountNumber: numberOfAccount,
      changeId: Type.String({ format: 'uuid', description: 'ID of the change.' }),
      state: answeredCode('changeState', { description: 'State of the change: `Withdrawn`.' }),
      withdrawnBy: textOf('The credential that withdrew the change.'),
      withdrawnOn: time('When the change was withdrawn.'),
    },
    { additionalProperties: false },
  ),
  examples: [
    {
      title: 'Withdraw a change of a name',
      request: { accountNumber: exampleAccount, changeId: exampleIds.change },
      yours: { accountNumber: 'new-account', changeId: 'account-history' },
    },
  ],
})

export const withdrawApplication = defineOperation({
  summary: 'Withdraw an application',
  description:
    'Withdraws an application made with new-account whose account is not open yet. The application is `Rejected` with `withdrawnOn`, its follow-ups need no answer, and the event is ' +
    '`application.rejected` with `withdrawnOn`. Any credential of the firm can withdraw an application of the firm. An application that has ended in the meantime is ERR.2010; one that was withdrawn ' +
    'stays so, and the response is the same. A review of names that the application has caused goes on.',
  audience: 'firm',
  scope: 'accounts:write',
  writes: true,
  body: 'json',
  origin: 'extension',
  request: block({ accountNumber: accountNumber() }),
  data: onboardingResultShape,
  examples: [
    {
      title: 'The customer has changed his mind',
      request: { accountNumber: exampleAccount },
      yours: { accountNumber: 'new-account' },
    },
  ],
})

export const onboardingResult = defineOperation({
  summary: 'Follow an application',
  description:
    'Returns the state of an application made with new-account: its stages, the follow-ups that wait for an answer, the submitted blocks (masked) and the history of ' +
    'its states.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  request: block({ accountNumber: accountNumber() }),
  data: onboardingResultShape,
  examples: [{ title: 'By account number', request: { accountNumber: '30100001' } }],
})

export const accountNumberOperation = defineOperation({
  summary: 'Reserve an account number',
  description: 'Reserves a number that a later new-account names in `accountNumber`.',
  audience: 'firm',
  scope: 'accounts:write',
  writes: true,
  body: 'json',
  origin: 'extension',
  request: block(
    {
      entityNumber: entityNumber(),
      repCode: repCode(),
      registrationType: code('registrationType', { description: 'Registration type of the account.' }),
    },
    { aliases },
  ),
  data: Type.Object(
    {
      accountNumber: Type.String({ description: 'The reserved number, 8 characters.' }),
      accountStatus: Type.String({ description: 'Always `Reserved`.', examples: ['Reserved'] }),
    },
    { additionalProperties: false },
  ),
  examples: [
    {
      title: 'For an individual account',
      request: { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' },
    },
  ],
})
