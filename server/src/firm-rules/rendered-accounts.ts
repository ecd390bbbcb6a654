/**
 * A cache of rendered accounts, so that an account that is read again is neither opened nor rendered again. A
 * cached response is used only if the account's row is unchanged in the transaction that records the access
 * (decision 144). The responses contain personal numbers, so they are removed after ten seconds at most.
 */
import type { RowState } from '../store/accounts.ts'

export interface RenderedAccount {
  readonly state: RowState
  /** The JSON text of `data`. */
  readonly text: string
}

const halfMs = 5_000
const halfSizeMax = 500
/** The size limit of a cached response. A larger account would displace many others. */
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
