/** Follows the rows of one firm's audit chain and names the first that does not fit, by its own hash, by the row before it, or by a signed head. */

import type { SignedHead } from '../shapes/signed-head.ts'
import type { HashedRow } from './audit-row.ts'

export interface ChainBreak {
  readonly sequence: number
  readonly reason: string
}

/** A place in a chain: how many rows, and the hash of the last. */
export interface ChainPlace {
  readonly sequence: number
  readonly hash: string
}

const start: ChainPlace = { sequence: 0, hash: '' }

export class ChainCheck {
  /** Those still ahead, the nearest last. */
  readonly #ahead: SignedHead[]
  #place: ChainPlace
  #signed: ChainPlace
  #firstBreak: ChainBreak | null = null

  /** `heads` bind the chain; `after` is a place that the rows come after. */
  constructor(heads: readonly SignedHead[] = [], after: ChainPlace = start) {
    this.#ahead = heads
      .filter(({ sequence }) => sequence > after.sequence)
      .sort((one, other) => other.sequence - one.sequence)
    this.#place = after
    this.#signed = after
  }

  /** The rows come in their order. */
  add(row: HashedRow): void {
    this.#firstBreak ??= this.#breakOf(row)
    this.#place = { sequence: this.#place.sequence + 1, hash: row.hash }
  }

  /** How far the rows came, the last one's hash, and the first break. */
  finish(): ChainPlace & { readonly firstBreak: ChainBreak | null } {
    const { sequence } = this.#place
    const missed = this.#ahead.at(-1)
    if (missed !== undefined) {
      const reason = `The chain ends at row ${sequence}; ${nameHead(missed)} stands at row ${missed.sequence}.`
      this.#firstBreak ??= { sequence: sequence + 1, reason }
    }
    return { ...this.#place, firstBreak: this.#firstBreak }
  }

  #breakOf(row: HashedRow): ChainBreak | null {
    const { sequence } = row
    const expected = this.#place.sequence + 1
    if (sequence < expected) return { sequence, reason: 'The row is there twice.' }
    if (sequence > expected) return { sequence: expected, reason: 'The row is missing.' }
    if (row.previousHash !== this.#place.hash)
      return { sequence, reason: 'It does not continue the row before it.' }
    if (!row.isGenuine) return { sequence, reason: 'Its content is not what was written.' }
    return this.#breakOfHeads(row)
  }

  #breakOfHeads({ sequence, hash }: HashedRow): ChainBreak | null {
    for (let head = this.#ahead.at(-1); head?.sequence === sequence; head = this.#ahead.at(-1)) {
      if (head.hash !== hash) {
        const since = this.#signed.sequence + 1
        const reason = `It is not the row of ${nameHead(head)}: rows from ${since} on were written anew.`
        return { sequence, reason }
      }
      this.#ahead.pop()
      this.#signed = { sequence, hash }
    }
    return null
  }
}

export const nameHead = ({ number, at }: SignedHead): string => `signed head ${number} of ${at}`
