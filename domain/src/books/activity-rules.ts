/**
 * The fields that a line of each kind requires, and the values that are refused. All rejections are returned. Books 1.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { ONE, ZERO } from '../decimal.ts'
import type { TransType } from './activity.ts'
import { contradictsKind } from './amount-sign.ts'
import type { ActivityDraft } from './complete-activity.ts'

type DraftField = keyof ActivityDraft & string

/** Required fields by kind. Of fields joined by `|`, one is enough. */
const REQUIRED: Readonly<Record<TransType, readonly string[]>> = {
  Trade: ['security', 'buySell', 'quantity', 'price|netAmount'],
  Reinvest: ['security', 'quantity', 'price|netAmount'],
  Deposit: ['netAmount'],
  DepositReturn: ['netAmount'],
  Withdrawal: ['netAmount'],
  WithdrawalReturn: ['netAmount'],
  Dividend: ['netAmount|cashPerShare'],
  Interest: ['netAmount|cashPerShare'],
  CapitalGain: ['netAmount|cashPerShare'],
  Fee: ['netAmount'],
  FeeRefund: ['netAmount'],
  Tax: ['netAmount'],
  TaxRefund: ['netAmount'],
  Journal: ['security|netAmount'],
  TransferIn: ['security|netAmount'],
  TransferOut: ['security|netAmount'],
  Split: ['security', 'ratio|quantity'],
  StockDividend: ['security', 'ratio|quantity'],
  Merger: ['security', 'ratio|cashPerShare|netAmount'],
  Spinoff: ['security', 'toSecurity', 'ratio|quantity', 'costShare|taxable'],
  ReturnOfCapital: ['security', 'netAmount|cashPerShare'],
  Maturity: ['security'],
  Redemption: ['security'],
  Exercise: ['security', 'quantity', 'toSecurity|netAmount'],
  Assignment: ['security', 'quantity', 'toSecurity|netAmount'],
  Expiration: ['security'],
  FactorChange: ['security', 'ratio'],
  NameChange: ['security', 'toSecurity'],
}

/** The same, with the fields of each choice apart. */
const CHOICES = new Map(
  Object.entries(REQUIRED).map(([transType, fields]) => [
    transType,
    fields.map((choice) => choice.split('|') as DraftField[]),
  ]),
) as ReadonlyMap<TransType, readonly (readonly DraftField[])[]>

/** The fields that this kind of line requires and that the line lacks. */
export function missingFields(draft: ActivityDraft): Rejection[] {
  const rejections: Rejection[] = []
  for (const choice of CHOICES.get(draft.transType) ?? []) {
    if (hasOneOf(draft, choice)) continue
    const [field = ''] = choice
    rejections.push(reject('ERR.1000', field, `${draft.transType} requires ${choice.join(' or ')}.`))
  }
  const movesShares =
    draft.transType === 'TransferIn' || draft.transType === 'TransferOut' || draft.transType === 'Journal'
  if (movesShares && draft.security !== undefined && draft.quantity === undefined) {
    rejections.push(reject('ERR.1000', 'quantity', `${draft.transType} of a security requires quantity.`))
  }
  if (draft.transType === 'Dividend' || draft.transType === 'Interest' || draft.transType === 'CapitalGain') {
    if (draft.netAmount === undefined && draft.cashPerShare !== undefined && draft.quantity === undefined) {
      rejections.push(reject('ERR.1000', 'quantity', 'cashPerShare without netAmount requires quantity.'))
    }
  }
  if (draft.inherited !== undefined && draft.openDate === undefined) {
    rejections.push(reject('ERR.1000', 'openDate', 'inherited requires openDate, the day of the death.'))
  }
  if (draft.taxable !== undefined && draft.price === undefined) {
    rejections.push(reject('ERR.1000', 'price', 'taxable requires price, the value of a share received.'))
  }
  return rejections
}

function hasOneOf(draft: ActivityDraft, fields: readonly DraftField[]): boolean {
  for (const field of fields) if (draft[field] !== undefined) return true
  return false
}

/** Values that are impossible, alone or in combination. */
export function impossibleValues(draft: ActivityDraft): Rejection[] {
  const rejections: Rejection[] = []
  const refuse = (field: string, reason: string) => rejections.push(reject('ERR.1015', field, reason))
  const { transType, security, quantity, ratio } = draft
  for (const field of NEVER_NEGATIVE) {
    if ((draft[field] ?? ZERO) < 0n) refuse(field, `${field} must not be negative.`)
  }
  if ((draft.fxRate ?? ONE) <= 0n) refuse('fxRate', 'fxRate must be above zero.')
  if (security !== undefined && security.currency !== draft.currency && !CASH_ONLY.has(transType)) {
    refuse('currency', `${transType} must be in the currency of the security, ${security.currency}.`)
  }
  if (draft.toSecurity !== undefined && draft.toSecurity.currency !== security?.currency) {
    refuse('toCusip', 'The security received must have the currency of the security given.')
  }
  if (draft.toSecurity !== undefined && draft.toSecurity.key === security?.key) {
    refuse('toCusip', 'The security received must be another one.')
  }
  if (NEEDS_QUANTITY.has(transType) && security !== undefined && quantity === ZERO) {
    refuse('quantity', 'quantity must not be zero.')
  }
  if (transType === 'Trade' && quantity !== undefined && quantity < 0n && isPurchase(draft)) {
    refuse('quantity', 'quantity of a purchase must not be negative.')
  }
  if (transType === 'Reinvest' && quantity !== undefined && quantity < 0n) {
    refuse('quantity', 'quantity of a reinvestment must not be negative.')
  }
  const exchanges = transType === 'Merger' || transType === 'Split'
  if (exchanges && draft.toSecurity !== undefined && ratio === undefined) {
    refuse('ratio', `${transType} into another security requires ratio.`)
  }
  const hasCash = draft.cashPerShare !== undefined || draft.netAmount !== undefined
  if (transType === 'Merger' && draft.toSecurity === undefined && ratio !== undefined && !hasCash) {
    refuse('toSecurity', 'A ratio without cash requires toSecurity.')
  }
  const oldShares = ratio?.held ?? ONE
  const newShares = ratio?.received ?? ONE
  if (oldShares <= 0n || newShares < 0n || (newShares === 0n && transType !== 'FactorChange')) {
    refuse('ratio', 'ratio must be new:old, both above zero.')
  }
  if (transType === 'FactorChange' && (newShares > ONE || oldShares > ONE)) {
    refuse('ratio', 'The ratio of a FactorChange is new factor:old factor, neither above 1.')
  }
  const costShare = draft.costShare ?? ZERO
  if (costShare < 0n || costShare > ONE) refuse('costShare', 'costShare must be from 0 to 1.')
  if (draft.taxable !== undefined) {
    if (transType !== 'Merger' && transType !== 'Spinoff') refuse('taxable', `${transType} has no taxable.`)
    else if (draft.toSecurity === undefined) refuse('taxable', 'taxable requires toSecurity.')
    if (draft.costShare !== undefined) refuse('costShare', 'A taxable line moves no cost.')
  }
  if (
    (transType === 'Exercise' || transType === 'Assignment') &&
    security !== undefined &&
    security.option === undefined
  ) {
    refuse('security', `${transType} must be of an option.`)
  }
  if (
    transType === 'Redemption' &&
    security !== undefined &&
    !hasAmount(draft) &&
    security.priceDivisor === ONE
  ) {
    refuse('price', 'Redemption of a security not priced in percent of par requires price or netAmount.')
  }
  const contradiction = contradictsKind(draft)
  if (contradiction !== undefined) rejections.push(contradiction)
  if (draft.inherited !== undefined) {
    if (transType !== 'TransferIn' && transType !== 'Journal')
      refuse('inherited', `${transType} has no inherited.`)
    else if (draft.security === undefined || (draft.quantity ?? ZERO) <= ZERO)
      refuse('inherited', 'inherited requires shares that the account receives.')
  }
  if (draft.openDate !== undefined && draft.openDate > draft.tradeDate) {
    refuse('openDate', 'openDate must not be after tradeDate.')
  }
  return rejections
}

const NEVER_NEGATIVE = ['price', 'commission', 'secFee', 'interest', 'cashPerShare', 'cashInLieu'] as const

const CASH_ONLY: ReadonlySet<TransType> = new Set([
  'Deposit',
  'DepositReturn',
  'Withdrawal',
  'WithdrawalReturn',
  'Dividend',
  'Interest',
  'Fee',
  'FeeRefund',
  'Tax',
  'TaxRefund',
  'CapitalGain',
])

const NEEDS_QUANTITY: ReadonlySet<TransType> = new Set([
  'Trade',
  'Reinvest',
  'TransferIn',
  'TransferOut',
  'Journal',
  'Exercise',
  'Assignment',
])

function hasAmount(draft: ActivityDraft): boolean {
  return draft.price !== undefined || draft.netAmount !== undefined
}

/** Whether a Trade buys. */
export function isPurchase(draft: ActivityDraft): boolean {
  return draft.buySell === 'BUY' || draft.buySell === 'BCV'
}
