/** realized-gains: every closing of an account in a range of days, streamed, followed by totals by term and year. */
import { checkCusip } from '@clearing/domain/market'
import { GainTotals } from '@clearing/domain/tax'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected, Streamed } from '../answers.ts'
import { type KnownGain, readGains } from '../books/gains/read-gains.ts'
import { renderClosing, renderItems } from '../books/gains/render-gains.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import { checkRange } from '../books/positions/stream-activity.ts'
import { chooseView } from '../books/positions/view.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const realizedGains: Handler<'realized-gains'> = async (request, { firm, tx, now }) => {
  const { accountNumber, asOf, knownAt } = request
  // An empty filter counts as absent (Reading 1.2).
  const cusip = request.cusip?.toUpperCase() || undefined
  const rejections = [...checkRange(request), ...checkAskedCusip(cusip)]
  if (rejections.length > 0) return new Rejected(rejections)
  const view = await chooseView(tx, accountNumber, { asOf, knownAt }, now)
  if (view === undefined) return accountNotFound(firm)
  if (view instanceof Rejected) return view
  const totals = new GainTotals()
  const closings = renderPages(readGains(tx, accountNumber, view, request), totals, cusip)
  return new Streamed('closings', closings, () => ({ totals: renderAmounts(totals.totals()) }))
}

function checkAskedCusip(cusip: string | undefined): Rejection[] {
  const check = cusip === undefined ? undefined : checkCusip(cusip)
  return check === undefined || check.valid ? [] : [reject('ERR.1015', 'cusip', check.reason)]
}

async function* renderPages(
  pages: AsyncIterable<KnownGain[]>,
  totals: GainTotals,
  cusip: string | undefined,
): AsyncGenerator<string> {
  for await (const page of pages) {
    const asked = cusip === undefined ? page : page.filter(({ security }) => security.cusip === cusip)
    for (const { gain, security } of asked) totals.add(gain, security)
    yield renderItems(asked.map(renderClosing))
  }
}
