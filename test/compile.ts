/**
 * Runs the TypeScript compiler for the tests and the packages. It runs in one thread, because several threads check
 * many types twice.
 */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

const compiler = resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc')
/** The compiler is written in Go. It collects no garbage below the limit, because it ends soon. */
const environment = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
const outputBytesMax = 16 * 2 ** 20

export interface Compiled {
  readonly exitCode: number
  /** What the compiler reports. */
  readonly output: string
}

/** Runs the compiler in a folder. */
export function compile(words: readonly string[], cwd?: string): Promise<Compiled> {
  const env = { ...process.env, ...environment }
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [compiler, '--singleThreaded', ...words],
      { cwd, env, encoding: 'utf8', maxBuffer: outputBytesMax },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : error.code
        if (typeof exitCode === 'number') done({ exitCode, output: stdout + stderr })
        else fail(error)
      },
    )
  })
}
