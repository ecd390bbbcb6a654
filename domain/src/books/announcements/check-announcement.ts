/** What is wrong with an announcement: missing terms, contradicting terms, and dates that cannot be. Books 10. */
import { type Rejection, reject } from '@clearing/protocol/values'
import { ONE, ZERO } from '../../decimal.ts'
import {
  type ActionOption,
  type ActionTerms,
  type AnnouncedType,
  type Announcement,
  bookingDay,
} from './announcement.ts'

type Term = keyof ActionTerms & string

/** The terms that each type requires, and the others that it can have. Of terms joined by `|`, one is enough. */
const TERMS: Readonly<
  Record<AnnouncedType, { readonly needs: readonly string[]; readonly has?: readonly Term[] }>
> = {
  Dividend: { needs: ['cashPerShare'] },
  CapitalGain: { needs: ['cashPerShare'] },
  Interest: { needs: ['cashPerShare'] },
  ReturnOfCapital: { needs: ['cashPerShare'] },
  StockDividend: { needs: ['ratio'], has: ['cashInLieuPrice'] },
  Split: { needs: ['ratio'], has: ['cashInLieuPrice', 'toSecurity'] },
  Spinoff: { needs: ['toSecurity', 'ratio', 'costShare|taxable'], has: ['price', 'cashInLieuPrice'] },
  Merger: {
    needs: ['ratio|cashPerShare'],
    has: ['toSecurity', 'costShare', 'taxable', 'price', 'cashInLieuPrice'],
  },
  NameChange: { needs: ['toSecurity'], has: ['ratio', 'cashInLieuPrice'] },
  Redemption: { needs: ['price'] },
  Maturity: { needs: [], has: ['price'] },
}

/** Types between which a holder can choose for a part of the shares. */
const CHOICES: ReadonlySet<string> = new Set([
  'Dividend',
  'CapitalGain',
  'StockDividend',
  'Merger',
  'Redemption',
  'None',
])

/** The name of a term in a line of load-corporate-actions. */
function fieldOf(term: string): string {
  return term === 'toSecurity' ? 'toCusip' : term
}

/** All rejections of an announcement whose fields are read and whose securities are known. */
export function checkAnnouncement(announcement: Announcement): Rejection[] {
  const { options, defaultOption, deadline } = announcement
  const rejections = options.flatMap((option) => checkOption(option, announcement))
  rejections.push(...checkDates(announcement))
  if (deadline === undefined) return rejections
  const codes = options.map(({ option }) => option)
  if (new Set(codes).size < codes.length)
    rejections.push(reject('ERR.1014', 'options', 'Two options have the same name.'))
  if (!codes.includes(defaultOption))
    rejections.push(reject('ERR.1015', 'defaultOption', `defaultOption must be one of ${codes.join(', ')}.`))
  for (const { type } of options) {
    if (options.length > 1 && !CHOICES.has(type))
      rejections.push(
        reject(
          'ERR.1015',
          'options',
          `A holder cannot choose ${type}: a choice is between ${[...CHOICES].join(', ')}.`,
        ),
      )
  }
  return rejections
}

function checkOption(option: ActionOption, { security }: Announcement): Rejection[] {
  const { type, ratio, toSecurity, costShare } = option
  const rejections: Rejection[] = []
  const refuse = (field: string, reason: string) => rejections.push(reject('ERR.1015', field, reason))
  const { needs, has = [] } = type === 'None' ? { needs: [] } : TERMS[type]
  for (const need of needs) {
    const terms = need.split('|') as Term[]
    if (terms.some((term) => option[term] !== undefined)) continue
    rejections.push(
      reject('ERR.1000', fieldOf(terms[0] ?? ''), `${type} requires ${terms.map(fieldOf).join(' or ')}.`),
    )
  }
  const known = new Set<string>([...needs.flatMap((need) => need.split('|')), ...has])
  for (const term of ALL_TERMS) {
    if (option[term] !== undefined && !known.has(term))
      refuse(fieldOf(term), `${type} has no ${fieldOf(term)}.`)
  }
  for (const term of ['cashPerShare', 'price', 'cashInLieuPrice'] as const) {
    if ((option[term] ?? ONE) <= ZERO) refuse(term, `${term} must be above zero.`)
  }
  if (ratio !== undefined && (ratio.received <= ZERO || ratio.held <= ZERO))
    refuse('ratio', 'ratio must be new:old, both above zero.')
  if ((costShare ?? ZERO) > ONE) refuse('costShare', 'costShare must be from 0 to 1.')
  if (toSecurity !== undefined && toSecurity === security)
    refuse('toCusip', 'The security received must be another one.')
  if (type === 'Spinoff' && option.price !== undefined && option.taxable === undefined)
    refuse('price', 'Only a taxable Spinoff has price.')
  if (option.taxable !== undefined && known.has('taxable')) rejections.push(...checkTaxable(option))
  if (type === 'Merger') {
    if ((ratio === undefined) !== (toSecurity === undefined))
      refuse('ratio', 'A merger into shares requires both ratio and the security received.')
  }
  return rejections
}

function checkTaxable({ price, costShare, toSecurity }: ActionOption): Rejection[] {
  const rejections: Rejection[] = []
  if (price === undefined)
    rejections.push(reject('ERR.1000', 'price', 'taxable requires price, the value of a share received.'))
  if (costShare !== undefined)
    rejections.push(reject('ERR.1015', 'costShare', 'A taxable action moves no cost.'))
  if (toSecurity === undefined)
    rejections.push(reject('ERR.1015', 'taxable', 'taxable requires the security received.'))
  return rejections
}

const ALL_TERMS: readonly Term[] = [
  'ratio',
  'toSecurity',
  'cashPerShare',
  'costShare',
  'taxable',
  'price',
  'cashInLieuPrice',
]

function checkDates(announcement: Announcement): Rejection[] {
  const { recordDate, payDate, deadline } = announcement
  const rejections: Rejection[] = []
  if (recordDate !== undefined && recordDate > payDate)
    rejections.push(reject('ERR.1024', 'payDate', 'payDate must not be before recordDate.'))
  if (deadline !== undefined && deadline >= bookingDay(announcement))
    rejections.push(
      reject(
        'ERR.1024',
        'deadline',
        'deadline must be before the day on which the lines are booked: exDate and payDate.',
      ),
    )
  return rejections
}
