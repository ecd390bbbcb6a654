import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import test from 'node:test'
import { openTerminal } from './terminal.ts'

/** What the command prints on standard error, and its exit code, after a write to standard output failed. */
function failWriting(error: Error & { code: string }) {
  const noted: string[] = []
  const exitCodes: number[] = []
  const stdout = new EventEmitter()
  const process: NodeJS.Process = Object.assign(Object.create(null), {
    stdout,
    stderr: { write: (text: string) => noted.push(text) },
    env: {},
    exit: (code: number) => exitCodes.push(code),
  })
  openTerminal(process, new AbortController().signal)
  stdout.emit('error', error)
  return { noted: noted.join(''), exitCodes }
}

test('a reader that closes the pipe ends the command without a message', () => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  assert.deepEqual(failWriting(closed), { noted: '', exitCodes: [0] })
})

test('output that cannot be written, as on a full disk, is reported', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const noted = 'The output is incomplete: ENOSPC: no space left on device, write\n'
  assert.deepEqual(failWriting(full), { noted, exitCodes: [1] })
})
