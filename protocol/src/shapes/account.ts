/**
 * The account record: the requests of new-account and update-account, and the two shapes of responses (Specification,
 * Account record; Reading 1.11).
 */
import Type from 'typebox'
import {
  accountNumber,
  answeredCode,
  block,
  code,
  described,
  entityNumber,
  list,
  optional,
  text,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'
import {
  beneficiariesRequest,
  beneficiaryShape,
  retirementBeneficiariesRequest,
  retirementBeneficiaryShape,
  todBeneficiariesRequest,
  todBeneficiaryShape,
} from './beneficiary.ts'
import {
  electronicDeliveryRequest,
  electronicDeliveryShape,
  financialProfileRequest,
  financialProfileShape,
  largeTraderShape,
  largeTradersRequest,
  mainRequest,
  mainShape,
} from './main.ts'
import {
  associatedPartyEcho,
  associatedPartyRequest,
  associatedPartyShape1,
  associatedPartyShape2,
  primaryOwnerEcho,
  primaryOwnerRequest,
  primaryOwnerShape1,
  primaryOwnerShape2,
} from './party.ts'
import { trustedContactRequest, trustedContactShape } from './trusted-contact.ts'

const accountAliases = {
  associatedparty: 'associatedParties',
  additionalparty: 'associatedParties',
  additionalparties: 'associatedParties',
  todbeneficiaries: 'transferOfDeathBeneficiaries',
  todbenes: 'transferOfDeathBeneficiaries',
  retirementbeneficiaries: 'retirementBenes',
  subnumber: 'entityNumber',
}

const mailingAddress = 'Mailing address of the account.'

const parties = {
  associatedParties: optional(
    list(associatedPartyRequest, { description: 'The other persons and entities of the account.' }),
  ),
  financialProfile: optional(financialProfileRequest),
  trustedContact: optional(
    described(
      trustedContactRequest,
      'The trusted contact person of the primary owner (FINRA Rule 4512(a)(1)(F)). It can be sent in `primaryOwner` instead.',
    ),
  ),
  beneficiaries: optional(beneficiariesRequest),
  transferOfDeathBeneficiaries: optional(todBeneficiariesRequest),
  retirementBenes: optional(retirementBeneficiariesRequest),
  largeTraders: optional(largeTradersRequest),
}

/** The request of new-account in both shapes: shape 2 with an accountNumber, shape 1 without it (Reading 1.11). */
export const newAccountRequest = block(
  {
    registrationType: code('registrationType', { description: 'Registration type of the account.' }),
    accountNumber: optional(
      accountNumber({
        description:
          'A number that account-number reserved, or any free number. It selects shape 2. By default, the service assigns a number.',
      }),
    ),
    entityNumber: entityNumber(),
    main: mainRequest,
    mailingAddress: described(addressRequest, mailingAddress),
    primaryOwner: primaryOwnerRequest,
    electronicDelivery: electronicDeliveryRequest,
    ...parties,
  },
  { aliases: accountAliases },
)

/** A member of the record that update-account cannot change. */
function fixed(meaning: string) {
  return `${meaning} It cannot be changed: only the value of the record is accepted (ERR.1021).`
}

/** The request of update-account: the account number and any blocks of the record (Reading 3.9). */
/** A record that get-account returned can be sent back whole; its version is then the expected version. */
export const updateAccountRequest = block(
  {
    accountNumber: accountNumber(),
    expectedVersion: optional(
      Type.Integer({
        minimum: 1,
        description:
          'The expected version. If the record has another version, the request is rejected with 409 (Extension).',
      }),
    ),
    reason: optional(
      words(limits.noteLengthMax, {
        description:
          'Why the record changes (Extension). It is audited, and account-history returns it to the firm and to operations.',
      }),
    ),
    accountStatus: optional(code('accountStatus', { description: fixed('Status of the account.') })),
    accountName: optional(text(limits.noteLengthMax, { description: fixed('Title of the account.') })),
    registrationType: optional(
      code('registrationType', { description: fixed('Registration type of the account.') }),
    ),
    entityNumber: optional(entityNumber({ description: fixed('Entity number of the account.') })),
    main: optional(mainRequest),
    electronicDelivery: optional(electronicDeliveryRequest),
    mailingAddress: optional(described(addressRequest, mailingAddress)),
    mailingAddressString: optional(
      text(limits.noteLengthMax, { description: fixed('The mailing address in one line.') }),
    ),
    primaryOwner: optional(primaryOwnerRequest),
    ...parties,
  },
  {
    aliases: { ...accountAliases, version: 'expectedVersion' },
    // The names of the record that get-account returns.
    shownAliases: ['subNumber', 'version'],
    blanks: 'kept',
  },
)

/** The record in shape 1, nested under `data.message`. */
export const accountShape1 = Type.Object(
  {
    entityNumber: Type.Optional(Type.String({ description: 'Number of the client firm, three digits.' })),
    registrationType: answeredCode('registrationType', { description: 'Registration type of the account.' }),
    main: mainShape,
    electronicDelivery: electronicDeliveryShape,
    mailingAddress: described(addressShape, mailingAddress),
    accountNumber: Type.String({ description: '8 characters.' }),
    primaryOwner: primaryOwnerShape1,
    associatedParties: Type.Array(associatedPartyShape1, {
      description: 'The other persons and entities of the account.',
    }),
    financialProfile: financialProfileShape,
    beneficiaries: Type.Array(beneficiaryShape, { description: 'The beneficiaries of the account.' }),
  },
  { additionalProperties: false },
)

/** The record in shape 2, directly in `data`. */
export const accountShape2 = Type.Object(
  {
    accountStatus: answeredCode('accountStatus', { description: 'Status of the account.' }),
    accountName: Type.String({ description: 'Composed title of the account (Reading 3.8).' }),
    registrationType: answeredCode('registrationType', { description: 'Registration type of the account.' }),
    main: mainShape,
    electronicDelivery: electronicDeliveryShape,
    mailingAddress: described(addressShape, mailingAddress),
    mailingAddressString: Type.String({
      description: 'Street, city, state, country name and postal code, in upper case.',
    }),
    accountNumber: Type.String({ description: '8 characters.' }),
    subNumber: Type.String({ description: 'The entity number.' }),
    version: Type.Integer({
      description: 'Version of the record, which counts its changes. Send it as expectedVersion (Extension).',
    }),
    primaryOwner: primaryOwnerShape2,
    associatedParties: Type.Array(associatedPartyShape2, {
      description: 'The other persons and entities of the account.',
    }),
    financialProfile: financialProfileShape,
    largeTraders: Type.Array(largeTraderShape, { description: 'Large trader numbers of the account.' }),
    transferOfDeathBeneficiaries: Type.Array(todBeneficiaryShape, {
      description: 'The beneficiaries of a transfer on death.',
    }),
    retirementBenes: Type.Array(retirementBeneficiaryShape, {
      description: 'The beneficiaries of a retirement account.',
    }),
  },
  { additionalProperties: false },
)

/** The response of new-account in shape 2: the submitted blocks, normalized (Specification, new-account). */
export const newAccountEcho = Type.Object(
  {
    registrationType: answeredCode('registrationType', { description: 'Registration type of the account.' }),
    accountNumber: Type.String({ description: '8 characters.' }),
    entityNumber: Type.String({ description: 'Number of the client firm, three digits.' }),
    main: mainShape,
    mailingAddress: described(addressShape, mailingAddress),
    primaryOwner: primaryOwnerEcho,
    trustedContact: trustedContactShape,
    electronicDelivery: electronicDeliveryShape,
    financialProfile: financialProfileShape,
    associatedParties: Type.Optional(
      Type.Array(associatedPartyEcho, { description: 'The other persons and entities of the account.' }),
    ),
    transferOfDeathBeneficiaries: Type.Optional(
      Type.Array(todBeneficiaryShape, { description: 'The beneficiaries of a transfer on death.' }),
    ),
    retirementBenes: Type.Optional(
      Type.Array(retirementBeneficiaryShape, { description: 'The beneficiaries of a retirement account.' }),
    ),
    largeTraders: Type.Optional(
      Type.Array(largeTraderShape, { description: 'Large trader numbers of the account.' }),
    ),
  },
  { additionalProperties: false },
)

/** `data` of get-account and new-account in shape 1. */
export const accountMessage = Type.Object(
  { message: described(accountShape1, 'The record of the account in shape 1.') },
  { additionalProperties: false },
)
