/**
 * A cache whose entries live for a limited time, however often they are used, and whose texts have a limited length in
 * all. An entry lives for half of the time at least. While the texts are at their limit, new ones are not cached: if
 * they displaced others, callers that read more than fits in turn would find nothing.
 */
export interface ShortLivedLimits {
  readonly lifeMs: number
  /** The number of characters of all texts. */
  readonly lengthMax: number
  /** The number of characters of one text. A longer text would take the room of many others and is not cached. */
  readonly textLengthMax: number
}

interface Entry<Value> {
  readonly value: Value
  readonly length: number
}

export class ShortLived<Value> {
  readonly #limits: ShortLivedLimits
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #length = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ShortLivedLimits) {
    this.#limits = limits
  }

  get(key: string): Value | undefined {
    return (this.#young.get(key) ?? this.#old.get(key))?.value
  }

  /** Replaces the value of the key. `length` is the number of characters of the value's texts. */
  set(key: string, value: Value, length: number): void {
    const { lengthMax, textLengthMax } = this.#limits
    for (const half of [this.#young, this.#old]) {
      this.#length -= half.get(key)?.length ?? 0
      half.delete(key)
    }
    if (length > textLengthMax || this.#length + length > lengthMax) return
    this.#young.set(key, { value, length })
    this.#length += length
    this.#ageLater()
  }

  #ageLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const { length } of this.#old.values()) this.#length -= length
      this.#old = this.#young
      this.#young = new Map()
      if (this.#old.size > 0) this.#ageLater()
    }, this.#limits.lifeMs / 2).unref()
  }
}
