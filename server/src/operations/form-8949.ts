/**
 * form-8949: the rows of tax-report as a CSV file. The file is complete before it is sent, because files are sent
 * outside a transaction.
 */
import { FORM_8949_COLUMNS, renderForm8949Row, TaxYear } from '@clearing/domain/tax'
import { renderCsvCell } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { readTaxYear, recipientOf } from '../books/gains/read-tax-year.ts'
import { chooseView } from '../books/positions/view.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const form8949: Handler<'form-8949'> = async (
  { accountNumber, year, ...asked },
  { firm, tx, now },
) => {
  const view = await chooseView(tx, accountNumber, asked, now)
  if (view === undefined) return accountNotFound(firm)
  if (view instanceof Rejected) return view
  const texts = [renderRow(FORM_8949_COLUMNS)]
  const sums = new TaxYear(recipientOf(view))
  for await (const rows of readTaxYear(tx, accountNumber, view, { year, sums }))
    texts.push(rows.map((row) => renderRow(renderForm8949Row(row))).join(''))
  const content = Buffer.from(texts.join(''))
  const name = `form-8949-${year}-${accountNumber}.csv`
  return new FileAnswer(name, 'text/csv; charset=utf-8', content.length, content)
}

function renderRow(cells: readonly string[]): string {
  return `${cells.map(renderCsvCell).join(',')}\r\n`
}
