// Sources of the money of an account. Employment, Other, Gift and Retirement are observed values of the
// specification; this service defines the others. Other requires otherSourceOfFund. Reading 3.7.

import { listCodes } from './code-list.ts'

/** Sources of funds. */
export const sourcesOfFunds = listCodes({
  Employment: 'Employment income',
  Retirement: 'Retirement savings or pension',
  Gift: 'Gift',
  Inheritance: 'Inheritance',
  BusinessIncome: 'Income from the owner’s business',
  BusinessSale: 'Sale of a business',
  InvestmentProceeds: 'Investment proceeds',
  PropertySale: 'Sale of property',
  RentalIncome: 'Rental income',
  Savings: 'Savings',
  FamilySupport: 'Spouse, parents or other family',
  InsuranceProceeds: 'Insurance proceeds',
  LegalSettlement: 'Legal or divorce settlement',
  SocialSecurity: 'Social security or other benefits',
  TrustDistribution: 'Distribution of a trust or estate',
  LotteryOrGaming: 'Lottery or gaming',
  Loan: 'Loan',
  Other: 'Other',
})
