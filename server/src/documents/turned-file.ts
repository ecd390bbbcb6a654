/**
 * An open file whose operations take turns. It is closed after its last operation has ended, even if that one hangs.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileTurns } from './file-turns.ts'

const pieceBytes = 64 * 1024

class TurnedFile {
  readonly #turns: FileTurns
  readonly #file: FileHandle
  #busy: Promise<unknown> = Promise.resolve()

  constructor(turns: FileTurns, file: FileHandle) {
    this.#turns = turns
    this.#file = file
  }

  write(piece: Uint8Array): Promise<void> {
    return this.#run(() => this.#file.writeFile(piece))
  }

  async measure(): Promise<number> {
    const { size } = await this.#run(() => this.#file.stat())
    return size
  }

  sync(): Promise<void> {
    return this.#run(() => this.#file.sync())
  }

  /** Returns the next bytes; undefined at the end. */
  async read(): Promise<Buffer | undefined> {
    const { buffer, bytesRead } = await this.#run(() =>
      this.#file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, null),
    )
    return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
  }

  close(): void {
    const close = () => this.#turns.runLater(() => this.#file.close())
    this.#busy.then(close, close)
  }

  /** The rest of the file. The file is closed with the stream. */
  stream(): Readable {
    const file = this
    return new Readable({
      highWaterMark: pieceBytes,
      read() {
        file.read().then(
          (piece) => this.push(piece ?? null),
          (fault) => this.destroy(fault),
        )
      },
      destroy(fault, done) {
        file.close()
        done(fault)
      },
    })
  }

  #run<T>(act: () => Promise<T>): Promise<T> {
    return this.#turns.run(() => {
      const result = act()
      this.#busy = result
      return result
    })
  }
}

export async function openTurned(
  turns: FileTurns,
  path: string,
  flags: 'r' | 'wx',
  mode?: number,
): Promise<TurnedFile> {
  const file = await turns.run(
    () => open(path, flags, mode),
    (late) => turns.runLater(() => late.close()),
  )
  return new TurnedFile(turns, file)
}
