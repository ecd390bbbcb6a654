/** The names of the securities that lines moved: those that a line received are not in its record. */
import type { Tx } from '../../database/transaction.ts'
import { fieldIndexOf } from '../activity-record.ts'
import { Directory } from '../directory.ts'
import type { AnsweredLine } from './moved-amounts.ts'

export interface MovedSecurity {
  readonly secNo: string
  readonly symbol: string
  readonly cusip: string
  /** Signed: positive into the account. */
  readonly quantity: string
}

/** With the whole description; empty for the security of the record, which has it. */
export interface DescribedSecurity extends MovedSecurity {
  readonly description: string
}

const [secNoAt, symbolAt, cusipAt] = (['secNo', 'symbol', 'cusip'] as const).map(fieldIndexOf) as [
  number,
  number,
  number,
]

/** Names securities as they were known at a close, or as they are. */
export class MovedSecurities {
  readonly #directory: Directory

  constructor(knownOn: string | null) {
    this.#directory = new Directory(undefined, knownOn ?? undefined)
  }

  /** What each line moved, in the order of the lines. */
  async name(
    tx: Tx,
    lines: readonly Pick<AnsweredLine<object>, 'values' | 'moved'>[],
  ): Promise<DescribedSecurity[][]> {
    const received = lines.flatMap(({ values, moved }) =>
      moved.filter(({ secNo }) => secNo !== values[secNoAt]).map(({ secNo }) => secNo),
    )
    if (received.length > 0) await this.#directory.learnByNumber(tx, [...new Set(received)])
    return lines.map(({ values, moved }) =>
      moved.map((units) => ({ ...units, ...this.#namesOf(units.secNo, values) })),
    )
  }

  #namesOf(
    secNo: string,
    values: readonly string[],
  ): Pick<DescribedSecurity, 'symbol' | 'cusip' | 'description'> {
    if (secNo === values[secNoAt])
      return { symbol: values[symbolAt] ?? '', cusip: values[cusipAt] ?? '', description: '' }
    const { symbol, cusip, description } = this.#directory.known(secNo).row
    return { symbol: symbol ?? '', cusip: cusip ?? '', description }
  }
}

export function withoutDescription({ secNo, symbol, cusip, quantity }: MovedSecurity): MovedSecurity {
  return { secNo, symbol, cusip, quantity }
}
