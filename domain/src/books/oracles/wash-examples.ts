/** The published examples of wash sales: rows of lots, and the parts that result. */

export interface WashRow {
  readonly lot?: string
  /** Rows of one purchase order. */
  readonly order?: string
  readonly quantity: string
  readonly bought: string
  readonly cost: string
  readonly sold?: string
  readonly proceeds?: string
}
export interface WashPart {
  readonly lot?: string
  readonly quantity: string
  readonly holdingStart: string
  readonly cost: string
  readonly sold?: string
  readonly disallowed?: string
  readonly proceeds?: string
}
export interface WashExample {
  readonly id: string
  readonly about: string
  readonly source: string
  readonly strength: 'A' | 'B'
  readonly lots: readonly WashRow[]
  readonly expected: {
    readonly disallowed?: string
    readonly allowedLoss?: string
    readonly disallowedInTurn?: readonly string[]
    readonly openLots?: readonly { lot: string; cost: string; quantity?: string; holdingStart?: string }[]
    readonly parts?: readonly WashPart[]
  }
}

/** Parts without a lot name are in the order of their rows. */
export function lotOfPart(rows: readonly WashRow[], parts: readonly WashPart[], index: number): string {
  let before = parts.slice(0, index).reduce((sum, part) => sum + Number(part.quantity), 0)
  const row = rows.findIndex(({ quantity }) => {
    if (before < Number(quantity)) return true
    before -= Number(quantity)
    return false
  })
  return rows[row]?.lot ?? String(row)
}
