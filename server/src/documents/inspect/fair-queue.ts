// A queue that serves firms in turn: a firm with a hundred files waits behind its own, and one with a single file is next
// but for those who came before it.

export class FairQueue<T> {
  /** In the order of their turns. A firm is here while something of it waits. */
  private readonly byFirm = new Map<string, T[]>()
  size = 0

  sizeOf(firm: string): number {
    return this.byFirm.get(firm)?.length ?? 0
  }

  add(firm: string, item: T): void {
    const own = this.byFirm.get(firm)
    if (own) own.push(item)
    else this.byFirm.set(firm, [item])
    this.size++
  }

  /** Whether anything waits of a firm that may be served now. */
  holds(mayServe: (firm: string) => boolean): boolean {
    return [...this.byFirm.keys()].some(mayServe)
  }

  /** The next of the firm whose turn it is among those that may be served; the firm goes to the end. */
  take(mayServe: (firm: string) => boolean): T | undefined {
    for (const [firm, own] of this.byFirm) {
      if (!mayServe(firm)) continue
      const item = own.shift()
      this.byFirm.delete(firm)
      if (own.length > 0) this.byFirm.set(firm, own)
      this.size--
      return item
    }
    return undefined
  }

  takeAll(): T[] {
    const all = [...this.byFirm.values()].flat()
    this.byFirm.clear()
    this.size = 0
    return all
  }
}
