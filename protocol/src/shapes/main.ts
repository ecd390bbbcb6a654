/**
 * The blocks of an account that do not describe a person: main, electronic delivery, financial profile, large traders.
 */
import Type from 'typebox'
import {
  answeredCode,
  block,
  code,
  codeOrText,
  codes,
  date,
  email,
  flag,
  list,
  optional,
  repCode,
  text,
} from '../field.ts'
import { limits } from '../limits.ts'

/** Main (Specification, Main; Reading 3.5 for catAccountIdentifier). */
export const mainRequest = block({
  repCode: optional(repCode()),
  proxyDisclosure: optional(code('proxyDisclosure')),
  marginIndicator: optional(flag('true')),
  optionTradingLevel: optional(code('optionTradingLevel')),
  optionTradingIndicator: optional(flag('true')),
  sweepIndicator: optional(flag('true')),
  catAccountIdentifier: optional(codeOrText('catAccountIdentifier', limits.catAccountIdentifierLengthMax)),
})

export const mainShape = Type.Object(
  {
    repCode: Type.String({ description: 'Code of the representative of the account.' }),
    proxyDisclosure: answeredCode('proxyDisclosure'),
    marginIndicator: Type.String({
      description: 'Whether the account may trade on margin: `true` or `false`. Cannot be updated.',
    }),
    optionTradingLevel: Type.String({
      description: 'Option level; empty if options are not traded. Cannot be updated.',
    }),
    optionTradingIndicator: Type.String({
      description: 'Whether the account may trade options: `true` or `false`. Cannot be updated.',
    }),
    sweepIndicator: Type.String({
      description: 'Whether idle cash is swept into a money-market fund: `true` or `false`.',
    }),
    catAccountIdentifier: Type.Optional(Type.String({ 'x-code-list': 'catAccountIdentifier' })),
  },
  { additionalProperties: false },
)

/** Electronic delivery (Specification, Electronic Delivery). */
export const electronicDeliveryRequest = block({
  email: optional(email()),
  statements: optional(flag('True')),
  confirms: optional(flag('True')),
  serviceCommunications: optional(flag('True')),
  investorCommunications: optional(flag('True')),
  prospectus: optional(flag('True')),
  taxDocuments: optional(flag('True')),
})

export const electronicDeliveryShape = Type.Object(
  {
    email: Type.Optional(Type.String({ description: 'E-mail address for the deliveries.' })),
    statements: Type.Optional(Type.String({ description: 'Statements by e-mail: `True` or `False`.' })),
    confirms: Type.Optional(
      Type.String({ description: 'Trade confirmations by e-mail: `True` or `False`.' }),
    ),
    serviceCommunications: Type.Optional(
      Type.String({ description: 'Communications of the service by e-mail: `True` or `False`.' }),
    ),
    investorCommunications: Type.Optional(
      Type.String({ description: 'Proxies and reports of issuers by e-mail: `True` or `False`.' }),
    ),
    prospectus: Type.Optional(Type.String({ description: 'Prospectuses by e-mail: `True` or `False`.' })),
    taxDocuments: Type.Optional(Type.String({ description: 'Tax documents by e-mail: `True` or `False`.' })),
  },
  { additionalProperties: false },
)

/** Investment experience by kind of investment. Can be empty. */
export const investmentExperienceRequest = block({
  stocks: optional(code('investmentExperience')),
  bonds: optional(code('investmentExperience')),
  options: optional(code('investmentExperience')),
  mutualFunds: optional(code('investmentExperience')),
  annuities: optional(code('investmentExperience')),
})

export const investmentExperienceShape = Type.Object(
  {
    stocks: Type.Optional(answeredCode('investmentExperience')),
    bonds: Type.Optional(answeredCode('investmentExperience')),
    options: Type.Optional(answeredCode('investmentExperience')),
    mutualFunds: Type.Optional(answeredCode('investmentExperience')),
    annuities: Type.Optional(answeredCode('investmentExperience')),
  },
  { additionalProperties: false },
)

/** Financial profile (Specification, Financial Profile); never required (Reading 3.4). */
export const financialProfileRequest = block({
  annualIncome: optional(code('annualIncome')),
  netWorth: optional(code('netWorth')),
  liquidNetWorth: optional(code('liquidNetWorth')),
  liquidityNeed: optional(code('liquidityNeed')),
  liquidityTime: optional(code('liquidityTime')),
  taxBracket: optional(code('taxBracket')),
  investmentTimeHorizon: optional(code('investmentTimeHorizon')),
  investmentProfile: optional(code('investmentProfile')),
  investmentExperience: optional(investmentExperienceRequest),
})

export const financialProfileShape = Type.Object(
  {
    annualIncome: Type.Optional(answeredCode('annualIncome')),
    netWorth: Type.Optional(answeredCode('netWorth')),
    liquidNetWorth: Type.Optional(answeredCode('liquidNetWorth')),
    liquidityNeed: Type.Optional(answeredCode('liquidityNeed')),
    liquidityTime: Type.Optional(answeredCode('liquidityTime')),
    taxBracket: Type.Optional(answeredCode('taxBracket')),
    investmentTimeHorizon: Type.Optional(answeredCode('investmentTimeHorizon')),
    investmentProfile: Type.Optional(answeredCode('investmentProfile')),
    investmentExperience: Type.Optional(investmentExperienceShape),
  },
  { additionalProperties: false },
)

/** Large trader ids of the account (Reading 1.11; 17 CFR 240.13h-1). */
export const largeTraderRequest = block({
  largeTraderId: optional(text(20)),
  effectiveDate: optional(date()),
  endDate: optional(date()),
  endReason: optional(text(limits.freeTextLengthMax)),
})

export const largeTraderShape = Type.Object(
  {
    largeTraderId: Type.String({
      description: 'Large trader identification number of the SEC (LTID, 17 CFR 240.13h-1).',
    }),
    effectiveDate: Type.Optional(
      Type.String({ description: 'Day from which the number applies, `yyyy-MM-dd`.' }),
    ),
    endDate: Type.Optional(Type.String({ description: 'Day on which it ended, `yyyy-MM-dd`.' })),
    endReason: Type.Optional(Type.String({ description: 'Why it ended.' })),
  },
  { additionalProperties: false },
)

/** CAIS information of a person. Values: Reading 3.7. */
export const caisInformationRequest = block({
  customerType: optional(codes('caisCustomerType')),
  accountType: optional(codes('caisAccountType')),
  role: optional(code('caisRole')),
})

export const caisInformationShape = Type.Object(
  {
    customerType: Type.Optional(
      Type.Array(answeredCode('caisCustomerType'), {
        description: 'Kinds of the customer for the Consolidated Audit Trail (FINRA Rule 6830).',
      }),
    ),
    accountType: Type.Optional(
      Type.Array(answeredCode('caisAccountType'), {
        description: 'Kinds of the account for the Consolidated Audit Trail.',
      }),
    ),
    role: Type.Optional(answeredCode('caisRole')),
  },
  { additionalProperties: false },
)

export const largeTradersRequest = list(largeTraderRequest, {
  description: 'Large trader numbers of the account.',
})
