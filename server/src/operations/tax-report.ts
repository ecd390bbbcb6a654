/** tax-report: the sales of a year as on Form 1099-B, streamed, followed by the totals of each box. */
import { type SaleRow, TaxYear } from '@clearing/domain/tax'
import { Rejected, Streamed } from '../answers.ts'
import { readTaxYear, recipientOf } from '../books/gains/read-tax-year.ts'
import { renderItems, renderTaxRow } from '../books/gains/render-gains.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import { chooseView } from '../books/positions/view.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const taxReport: Handler<'tax-report'> = async (
  { accountNumber, year, ...asked },
  { firm, tx, now },
) => {
  const view = await chooseView(tx, accountNumber, asked, now)
  if (view === undefined) return accountNotFound(firm)
  if (view instanceof Rejected) return view
  const recipient = recipientOf(view)
  const sums = new TaxYear(recipient)
  const rows = renderPages(readTaxYear(tx, accountNumber, view, { year, sums }))
  return new Streamed('rows', rows, () => ({
    year,
    ...renderAmounts<object>({ boxes: sums.totals(), section1256: sums.section1256 }),
    exemptRecipient: recipient.isWhole,
  }))
}

async function* renderPages(pages: AsyncIterable<SaleRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield renderItems(rows.map(renderTaxRow))
}
