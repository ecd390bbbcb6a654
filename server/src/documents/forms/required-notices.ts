/** Texts that rules require in an agreement when the account is opened, and once a year afterwards. */

/**
 * FINRA Rule 2264: the risks of a margin account, on pages of their own of the margin agreement, and once a year in
 * short.
 */
export const marginRisks = {
  collateral:
    'When you borrow to buy securities, the securities in your account are the collateral for the loan. If they decline in value, so does the collateral. ' +
    'The clearing firm can then issue a margin call, sell securities or other assets in any of your accounts with it, or both.',
  yearly:
    'Securities that you bought on margin are the collateral of the firm for its loan to you. If they decline in value, so does the collateral, and the firm can ' +
    'act to maintain the required equity: it can issue a margin call, or sell securities or other assets in any of your accounts with it. It is important that you ' +
    'fully understand these risks: You can lose more funds than you deposit in the margin account. The firm can force the sale of securities or other assets in your ' +
    'accounts. The firm can sell them without contacting you. You are not entitled to choose which of them are sold to meet a margin call. The firm can increase its ' +
    'requirements at any time, and is not required to give you advance written notice. You are not entitled to an extension of time on a margin call.',
  points: {
    'You can lose more funds than you deposit':
      'A decline in the value of securities that you bought on margin may require you to provide additional funds, to avoid the forced sale of these or other ' +
      'securities or assets in your account.',
    'The firm can force the sale of securities in your accounts':
      'If the equity in your account falls below the maintenance requirements, or below the higher requirements of the firm, the firm can sell the securities or ' +
      'other assets in any of your accounts that it holds, to cover the deficiency. You are responsible for any shortfall after such a sale.',
    'The firm can sell without contacting you':
      'A margin call is valid even if it has not reached you. Even if the firm has contacted you and named a date by which you can meet a call, it can take ' +
      'the steps that protect its financial interests before, including an immediate sale without notice.',
    'You are not entitled to choose what is sold':
      'The securities are the collateral of the firm, so the firm decides which of them it sells.',
    'The firm can increase its requirements at any time':
      'It is not required to give you advance written notice. An increase often takes effect immediately and may cause a margin call. If you do not meet the ' +
      'call, the firm may sell securities in your accounts.',
    'You are not entitled to more time on a margin call':
      'An extension of time may be available under certain conditions. You have no right to it.',
  },
} as const

/** FINRA Rule 2266. */
export const protectionBySipc =
  'You can obtain information about the Securities Investor Protection Corporation (SIPC), including its brochure, at www.sipc.org or by telephone at 202-371-8300.'
