/**
 * The rendered answers of accounts that were read a moment ago, so that an account that is read again is neither opened nor
 * rendered again. An answer is used only after the database has said, in the transaction that records the reading, that the
 * account's row is as it was (decision 144). Answers hold personal numbers, so they are forgotten after ten seconds at most.
 */
import type { RowState } from '../store/accounts.ts'

export interface RenderedAccount {
  readonly state: RowState
  /** The JSON text of `data`. */
  readonly text: string
}

const halfMs = 5_000
const halfSizeMax = 500
/** An account of many persons would take the room of many others. */
const textLengthMax = 16_384

export class RenderedAccounts {
  #young = new Map<string, RenderedAccount>()
  #old = new Map<string, RenderedAccount>()
  #timer: NodeJS.Timeout | undefined

  get(place: string): RenderedAccount | undefined {
    return this.#young.get(place) ?? this.#old.get(place)
  }

  set(place: string, rendered: RenderedAccount): void {
    if (rendered.text.length > textLengthMax) return
    if (this.#young.size >= halfSizeMax) this.#age()
    this.#young.set(place, rendered)
    this.#ageLater()
  }

  #ageLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#age()
      if (this.#old.size > 0) this.#ageLater()
    }, halfMs).unref()
  }

  #age(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#old = this.#young
    this.#young = new Map()
  }
}
