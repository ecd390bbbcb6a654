import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeRejects } from './write-rejects.ts'

async function* rejectsOf(...lines: number[]) {
  const reject = { code: 'ERR.1015', field: 'price', reason: 'No.', sent: '', acceptedBy: null }
  for (const line of lines) yield { line, ...reject }
}

const cases: readonly [what: string, separator: string | Buffer][] = [
  ['a line separator (U+2028)', '\u2028'],
  ['a paragraph separator (U+2029)', '\u2029'],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xc3])],
]

for (const [what, within] of cases) {
  test(`rejected lines are written byte for byte, and counted as the service counts them: ${what}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearing-rejects-'))
    try {
      const source = join(folder, 'trades.csv')
      const target = join(folder, 'rejects.csv')
      const second = Buffer.concat([Buffer.from('1,a'), Buffer.from(within), Buffer.from('b\n')])
      await writeFile(source, Buffer.concat([Buffer.from('id,text\n'), second, Buffer.from('2,c\n3,d\n')]))
      await writeRejects({ source, target, hasHeader: true, rejects: rejectsOf(2, 4) })
      assert.deepEqual(
        await readFile(target),
        Buffer.concat([Buffer.from('id,text\n'), second, Buffer.from('3,d\n')]),
      )
      assert.match(
        await readFile(join(folder, 'rejects.txt'), 'utf8'),
        /^line 2 \(here 2\).*\nline 4 \(here 3\)/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}

const names: readonly [source: string, target: string, reasons: string][] = [
  ['trades.txt', 'trades.rejects.txt', 'trades.rejects.reasons.txt'],
  ['trades.TXT', 'trades.rejects.TXT', 'trades.rejects.reasons.txt'],
  ['trades.txt', 'trades.csv', 'trades.reasons.txt'],
  ['trades.csv', 'trades.rejects.csv', 'trades.rejects.txt'],
]

for (const [source, target, reasons] of names) {
  test(`the reasons do not overwrite the lines: ${source} with rejects in ${target}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearing-rejects-'))
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    try {
      await writeFile(join(folder, source), 'id,text\n1,a\n2,b\n')
      const written = await writeRejects({
        source: join(folder, source),
        target: join(folder, target),
        hasHeader: true,
        rejects: rejectsOf(3),
      })
      assert.deepEqual(written, { rejectsFile: join(folder, target), reasonsFile: join(folder, reasons) })
      assert.equal(await read(source), 'id,text\n1,a\n2,b\n')
      assert.equal(await read(target), 'id,text\n2,b\n')
      assert.match(await read(reasons), /^line 3 \(here 2\): ERR\.1015/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}
