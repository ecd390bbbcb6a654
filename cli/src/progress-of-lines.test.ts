import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProgressOfLines } from './progress-of-lines.ts'
import { makeTestTerminal } from './test-terminal.ts'

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
async function drain(source: AsyncIterable<Uint8Array>) {
  let text = ''
  for await (const piece of source) text += Buffer.from(piece).toString()
  return text
}

test('the progress bar ends full and shows the number of lines sent', async () => {
  const terminal = makeTestTerminal({ showsProgress: true })
  const progress = new ProgressOfLines(terminal, 6)
  assert.equal(await drain(progress.watch(pieces('a\nb', '\nc\n'))), 'a\nb\nc\n')
  assert.match(terminal.progressed.at(-1) ?? '', /^█{30} 100% {2}3 lines {2}[\d,]+\/s$/)
  progress.end()
  assert.equal(terminal.progressed.at(-1), '')
})

test('a new attempt restarts the count, and a body of unknown size has no bar', async () => {
  const terminal = makeTestTerminal({ showsProgress: true })
  const progress = new ProgressOfLines(terminal, 2)
  await drain(progress.watch(pieces('a\n')))
  await drain(progress.watch(pieces('a\n')))
  assert.match(terminal.progressed.at(-1) ?? '', / 100% {2}1 lines /)
  const piped = makeTestTerminal({ showsProgress: true })
  await drain(new ProgressOfLines(piped, undefined).watch(pieces('a\n')))
  assert.doesNotMatch(piped.progressed.join(''), /█|░/)
})
