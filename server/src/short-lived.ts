/**
 * A cache whose entries live for a limited time, however often they are used, and whose texts have a limited length in
 * all. An entry lives for half of the time at least, unless newer entries displace it.
 */
export interface ShortLivedLimits {
  readonly lifeMs: number
  /** The number of characters of all texts. */
  readonly lengthMax: number
  /** The number of characters of one text. A longer text would displace many others and is not cached. */
  readonly textLengthMax: number
}

export class ShortLived<Value> {
  readonly #limits: ShortLivedLimits
  #young = new Map<string, Value>()
  #youngLength = 0
  #old = new Map<string, Value>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ShortLivedLimits) {
    this.#limits = limits
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  /** `length` is the number of characters of the value's texts. */
  set(key: string, value: Value, length: number): void {
    const { lengthMax, textLengthMax } = this.#limits
    if (length > textLengthMax) return
    if (this.#youngLength + length > lengthMax / 2) this.#age()
    this.#young.set(key, value)
    this.#youngLength += length
    this.#ageLater()
  }

  #ageLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#age()
      if (this.#old.size > 0) this.#ageLater()
    }, this.#limits.lifeMs / 2).unref()
  }

  #age(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#old = this.#young
    this.#young = new Map()
    this.#youngLength = 0
  }
}
