/** Form 8949 as rows of cells: the box and columns (a) to (h) of the form, dates and amounts as a filer writes them. */
import { renderDecimal, ZERO } from '../decimal.ts'
import type { SaleRow } from './form-8949.ts'

export const FORM_8949_COLUMNS = [
  'Box',
  'Description of property',
  'Date acquired',
  'Date sold or disposed of',
  'Proceeds',
  'Cost or other basis',
  'Code',
  'Amount of adjustment',
  'Gain or loss',
] as const

/** The cells of a row. If the cost is unknown, cost and gain are empty: the holder must supply them. */
export function renderForm8949Row(row: SaleRow): string[] {
  return [
    row.box,
    describeSale(row),
    row.dateAcquired === 'VARIOUS' ? 'VARIOUS' : renderDay(row.dateAcquired),
    renderDay(row.dateSold),
    renderDecimal(row.proceeds, 2),
    row.noCost ? '' : renderDecimal(row.cost, 2),
    row.code,
    row.code === '' ? '' : renderDecimal(row.washDisallowedAmt, 2),
    row.noCost ? '' : renderDecimal(row.gainLoss, 2),
  ]
}

/** `100 sh. XYZ CO`, as in the example of the form; a short sale is marked. */
export function describeSale({
  quantity,
  security,
  short,
}: Pick<SaleRow, 'quantity' | 'security' | 'short'>): string {
  const { description, symbol, cusip, kind } = security
  const name = description || symbol || cusip
  const unit = kind === 'Equity' || kind === 'Fund' ? 'sh. ' : ''
  const shares = quantity === ZERO ? '' : `${renderDecimal(quantity)} ${unit}`
  return `${shares}${name}${short ? ' (short sale)' : ''}`
}

/** `2025-03-20` as 03/20/2025. */
function renderDay(date: string): string {
  return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
}
