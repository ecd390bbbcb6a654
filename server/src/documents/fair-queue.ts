// A queue that serves firms in turn: the files or forms of a firm with a hundred wait for each other, and the file of a
// firm with one file is next after the firms that came before.

export class FairQueue<T> {
  /** Firms in the order of their turns. A firm is here while one of its entries waits. */
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

  /** Returns true when an entry of a firm that may be served now is waiting. */
  holds(mayServe: (firm: string) => boolean): boolean {
    return [...this.byFirm.keys()].some(mayServe)
  }

  /** Returns the next entry of the first firm that may be served; the firm moves to the end. */
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
