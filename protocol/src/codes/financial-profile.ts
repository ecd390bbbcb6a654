// The coded fields of a financial profile. Observed in the specification: liquidityNeed None, liquidityTime Medium,
// taxBracket TenToFifteen, investmentTimeHorizon OneToThreeYears, investmentProfile Moderate, all of
// investmentExperience, and single letters for the amounts. Reading 3.7.

import { listCodes } from './code-list.ts'

/** Bands of an amount in USD, for annualIncome, netWorth and liquidNetWorth. Reading 3.7. */
export const amountBands = listCodes({
  A: 'Under 25,000',
  B: '25,000 to 50,000',
  C: '50,000 to 100,000',
  D: '100,000 to 200,000',
  E: '200,000 to 300,000',
  F: '300,000 to 500,000',
  G: '500,000 to 1,000,000',
  H: '1,000,000 to 5,000,000',
  I: 'Over 5,000,000',
})

/** Liquidity needs: how much of the money must stay available. */
export const liquidityNeeds = listCodes({ None: 'None', Low: 'Low', Medium: 'Medium', High: 'High' })

/** Liquidity times: how soon the money may be needed. */
export const liquidityTimes = listCodes({
  Immediate: 'At once',
  Short: 'Within two years',
  Medium: 'Within two to five years',
  Long: 'After five years or more',
})

/** Federal tax brackets: from the lower percentage up to and including the higher. */
export const taxBrackets = listCodes({
  Zero: '0 %',
  ZeroToTen: 'Over 0 to 10 %',
  TenToFifteen: 'Over 10 to 15 %',
  FifteenToTwenty: 'Over 15 to 20 %',
  TwentyToTwentyFive: 'Over 20 to 25 %',
  TwentyFiveToThirty: 'Over 25 to 30 %',
  ThirtyToThirtyFive: 'Over 30 to 35 %',
  ThirtyFiveToForty: 'Over 35 to 40 %',
  OverForty: 'Over 40 %',
})

/** Investment time horizons: the time until the invested money is to be spent. */
export const investmentTimeHorizons = listCodes({
  LessThanOneYear: 'Less than one year',
  OneToThreeYears: 'One to three years',
  ThreeToFiveYears: 'Three to five years',
  FiveToTenYears: 'Five to ten years',
  TenToTwentyYears: 'Ten to twenty years',
  OverTwentyYears: 'Over twenty years',
})

/** Investment profiles, in order of increasing risk. */
export const investmentProfiles = listCodes({
  Conservative: 'Conservative',
  ModeratelyConservative: 'Moderately conservative',
  Moderate: 'Moderate',
  ModeratelyAggressive: 'Moderately aggressive',
  Aggressive: 'Aggressive',
  Speculative: 'Speculative',
})

/**
 * Levels of experience with a kind of investment (stocks, bonds, options, mutual funds, annuities), in increasing
 * order.
 */
export const investmentExperiences = listCodes({
  None: 'None',
  Limited: 'Limited',
  Average: 'Average',
  Extensive: 'Extensive',
})
