/** The margin and option levels that an account may have, and the facts that its owner must have stated for them. */
import type { Main } from '../record.ts'
import type { Judged } from './judge-account.ts'

/** Spreads borrow or go short from this level on (FINRA Rule 4210(f)(2)). */
const levelThatBorrows = 3

export function hasMargin({ marginIndicator }: Main): boolean {
  return marginIndicator === 'true'
}

/** The option level that applies to the activity of the account; 0 if it trades no options. */
export function optionLevelOf({ optionTradingIndicator, optionTradingLevel }: Main): number {
  return optionTradingIndicator === 'true' ? Number(optionTradingLevel || '0') : 0
}

export function judgeEntitlements({ record, registration, rule, report }: Judged): void {
  const { optionTradingIndicator, optionTradingLevel } = record.main
  const margin = hasMargin(record.main)
  const options = optionTradingIndicator === 'true'
  const level = Number(optionTradingLevel ?? 0)
  if (margin && !rule.mayBorrow) {
    report(
      'NoBorrowing',
      'main.marginIndicator',
      `An account of the registration ${registration} has no margin.`,
    )
  }
  if (!options && level > 0) {
    const reason = `The option indicator is false and the option level is ${level}.`
    report('OptionContradiction', 'main.optionTradingIndicator', reason)
  }
  if (options && level === 0) {
    report(
      'OptionLevelKnown',
      'main.optionTradingLevel',
      'The account trades options and has no option level.',
    )
  }
  if (level >= levelThatBorrows && !rule.mayBorrow) {
    const reason = `Option level ${level} borrows or goes short; an account of the registration ${registration} does neither.`
    report('OptionLevelBorrows', 'main.optionTradingLevel', reason)
  } else if (level >= levelThatBorrows && !margin) {
    const reason = `Option level ${level} is held in a margin account; the margin agreement is needed.`
    report('OptionLevelNeedsMargin', 'main.marginIndicator', reason)
  }
  if (level >= 1) judgeSuitability(record, report)
  judgeRisk(record, level, report)
}

function judgeSuitability(record: Judged['record'], report: Judged['report']): void {
  const { investmentExperience, ...rest } = record.financialProfile
  if (!investmentExperience?.options) {
    const reason = "An account that trades options must state the owner's experience with options."
    report('OptionSuitability', 'financialProfile.investmentExperience.options', reason)
  }
  if (Object.values(rest).every((value) => !value)) {
    const reason = "An account that trades options must state the owner's financial profile."
    report('OptionSuitability', 'financialProfile', reason)
  }
}

/** Uncovered options have a risk without a limit from this level on. */
const levelUncovered = 4
/** Under 50,000 dollars. */
const lowNetWorths = ['A', 'B']

/** What the firm considers before it approves the level. The service knows neither the customer nor the strategy. */
function judgeRisk({ financialProfile }: Judged['record'], level: number, report: Judged['report']): void {
  const { investmentExperience, netWorth = '', investmentProfile } = financialProfile
  const note = (field: string, reason: string) =>
    report('OptionRiskBorne', `financialProfile.${field}`, reason)
  if (level >= levelThatBorrows && investmentExperience?.options === 'None')
    note(
      'investmentExperience.options',
      `The owner has no experience with options, and option level ${level}.`,
    )
  if (level < levelUncovered) return
  if (lowNetWorths.includes(netWorth))
    note(
      'netWorth',
      `The net worth is under 50,000 dollars, and option level ${level} has uncovered options.`,
    )
  if (investmentProfile === 'Conservative')
    note(
      'investmentProfile',
      `The objective is conservative, and option level ${level} has uncovered options.`,
    )
}
