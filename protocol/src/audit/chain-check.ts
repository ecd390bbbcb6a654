/**
 * Checks the rows of one firm's audit chain and names the first row that contradicts its own hash, the previous row or
 * a signed head.
 */

import type { SignedHead } from '../shapes/signed-head.ts'
import type { HashedRow } from './audit-row.ts'

export interface ChainBreak {
  readonly sequence: number
  readonly reason: string
}

/** A position in a chain: the number of rows and the hash of the last row. */
export interface ChainPosition {
  readonly sequence: number
  readonly hash: string
}

const start: ChainPosition = { sequence: 0, hash: '' }

export class ChainCheck {
  /** The heads that are not reached yet, the nearest last. */
  readonly #ahead: SignedHead[]
  #position: ChainPosition
  #signed: ChainPosition
  #firstBreak: ChainBreak | null = null

  /** `heads` are the signed heads of the chain; `after` is the position after which the rows begin. */
  constructor(heads: readonly SignedHead[] = [], after: ChainPosition = start) {
    this.#ahead = heads
      .filter(({ sequence }) => sequence > after.sequence)
      .sort((one, other) => other.sequence - one.sequence)
    this.#position = after
    this.#signed = after
  }

  /** Adds the next row. Rows must be added in the order of their sequence. */
  add(row: HashedRow): void {
    this.#firstBreak ??= this.#breakOf(row)
    this.#position = { sequence: this.#position.sequence + 1, hash: row.hash }
  }

  /** The position of the last row and the first break. */
  finish(): ChainPosition & { readonly firstBreak: ChainBreak | null } {
    const { sequence } = this.#position
    const missed = this.#ahead.at(-1)
    if (missed !== undefined) {
      const reason = `The chain ends at row ${sequence}; ${nameHead(missed)} stands at row ${missed.sequence}.`
      this.#firstBreak ??= { sequence: sequence + 1, reason }
    }
    return { ...this.#position, firstBreak: this.#firstBreak }
  }

  #breakOf(row: HashedRow): ChainBreak | null {
    const { sequence } = row
    const expected = this.#position.sequence + 1
    if (sequence < expected) return { sequence, reason: 'The row occurs twice.' }
    if (sequence > expected) return { sequence: expected, reason: 'The row is missing.' }
    if (row.previousHash !== this.#position.hash)
      return { sequence, reason: 'The row does not continue the previous row.' }
    if (!row.isGenuine) return { sequence, reason: 'The content of the row was changed.' }
    return this.#breakOfHeads(row)
  }

  #breakOfHeads({ sequence, hash }: HashedRow): ChainBreak | null {
    for (let head = this.#ahead.at(-1); head?.sequence === sequence; head = this.#ahead.at(-1)) {
      if (head.hash !== hash) {
        const since = this.#signed.sequence + 1
        const reason = `The row is not the row of ${nameHead(head)}: rows from ${since} on were rewritten.`
        return { sequence, reason }
      }
      this.#ahead.pop()
      this.#signed = { sequence, hash }
    }
    return null
  }
}

export function nameHead({ number, at }: SignedHead): string {
  return `signed head ${number} of ${at}`
}
