/**
 * The form of tax-years.json: tax years that combine several rules, derived on paper from the law that each names. The
 * lines are those of load-activity, the rows those of Form 8949. Tests of the rules and of requests compare both.
 */

/** The securities of the cases. Options are on 100 XYZ at a strike of 10. */
export type CaseSecurity = 'XYZ' | 'NEW' | 'CALL' | 'PUT' | 'FUND' | 'LIFO' | 'HIFO' | 'BOND' | 'BILL'

export interface CaseLine {
  readonly date: string
  readonly transType?:
    | 'TransferIn'
    | 'Split'
    | 'Spinoff'
    | 'ReturnOfCapital'
    | 'Exercise'
    | 'Assignment'
    | 'Maturity'
  /** BUY, SEL, SSL or BCV, quantity and price of a trade: `BUY 100 @ 10`. */
  readonly trade?: string
  readonly of?: CaseSecurity
  readonly to?: CaseSecurity
  readonly id?: string
  readonly lotId?: string
  /** The id of the line that this line cancels, or that it corrects. */
  readonly cancels?: string
  readonly rebills?: string
  readonly settleDate?: string
  readonly openDate?: string
  readonly quantity?: string
  readonly cost?: string
  readonly interest?: string
  readonly ratio?: string
  readonly costShare?: string
  readonly cashInLieu?: string
  readonly cashPerShare?: string
}

export interface TaxYearCase {
  readonly name: string
  readonly law: string
  readonly lines: readonly CaseLine[]
  /** Box, (a) without the name, (b) to (h). */
  readonly rows: readonly string[]
}
