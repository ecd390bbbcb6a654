import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TransType } from '../books/activity.ts'
import { type ExampleSecurity, exampleFeed, exampleSecurity } from '../books/example-lines.ts'
import { decimal } from '../decimal.ts'
import type { TaxedSecurity } from './covered.ts'
import type { CaseLine, CaseSecurity, TaxYearCase } from './tax-year-cases.ts'
import { formOf, stock } from './test-form.ts'

const strike = decimal('10')
const facts: Record<
  CaseSecurity,
  { readonly books?: ExampleSecurity; readonly tax?: Partial<TaxedSecurity> }
> = {
  XYZ: {},
  NEW: {},
  CALL: { books: { multiplier: '100', option: { putCall: 'Call', strike } }, tax: { kind: 'Option' } },
  PUT: { books: { multiplier: '100', option: { putCall: 'Put', strike } }, tax: { kind: 'Option' } },
  FUND: { books: { fund: true }, tax: { kind: 'Fund' } },
  LIFO: { books: { lotMethod: 'LIFO' } },
  HIFO: { books: { lotMethod: 'HIFO' } },
  BOND: {
    books: { priceDivisor: '100' },
    tax: { kind: 'Bond', couponRate: '5', maturityDate: '2024-12-16', issueDate: '2014-12-16' },
  },
  BILL: {
    books: { priceDivisor: '100' },
    tax: { kind: 'Treasury', secTypeName: 'U.S. Treasury Bill', maturityDate: '2024-12-26' },
  },
}
const keys = Object.keys(facts) as CaseSecurity[]
const securities = keys.map((secNo) => ({ ...stock, description: 'LTD', ...facts[secNo].tax, secNo }))

function securityOf(name: CaseSecurity) {
  return exampleSecurity(name, facts[name].books)
}

function linesOf(lines: readonly CaseLine[]) {
  const feed = exampleFeed(securityOf('XYZ'))
  return lines.map(
    ({ trade, transType = 'Trade' as TransType, of = 'XYZ', to, id, cancels, rebills, ...fields }) => {
      const [buySell, quantity, , price] = trade?.split(' ') ?? []
      return feed.line(transType, {
        ...fields,
        ...(trade && { buySell: buySell as 'BUY', quantity, price, secFee: 0 }),
        ...(id && { externalId: id }),
        ...(cancels && { cancels: true, tagNo: cancels }),
        ...(rebills && { rebills: true, tagNo: rebills }),
        security: securityOf(of),
        toSecurity: to && securityOf(to),
      })
    },
  )
}

const cases: readonly TaxYearCase[] = JSON.parse(
  readFileSync(new URL('tax-years.json', import.meta.url), 'utf8'),
)
for (const { name, law, lines, rows } of cases) {
  test(`${name} (${law})`, () => {
    const found = formOf(linesOf(lines), securities).rows
    deepEqual(
      found.map((row) => row.replace(/ ?LTD/, '')),
      rows,
    )
  })
}
