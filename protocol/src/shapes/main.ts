/**
 * The blocks of an account that do not describe a person: main, electronic delivery, financial profile, large traders.
 */
import Type from 'typebox'
import { block, code, codeOrText, codes, date, email, flag, list, optional, repCode, text } from '../field.ts'
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
    repCode: Type.String(),
    proxyDisclosure: Type.String(),
    marginIndicator: Type.String({ description: '`true` or `false`. Cannot be updated.' }),
    optionTradingLevel: Type.String({
      description: 'Option level; empty if options are not traded. Cannot be updated.',
    }),
    optionTradingIndicator: Type.String({ description: '`true` or `false`. Cannot be updated.' }),
    sweepIndicator: Type.String({ description: '`true` or `false`.' }),
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
    email: Type.Optional(Type.String()),
    statements: Type.Optional(Type.String()),
    confirms: Type.Optional(Type.String()),
    serviceCommunications: Type.Optional(Type.String()),
    investorCommunications: Type.Optional(Type.String()),
    prospectus: Type.Optional(Type.String()),
    taxDocuments: Type.Optional(Type.String()),
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
    stocks: Type.Optional(Type.String()),
    bonds: Type.Optional(Type.String()),
    options: Type.Optional(Type.String()),
    mutualFunds: Type.Optional(Type.String()),
    annuities: Type.Optional(Type.String()),
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
    annualIncome: Type.Optional(Type.String()),
    netWorth: Type.Optional(Type.String()),
    liquidNetWorth: Type.Optional(Type.String()),
    liquidityNeed: Type.Optional(Type.String()),
    liquidityTime: Type.Optional(Type.String()),
    taxBracket: Type.Optional(Type.String()),
    investmentTimeHorizon: Type.Optional(Type.String()),
    investmentProfile: Type.Optional(Type.String()),
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
    largeTraderId: Type.String(),
    effectiveDate: Type.Optional(Type.String()),
    endDate: Type.Optional(Type.String()),
    endReason: Type.Optional(Type.String()),
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
    customerType: Type.Optional(Type.Array(Type.String())),
    accountType: Type.Optional(Type.Array(Type.String())),
    role: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export const largeTradersRequest = list(largeTraderRequest)
