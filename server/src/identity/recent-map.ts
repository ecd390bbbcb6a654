/**
 * A map that removes entries that were not used recently when it is full. It has two halves. A hit in the old
 * half moves to the young half. When the young half is full, it becomes the old one. Constant time, at most
 * `sizeMax` entries.
 */
export class RecentMap<Key, Value> {
  readonly #halfMax: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(sizeMax: number) {
    this.#halfMax = Math.max(1, Math.floor(sizeMax / 2))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key)
    this.#young.set(key, value)
    if (this.#young.size < this.#halfMax) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
