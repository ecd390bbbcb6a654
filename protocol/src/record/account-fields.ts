/** The fields of an account's record as a whole, in the order in which people read them. */
import {
  addressBlock,
  associatedPartyBlock,
  beneficiariesBlock,
  experienceBlock,
  ownerBlock,
  trustedContactBlock,
} from './party-fields.ts'
import { blockOf, group } from './record-field.ts'

const composed = 'The service composes it from the other fields.'
const opened = 'It is agreed when the account is opened: it cannot be changed on an open account.'
const entitled = 'On an open account, only operations can change it, with set-entitlements.'

const account = group('Account')
const settings = group('Settings')
const delivery = group('Electronic delivery')
const profile = group('Financial profile')
const trader = group('Large trader')

export const accountBlock = blockOf(
  'Account',
  {
    accountNumber: account.field('Account number', 'text', { fixed: 'The service assigns it.' }),
    accountName: account.field('Account title', 'text', { fixed: composed }),
    accountStatus: account.coded('Status', 'accountStatus', {
      fixed: 'It follows from the application, from restrictions and from the closing of the account.',
    }),
    registrationType: account.coded('Registration', 'registrationType', { fixed: opened }),
    entityNumber: account.field('Entity', 'text', { fixed: opened }),
    mailingAddressString: account.field('Mailing address in one line', 'text', { fixed: composed }),
    version: account.field('Version of the record', 'whole', { fixed: 'The service counts it.' }),
    primaryOwner: ownerBlock,
    mailingAddress: addressBlock('Mailing address'),
    associatedParties: associatedPartyBlock,
    main: blockOf('Settings', {
      repCode: settings.field('Representative'),
      marginIndicator: settings.field('Margin', 'yesNo', { fixed: entitled }),
      optionTradingIndicator: settings.field('Option trading', 'yesNo', { fixed: entitled }),
      optionTradingLevel: settings.coded('Option level', 'optionTradingLevel', { fixed: entitled }),
      sweepIndicator: settings.field('Cash sweep', 'yesNo'),
      proxyDisclosure: settings.coded('Disclosure to issuers', 'proxyDisclosure'),
      catAccountIdentifier: settings.field('CAT account type', 'text', { list: 'catAccountIdentifier' }),
    }),
    electronicDelivery: blockOf('Electronic delivery', {
      email: delivery.field('E-mail for documents', 'email'),
      statements: delivery.field('Statements', 'yesNo'),
      confirms: delivery.field('Trade confirmations', 'yesNo'),
      taxDocuments: delivery.field('Tax documents', 'yesNo'),
      prospectus: delivery.field('Prospectuses', 'yesNo'),
      serviceCommunications: delivery.field('Service messages', 'yesNo'),
      investorCommunications: delivery.field('Messages of issuers', 'yesNo'),
    }),
    financialProfile: blockOf('Financial profile', {
      annualIncome: profile.coded('Annual income', 'annualIncome'),
      netWorth: profile.coded('Net worth', 'netWorth'),
      liquidNetWorth: profile.coded('Liquid net worth', 'liquidNetWorth'),
      taxBracket: profile.coded('Tax bracket', 'taxBracket'),
      liquidityNeed: profile.coded('Liquidity need', 'liquidityNeed'),
      liquidityTime: profile.coded('When money may be needed', 'liquidityTime'),
      investmentTimeHorizon: profile.coded('Investment time horizon', 'investmentTimeHorizon'),
      investmentProfile: profile.coded('Investment profile', 'investmentProfile'),
      investmentExperience: experienceBlock,
    }),
    trustedContact: trustedContactBlock,
    beneficiaries: beneficiariesBlock('Beneficiaries', 'Beneficiary'),
    transferOfDeathBeneficiaries: beneficiariesBlock('Transfer-on-death beneficiaries', 'T.O.D. beneficiary'),
    retirementBenes: beneficiariesBlock('Retirement beneficiaries', 'Retirement beneficiary'),
    largeTraders: blockOf(
      'Large traders',
      {
        largeTraderId: trader.field('Large trader id'),
        effectiveDate: trader.field('From', 'day'),
        endDate: trader.field('Until', 'day'),
        endReason: trader.field('Why it ended'),
      },
      { item: 'Large trader' },
    ),
  },
  { aliases: { subNumber: 'entityNumber' } },
)
