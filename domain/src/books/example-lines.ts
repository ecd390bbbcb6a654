/** Short notation for lines of activity, for tests and examples: numbers as text, defaults for all other fields. */
import { type Decimal, decimal, ONE } from '../decimal.ts'
import type { AcctType, ActivityLine, LotMethod, OptionTerms, Security, TransType } from './activity.ts'
import { type ActivityDraft, completeActivity } from './complete-activity.ts'

export interface ExampleSecurity {
  readonly currency?: string
  readonly moneyPlaces?: number
  readonly multiplier?: string
  readonly priceDivisor?: string
  readonly fund?: boolean
  readonly lotMethod?: LotMethod
  readonly option?: OptionTerms
}

export function exampleSecurity(key: string, settings: ExampleSecurity = {}): Security {
  const { currency = 'USD', moneyPlaces = 2, multiplier = '1', priceDivisor = '1', fund = false } = settings
  return {
    key,
    currency,
    moneyPlaces,
    multiplier: decimal(multiplier),
    priceDivisor: decimal(priceDivisor),
    factor: ONE,
    fund,
    lotMethod: settings.lotMethod,
    option: settings.option,
  }
}

type Amount = string | number
type AmountField =
  | 'quantity'
  | 'price'
  | 'commission'
  | 'secFee'
  | 'interest'
  | 'netAmount'
  | 'cost'
  | 'cashPerShare'
  | 'costShare'
  | 'cashInLieu'
  | 'fxRate'

/**
 * A draft with amounts as text and a ratio as `3:2`. Defaults: account type 1, an id and a sequence of its own. A
 * netAmount that is paid may omit its sign.
 */
export type ExampleLine = { readonly [Field in AmountField]?: Amount | undefined } & {
  readonly ratio?: string
  readonly acctType?: AcctType
  readonly externalId?: string
  readonly sequence?: number
  readonly taxable?: true
  readonly inherited?: true
  readonly date: string
} & Partial<
    Pick<
      ActivityDraft,
      | 'security'
      | 'toSecurity'
      | 'buySell'
      | 'settleDate'
      | 'asOfDate'
      | 'openDate'
      | 'lotId'
      | 'order'
      | 'cancels'
      | 'rebills'
      | 'tagNo'
      | 'currency'
    >
  >

export interface ExampleFeed {
  /** The next line. Throws if it would be rejected. */
  line(transType: TransType, fields: ExampleLine): ActivityLine
  buy(fields: ExampleLine): ActivityLine
  sell(fields: ExampleLine): ActivityLine
  sellShort(fields: ExampleLine): ActivityLine
  cover(fields: ExampleLine): ActivityLine
}

/**
 * A feed whose lines are of one security unless they state another, numbered in the order in which they are written.
 */
export function exampleFeed(security: Security): ExampleFeed {
  let written = 0
  const line = (transType: TransType, { ratio, date, ...fields }: ExampleLine): ActivityLine => {
    written += 1
    const { toSecurity, buySell, settleDate, asOfDate, openDate, lotId, order, cancels, rebills, tagNo } =
      fields
    const of = fields.security ?? security
    const draft: ActivityDraft = {
      externalId: fields.externalId ?? `L${written}`,
      sequence: fields.sequence ?? written,
      acctType: fields.acctType ?? 1,
      transType,
      currency: fields.currency ?? of.currency,
      tradeDate: date,
      toSecurity,
      buySell,
      settleDate,
      asOfDate,
      openDate,
      lotId,
      order,
      cancels,
      rebills,
      tagNo,
      security: of,
      quantity: amount(fields.quantity),
      price: amount(fields.price),
      commission: amount(fields.commission),
      secFee: amount(fields.secFee),
      interest: amount(fields.interest),
      netAmount: paid(transType, fields, of, amount(fields.netAmount)),
      cost: amount(fields.cost),
      cashPerShare: amount(fields.cashPerShare),
      costShare: amount(fields.costShare),
      taxable: fields.taxable,
      inherited: fields.inherited,
      cashInLieu: amount(fields.cashInLieu),
      fxRate: amount(fields.fxRate),
      ratio: ratio === undefined ? undefined : exampleRatio(ratio),
    }
    const completed = completeActivity(draft)
    if ('rejections' in completed) throw new Error(JSON.stringify(completed.rejections))
    return completed.line
  }
  return {
    line,
    buy: (fields) => line('Trade', { buySell: 'BUY', ...fields }),
    sell: (fields) => line('Trade', { buySell: 'SEL', ...fields }),
    sellShort: (fields) => line('Trade', { buySell: 'SSL', ...fields }),
    cover: (fields) => line('Trade', { buySell: 'BCV', ...fields }),
  }
}

/** With the sign of the books if the line pays. */
function paid(
  transType: TransType,
  { buySell, toSecurity }: Pick<ExampleLine, 'buySell' | 'toSecurity'>,
  { option }: Security,
  netAmount: Decimal | undefined,
): Decimal | undefined {
  const exercises = transType === 'Exercise'
  const buysShares = (option?.putCall === 'Call') === exercises
  const pays =
    PAYING.has(transType) ||
    buySell === 'BUY' ||
    buySell === 'BCV' ||
    ((exercises || transType === 'Assignment') && (toSecurity === undefined ? !exercises : buysShares))
  return netAmount !== undefined && pays && netAmount > 0n ? -netAmount : netAmount
}

const PAYING: ReadonlySet<TransType> = new Set([
  'Withdrawal',
  'DepositReturn',
  'Fee',
  'Tax',
  'TransferOut',
  'Reinvest',
])

function exampleRatio(text: string): { received: Decimal; held: Decimal } {
  const [received = '', held = ''] = text.split(':')
  return { received: decimal(received), held: decimal(held) }
}

function amount(value: Amount | undefined): Decimal | undefined {
  return value === undefined ? undefined : decimal(String(value))
}
