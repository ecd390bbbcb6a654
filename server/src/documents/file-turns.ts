/**
 * Gives turns to the operations on a folder that may stop responding, such as a folder of another machine. Node.js
 * runs the operations on files and the look-ups of host names in four threads. An operation that hangs holds its thread
 * until the folder responds, so without turns a folder could hold every thread, and no connection could be opened.
 */

export const fileTurnLimits = {
  /** How long a caller waits for its turn and its operation. */
  answerMs: 10_000,
}

/** The folder did not respond in time. */
export class FolderSilent extends Error {
  override readonly name = 'FolderSilent'
}

export class FileTurns {
  readonly #atOnceMax: number
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0
  /** Operations whose callers no longer wait for them. */
  #overdue = 0

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  /** Throws FolderSilent at once while every turn is held by an operation that hangs. `discard` gets a late result. */
  run<T>(act: () => Promise<T>, discard: (late: T) => void = () => {}): Promise<T> {
    if (this.#overdue >= this.#atOnceMax)
      return Promise.reject(new FolderSilent('the folder does not respond'))
    const { answerMs } = fileTurnLimits
    return new Promise((resolve, reject) => {
      let begun = false
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        if (begun) this.#overdue += 1
        reject(new FolderSilent(`the folder did not respond within ${answerMs} ms`))
      }, answerMs)
      this.#take(async () => {
        if (isLate) return
        begun = true
        try {
          const result = await act()
          if (isLate) discard(result)
          else resolve(result)
        } catch (fault) {
          reject(fault)
        } finally {
          clearTimeout(timer)
          if (isLate) this.#overdue -= 1
        }
      })
    })
  }

  /** Runs `act` when there is a turn, however long that takes, and ignores its faults. */
  runLater(act: () => Promise<unknown>): void {
    this.#take(() => act().then(ignore, ignore))
  }

  #take(turn: () => Promise<void>): void {
    if (this.#running < this.#atOnceMax) void this.#begin(turn)
    else this.#waiting.push(turn)
  }

  async #begin(first: () => Promise<void>): Promise<void> {
    this.#running += 1
    for (let turn: (() => Promise<void>) | undefined = first; turn; turn = this.#waiting.shift()) await turn()
    this.#running -= 1
  }
}

function ignore(): void {}

/** The turns of the folder of documents, which all its stores share. */
export const documentTurns = new FileTurns(2)
/** The turns of checks of the data folder. */
export const dataTurns = new FileTurns(1)
