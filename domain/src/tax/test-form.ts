/** The rows of Form 8949 that lines give, for the tests of the forms. */
import { type ActivityLine, foldAccount, joinWashes, type LotMethod } from '../books/index.ts'
import { ONE, ZERO } from '../decimal.ts'
import type { TaxedSecurity } from './covered.ts'
import { exemptRecipientOf } from './exempt-recipients.ts'
import { TaxYear } from './form-8949.ts'
import { renderForm8949Row } from './form-8949-csv.ts'
import { realizedGain } from './realized-gain.ts'

export const stock: TaxedSecurity = {
  secNo: 'XYZ',
  kind: 'Equity',
  symbol: 'XYZ',
  cusip: '',
  description: 'XYZ CO',
  secTypeName: '',
  currency: 'USD',
  moneyMarket: false,
  currentFactor: ONE,
  couponRate: null,
  issueDate: null,
  maturityDate: null,
}

/** The rows as text, and the year. A closing is of the security with its key, or else of the first. */
export function formOf(
  lines: readonly ActivityLine[],
  securities: readonly TaxedSecurity[] = [stock],
  {
    lotMethod = 'FIFO',
    registrationType = 'Individual',
  }: { lotMethod?: LotMethod; registrationType?: string } = {},
) {
  const { closings, washes } = foldAccount(lines, { lotMethod })
  const year = new TaxYear(exemptRecipientOf(registrationType))
  const gains = joinWashes(closings, washes).map((closing) =>
    realizedGain(closing, 'USD', { open: ZERO, close: ZERO }),
  )
  const delivering = new Set(lines.filter((line) => line.toSecurity).map(({ externalId }) => externalId))
  const added = gains.flatMap((gain) => {
    const security = securities.find(({ secNo }) => secNo === gain.closing.securityKey) ?? securities[0]
    return year.add(gain, security as TaxedSecurity, delivering.has(gain.closing.lineId))
  })
  const rows = [...added, ...year.end()]
  return { rows: rows.map((row) => renderForm8949Row(row).join(';')), year }
}
