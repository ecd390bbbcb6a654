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

const meanings = {
  main: 'Representative, trading permissions and settings of the account.',
  repCode: 'Code of the representative of the account.',
  proxyDisclosure:
    'Whether the name of the owner is disclosed to the issuers of the held securities (17 CFR 240.14b-1).',
  marginIndicator: 'Whether the account may trade on margin',
  optionTradingLevel: 'Level of option trading',
  optionTradingIndicator: 'Whether the account may trade options',
  sweepIndicator: 'Whether idle cash is swept into a money-market fund',
  catAccountIdentifier:
    'Type of account holder for the Consolidated Audit Trail (17 CFR 242.613). Another text is kept.',
  electronicDelivery: 'What the customer gets by e-mail instead of on paper.',
  email: 'E-mail address for the deliveries.',
  statements: 'Statements by e-mail',
  confirms: 'Trade confirmations by e-mail',
  serviceCommunications: 'Communications of the service by e-mail',
  investorCommunications: 'Proxies and reports of issuers by e-mail',
  prospectus: 'Prospectuses by e-mail',
  taxDocuments: 'Tax documents by e-mail',
  investmentExperience: 'Experience with each kind of investment.',
  financialProfile: 'Financial situation and goals of the owners.',
  largeTraderId: 'Large trader identification number of the SEC (LTID, 17 CFR 240.13h-1).',
  endReason: 'Why it ended.',
  caisInformation: 'What the Consolidated Audit Trail requires about the customer (FINRA Rule 6830).',
  caisCustomerType: 'Kinds of the customer for the Consolidated Audit Trail (FINRA Rule 6830).',
  caisAccountType: 'Kinds of the account for the Consolidated Audit Trail.',
  caisRole: 'Role of the customer for the Consolidated Audit Trail.',
}

/** Of a block in a response. */
export const allOrNone = 'An empty object, or all members, each empty if it was not given.'

/** A flag of the block `main`, in a request. update-account cannot change a fixed one. */
function indicator(meaning: string, changes: 'fixed' | 'free') {
  const note = changes === 'fixed' ? ' It cannot be updated.' : ''
  return optional(flag('true', { description: `${meaning}. The default is false.${note}` }))
}

/** Main (Specification, Main; Reading 3.5 for catAccountIdentifier). */
export const mainRequest = block(
  {
    repCode: optional(repCode({ description: `${meanings.repCode} Required in new-account.` })),
    proxyDisclosure: optional(
      code('proxyDisclosure', { description: `${meanings.proxyDisclosure} The default is L.` }),
    ),
    marginIndicator: indicator(meanings.marginIndicator, 'fixed'),
    optionTradingLevel: optional(
      code('optionTradingLevel', { description: `${meanings.optionTradingLevel}. It cannot be updated.` }),
    ),
    optionTradingIndicator: indicator(meanings.optionTradingIndicator, 'fixed'),
    sweepIndicator: indicator(meanings.sweepIndicator, 'free'),
    catAccountIdentifier: optional(
      codeOrText('catAccountIdentifier', limits.catAccountIdentifierLengthMax, {
        description: meanings.catAccountIdentifier,
      }),
    ),
  },
  { description: meanings.main },
)

export const mainShape = Type.Object(
  {
    repCode: Type.String({ description: meanings.repCode }),
    proxyDisclosure: answeredCode('proxyDisclosure', { description: meanings.proxyDisclosure }),
    marginIndicator: Type.String({
      description: `${meanings.marginIndicator}: \`true\` or \`false\`. Cannot be updated.`,
    }),
    optionTradingLevel: Type.String({
      description: 'Option level; empty if options are not traded. Cannot be updated.',
    }),
    optionTradingIndicator: Type.String({
      description: `${meanings.optionTradingIndicator}: \`true\` or \`false\`. Cannot be updated.`,
    }),
    sweepIndicator: Type.String({
      description: `${meanings.sweepIndicator}: \`true\` or \`false\`.`,
    }),
    catAccountIdentifier: Type.Optional(
      Type.String({ 'x-code-list': 'catAccountIdentifier', description: meanings.catAccountIdentifier }),
    ),
  },
  { additionalProperties: false, description: meanings.main },
)

const deliveries = [
  'statements',
  'confirms',
  'serviceCommunications',
  'investorCommunications',
  'prospectus',
  'taxDocuments',
] as const

function ofDeliveries<T>(make: (meaning: string) => T) {
  return Object.fromEntries(deliveries.map((name) => [name, make(meanings[name])])) as Record<
    (typeof deliveries)[number],
    T
  >
}

/** Electronic delivery (Specification, Electronic Delivery). */
export const electronicDeliveryRequest = block(
  {
    email: optional(
      email({
        description: `${meanings.email} Required for a delivery by e-mail, unless the primary owner has one.`,
      }),
    ),
    ...ofDeliveries((meaning) =>
      optional(flag('True', { description: `${meaning}. The default is false.` })),
    ),
  },
  { description: meanings.electronicDelivery },
)

export const electronicDeliveryShape = Type.Object(
  {
    email: Type.Optional(Type.String({ description: meanings.email })),
    ...ofDeliveries((meaning) =>
      Type.Optional(Type.String({ description: `${meaning}: \`True\` or \`False\`.` })),
    ),
  },
  { additionalProperties: false, description: meanings.electronicDelivery },
)

const investments = {
  stocks: 'Experience with stocks.',
  bonds: 'Experience with bonds.',
  options: 'Experience with options.',
  mutualFunds: 'Experience with mutual funds.',
  annuities: 'Experience with annuities.',
}

function ofInvestments<T>(make: (description: string) => T) {
  return Object.fromEntries(
    Object.entries(investments).map(([name, description]) => [name, make(description)]),
  ) as Record<keyof typeof investments, T>
}

/** Investment experience by kind of investment. Can be empty. */
export const investmentExperienceRequest = block(
  ofInvestments((description) => optional(code('investmentExperience', { description }))),
  { description: meanings.investmentExperience },
)

export const investmentExperienceShape = Type.Object(
  ofInvestments((description) => Type.Optional(answeredCode('investmentExperience', { description }))),
  { additionalProperties: false, description: `${meanings.investmentExperience} ${allOrNone}` },
)

const profile = {
  annualIncome: 'Annual income of the owners, as a band of US dollars.',
  netWorth: 'Net worth of the owners, as a band of US dollars.',
  liquidNetWorth: 'Liquid net worth of the owners, as a band of US dollars.',
  liquidityNeed: 'How much of the money must stay available.',
  liquidityTime: 'How soon the money may be needed.',
  taxBracket: 'Federal tax bracket of the owners.',
  investmentTimeHorizon: 'Time until the invested money is to be spent.',
  investmentProfile: 'How much risk the owners accept.',
}

/** Financial profile (Specification, Financial Profile); never required (Reading 3.4). */
export const financialProfileRequest = block(
  {
    annualIncome: optional(code('annualIncome', { description: profile.annualIncome })),
    netWorth: optional(code('netWorth', { description: profile.netWorth })),
    liquidNetWorth: optional(code('liquidNetWorth', { description: profile.liquidNetWorth })),
    liquidityNeed: optional(code('liquidityNeed', { description: profile.liquidityNeed })),
    liquidityTime: optional(code('liquidityTime', { description: profile.liquidityTime })),
    taxBracket: optional(code('taxBracket', { description: profile.taxBracket })),
    investmentTimeHorizon: optional(
      code('investmentTimeHorizon', { description: profile.investmentTimeHorizon }),
    ),
    investmentProfile: optional(code('investmentProfile', { description: profile.investmentProfile })),
    investmentExperience: optional(investmentExperienceRequest),
  },
  { description: meanings.financialProfile },
)

export const financialProfileShape = Type.Object(
  {
    annualIncome: Type.Optional(answeredCode('annualIncome', { description: profile.annualIncome })),
    netWorth: Type.Optional(answeredCode('netWorth', { description: profile.netWorth })),
    liquidNetWorth: Type.Optional(answeredCode('liquidNetWorth', { description: profile.liquidNetWorth })),
    liquidityNeed: Type.Optional(answeredCode('liquidityNeed', { description: profile.liquidityNeed })),
    liquidityTime: Type.Optional(answeredCode('liquidityTime', { description: profile.liquidityTime })),
    taxBracket: Type.Optional(answeredCode('taxBracket', { description: profile.taxBracket })),
    investmentTimeHorizon: Type.Optional(
      answeredCode('investmentTimeHorizon', { description: profile.investmentTimeHorizon }),
    ),
    investmentProfile: Type.Optional(
      answeredCode('investmentProfile', { description: profile.investmentProfile }),
    ),
    investmentExperience: Type.Optional(investmentExperienceShape),
  },
  { additionalProperties: false, description: meanings.financialProfile },
)

/** Large trader ids of the account (Reading 1.11; 17 CFR 240.13h-1). */
export const largeTraderRequest = block({
  largeTraderId: optional(
    text(20, {
      description: `${meanings.largeTraderId} It has the form \`99999999-9999\`, or begins with \`ULT\`.`,
    }),
  ),
  effectiveDate: optional(date({ description: 'Day from which the number applies.' })),
  endDate: optional(date({ description: 'Day on which the number ended.' })),
  endReason: optional(text(limits.freeTextLengthMax, { description: meanings.endReason })),
})

export const largeTraderShape = Type.Object(
  {
    largeTraderId: Type.String({
      description: meanings.largeTraderId,
    }),
    effectiveDate: Type.Optional(
      Type.String({ description: 'Day from which the number applies, `yyyy-MM-dd`.' }),
    ),
    endDate: Type.Optional(Type.String({ description: 'Day on which it ended, `yyyy-MM-dd`.' })),
    endReason: Type.Optional(Type.String({ description: meanings.endReason })),
  },
  { additionalProperties: false },
)

/** CAIS information of a person. Values: Reading 3.7. */
export const caisInformationRequest = block(
  {
    customerType: optional(codes('caisCustomerType', { description: meanings.caisCustomerType })),
    accountType: optional(codes('caisAccountType', { description: meanings.caisAccountType })),
    role: optional(code('caisRole', { description: meanings.caisRole })),
  },
  { description: meanings.caisInformation },
)

export const caisInformationShape = Type.Object(
  {
    customerType: Type.Optional(
      Type.Array(answeredCode('caisCustomerType'), { description: meanings.caisCustomerType }),
    ),
    accountType: Type.Optional(
      Type.Array(answeredCode('caisAccountType'), { description: meanings.caisAccountType }),
    ),
    role: Type.Optional(answeredCode('caisRole', { description: meanings.caisRole })),
  },
  { additionalProperties: false, description: `${meanings.caisInformation} ${allOrNone}` },
)

export const largeTradersRequest = list(largeTraderRequest, {
  description: 'Large trader numbers of the account.',
})
