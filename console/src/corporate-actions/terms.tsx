/** The terms of an option in words: `0.25 per share`, `3 for 2`, `1 NEW per 10`. */
import { renderDecimal } from '../design/money.tsx'
import { type Action, isElective, type Option } from './action.ts'

/** Ratios of shares that are added to those held. The others replace the shares held. */
const addsShares: readonly string[] = ['StockDividend', 'Spinoff']
const repays: readonly string[] = ['Redemption', 'Maturity']

/** `received` is the symbol of the security received. */
function termsInWords(option: Option, received: string): string {
  const { type, ratio, cashPerShare, costShare, taxable, price, cashInLieuPrice } = option
  const amount = (value: string, words: (text: string) => string) =>
    value === '' ? [] : [words(renderDecimal(value))]
  const parts = [
    ...ratioInWords(type, ratio, received),
    ...amount(cashPerShare, (text) => `${text} per share`),
    ...amount(price, (text) => (repays.includes(type) ? `at ${text}` : `a share received valued at ${text}`)),
    ...(taxable === 'Y' ? ['taxable'] : []),
    ...amount(costShare, (text) => `${text} of the cost`),
    ...amount(cashInLieuPrice, (text) => `fractions paid at ${text} a share`),
  ]
  if (parts.length > 0) return parts.join(', ')
  return type === 'Maturity' ? 'at par' : 'nothing changes'
}

function ratioInWords(type: string, ratio: string, received: string): string[] {
  const [given = '', held = ''] = ratio.split(':')
  if (held === '') return received === '' ? [] : [`into ${received}`]
  if (!addsShares.includes(type))
    return [[renderDecimal(given), received, 'for', renderDecimal(held)].filter(Boolean).join(' ')]
  const what = received || (given === '1' ? 'share' : 'shares')
  return [`${renderDecimal(given)} ${what} per ${renderDecimal(held)}`]
}

export function Terms({ of: option }: { readonly of: Option }) {
  return termsInWords(option, option.toSymbol || option.toSecNo)
}

/** The terms of every option, the default marked. */
export function AllTerms({ of: action }: { readonly of: Action }) {
  return action.options.map((option) => (
    <div key={option.option}>
      {isElective(action) && `${option.option}: `}
      <Terms of={option} />
      {isElective(action) && option.option === action.defaultOption && (
        <span className="quiet"> (default)</span>
      )}
    </div>
  ))
}
