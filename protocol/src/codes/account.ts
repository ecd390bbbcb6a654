// The coded fields of an account itself. Observed in the specification: accountStatus Open, proxyDisclosure L and Y.
// Reading 3.2 and 3.7.

import { listCodes } from './code-list.ts'
import type { CodeOf } from './index.ts'

/** Account statuses. Reading 3.2. */
export const accountStatuses = listCodes({
  Reserved: 'The number is reserved; no application is submitted yet',
  Pending: 'The application is submitted; the account is not open yet',
  Open: 'Open',
  Restricted: 'Open with at least one restriction in force',
  Closed: 'Closed',
  Rejected: 'Not opened',
})

/** Whether the owner's name is disclosed to the issuers of the held securities (17 CFR 240.14b-1). The default is L. */
export const proxyDisclosures = listCodes({
  Y: 'Disclose name, address and positions',
  N: 'Object to disclosure',
  L: 'Disclose only where the law requires it',
})

/** Levels of approved option trading. Each level includes the levels before it. */
export const optionTradingLevels = listCodes({
  '0': 'No option trading',
  '1': 'Covered calls and cash-secured puts',
  '2': 'Buying calls and puts',
  '3': 'Spreads',
  '4': 'Uncovered equity options',
  '5': 'Uncovered index options',
})

/** Reasons for the restriction of an account. Restrictions are separate records. Reading 3.2. */
export const restrictionCodes = listCodes({
  LiquidationOnly: 'Closing transactions only',
  NoTrading: 'No trading',
  NoWithdrawals: 'No withdrawals',
  NoTransfersOut: 'No transfers out',
  NoOptionTrading: 'No option trading',
  NoMargin: 'No margin',
  NinetyDayCash: 'Settled cash only for 90 days (12 CFR 220.8(c))',
  MissingDocument: 'A required document is missing',
  MissingTaxForm: 'A tax certification is missing',
  ReturnedMail: 'Mail came back from the address on file',
  IdentityUnderReview: 'The identity of a party is under review',
  Sanctions: 'Blocked by a sanctions programme',
  SuspectedFraud: 'Suspected fraud',
  ProtectedAdult: 'Suspected financial exploitation of an adult (FINRA 2165)',
  LegalHold: 'Court order, levy or other legal process',
  OwnerDeceased: 'An owner has died',
  Dormant: 'No contact with the owner',
  FirmRequest: 'Requested by the client firm',
})

type Suspended = CodeOf<'entitlement'>

/** What a restriction suspends while it is in force, by restriction code. */
export const suspendedBy: Readonly<Record<CodeOf<'restrictionCode'>, readonly Suspended[]>> = {
  LiquidationOnly: ['Buying', 'Margin'],
  NoTrading: ['Buying', 'Selling', 'Options', 'Margin'],
  NoWithdrawals: ['Withdrawals'],
  NoTransfersOut: ['TransfersOut'],
  NoOptionTrading: ['Options'],
  NoMargin: ['Margin'],
  NinetyDayCash: ['Margin'],
  MissingDocument: ['Buying', 'Withdrawals', 'TransfersOut'],
  MissingTaxForm: ['Buying', 'Withdrawals', 'TransfersOut'],
  ReturnedMail: ['Withdrawals', 'TransfersOut'],
  IdentityUnderReview: ['Buying', 'Options', 'Margin', 'Withdrawals', 'TransfersOut', 'Changes'],
  Sanctions: ['Buying', 'Selling', 'Options', 'Margin', 'Withdrawals', 'TransfersOut', 'Changes'],
  SuspectedFraud: ['Buying', 'Selling', 'Options', 'Margin', 'Withdrawals', 'TransfersOut', 'Changes'],
  ProtectedAdult: ['Withdrawals', 'TransfersOut', 'Changes'],
  LegalHold: ['Withdrawals', 'TransfersOut', 'Changes'],
  OwnerDeceased: ['Buying', 'Selling', 'Options', 'Margin', 'Withdrawals', 'TransfersOut', 'Changes'],
  Dormant: ['Withdrawals', 'TransfersOut'],
  FirmRequest: ['Withdrawals', 'TransfersOut'],
}

/**
 * The restrictions during which an account is not closed, each with what ends it. Others state what the account lacks
 * or may not do, which ends with the account.
 */
export const closingForbiddenBy: Readonly<Partial<Record<CodeOf<'restrictionCode'>, string>>> = {
  IdentityUnderReview: 'decide on the matches of the account (decide-match) or on the review of the identity',
  // 31 CFR 501.603 and 501.801: blocked property is reported until a license or a delisting.
  Sanctions: 'it stays until OFAC licenses the account or takes the person off the list',
  // 31 CFR 1023.320: the inquiry decides whether the activity is reported.
  SuspectedFraud: 'end it when the inquiry has ended',
  // FINRA Rule 2165(b).
  ProtectedAdult: 'end the temporary hold first, or let it end',
  LegalHold: 'end it when the court or the authority has released the account',
}

/**
 * Account holder types in reports of orders to the Consolidated Audit Trail, from its technical specifications for
 * industry members (17 CFR 242.613). FIX OwnerType, tag 522, has the same kinds. Another text is stored unchanged.
 */
export const catAccountIdentifiers = listCodes({
  IndividualCustomer: 'Individual customer',
  InstitutionalCustomer: 'Institutional customer',
  Employee: 'Employee or associated person of the firm',
  Foreign: 'Foreign affiliate or other foreign account',
  MarketMaking: 'Market making',
  Proprietary: 'Proprietary, other than market making',
  AgencyAveragePrice: 'Agency average price',
  Error: 'Error account of the firm',
})

/** What an associated party may do in the account. Full is the observed value of the specification. */
export const tradingAuthorities = listCodes({
  Full: 'Trade, withdraw and change the account',
  Limited: 'Trade',
  None: 'None',
})
