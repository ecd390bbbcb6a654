/**
 * Keeps callers out while everything is being put back: they are asked to come again, those who are inside may finish, and
 * only then it begins. So nobody is answered half from before and half from after.
 */
export class Doors {
  #inside = 0
  #shut = false
  #left: (() => void) | undefined

  get shut(): boolean {
    return this.#shut
  }

  /** Does the work of a call, or nothing when the doors are shut. */
  async pass<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#shut) return undefined
    this.#inside += 1
    try {
      return await work()
    } finally {
      this.#inside -= 1
      if (this.#inside === 0) this.#left?.()
    }
  }

  /** Does the work with nobody inside; nothing when somebody stays longer than `waitMs`, or the doors are shut already. */
  async shutWhile<T>(waitMs: number, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#shut) return undefined
    this.#shut = true
    try {
      if (!(await this.#empty(waitMs))) return undefined
      return await work()
    } finally {
      this.#shut = false
    }
  }

  /** Lets nobody in until the work is done; those who are inside are not waited for. Nothing when the doors are shut already. */
  async keepShut(work: () => Promise<void>): Promise<void> {
    if (this.#shut) return
    this.#shut = true
    try {
      await work()
    } finally {
      this.#shut = false
    }
  }

  async #empty(waitMs: number): Promise<boolean> {
    if (this.#inside === 0) return true
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      new Promise<void>((left) => {
        this.#left = left
      }),
      new Promise<void>((late) => {
        timer = setTimeout(late, waitMs)
      }),
    ])
    clearTimeout(timer)
    this.#left = undefined
    return this.#inside === 0
  }
}
