/** Opening, reading and changing accounts. */
import Type from 'typebox'
import { accountNumber, block, code, entityNumber, optional, repCode } from '../field.ts'
import { defineOperation } from '../operation.ts'
import {
  accountMessage,
  accountShape2,
  newAccountEcho,
  newAccountRequest,
  updateAccountRequest,
} from '../shapes/account.ts'
import { onboardingResultShape } from '../shapes/onboarding.ts'
import { jointAccountExample, newAccountExample } from './examples.ts'

/** Of the entity number, as the answers of the specification call it too (Reading 1.1). */
const aliases = { subnumber: 'entityNumber' }

export const newAccount = defineOperation({
  summary: 'Open an account',
  description:
    'Validates the application, stores it and starts its onboarding. The answer means that the submission is committed; ' +
    'its progress is read with onboarding-result. Without `accountNumber` the record is answered under `data.message` with a ' +
    'new number; with one (reserved with account-number, or any free one) the submitted blocks are answered.',
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
    'Answers the full record. With `entityNumber` in shape 1 under `data.message`, without it in shape 2. Tax ids and ' +
    'government id numbers are masked to the last four unless the token carries `pii:read`.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'specification',
  request: block({ accountNumber: accountNumber(), entityNumber: optional(entityNumber()) }, { aliases }),
  data: Type.Union([accountMessage, accountShape2]),
  examples: [
    { title: 'Shape 2', request: { accountNumber: '30100001' } },
    { title: 'Shape 1', request: { accountNumber: '30100001', entityNumber: '301' } },
  ],
})

export const updateAccount = defineOperation({
  summary: 'Change an account',
  description:
    'Merges the blocks sent into the record, attribute by attribute; nothing else changes, and all of it or none is stored. ' +
    'Items of lists match by customerId (parties, T.O.D. beneficiaries) or taxId (retirement beneficiaries); an item without it is ' +
    'appended. Deleting a value is refused (ERR.1020), as is changing an attribute that cannot be updated (ERR.1021).',
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

export const onboardingResult = defineOperation({
  summary: 'Follow an application',
  description:
    'The state of an application made with new-account, with its stages, the follow-ups that wait for an answer, the submitted ' +
    'blocks (masked) and the history of its states.',
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
      registrationType: code('registrationType'),
    },
    { aliases },
  ),
  data: Type.Object(
    { accountNumber: Type.String(), accountStatus: Type.String({ examples: ['Reserved'] }) },
    { additionalProperties: false },
  ),
  examples: [
    {
      title: 'For an individual account',
      request: { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' },
    },
  ],
})
