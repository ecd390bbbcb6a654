/** Keeps files short, because a reader opens a file for one idea, and comments narrow enough to be read beside code. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { findSources, isTest, root } from './source-files.ts'

const medianLinesMax = 80
const linesMax = 400
const testLinesMax = 500
const commentWidthMax = 120
const commentLine = /^\s*(\/\/|\*|\/\*)/

const sources = findSources('**/*.{ts,tsx}').map((file) => ({
  file,
  text: readFileSync(resolve(root, file), 'utf8').trimEnd().split('\n'),
}))
const sizes = sources.map(({ file, text }) => ({ file, lines: text.length }))
const tests = sizes.filter(({ file }) => isTest(file))
const others = sizes.filter(({ file }) => !isTest(file))

function longerThan(linesMax: number, files: typeof sizes): string[] {
  return files.filter(({ lines }) => lines > linesMax).map(({ file, lines }) => `${file}: ${lines} lines`)
}

test(`half of the files have at most ${medianLinesMax} lines`, () => {
  const lines = others.map((one) => one.lines).sort((one, other) => one - other)
  assert.ok(lines.length > 500, 'the files are found')
  const median = lines[Math.floor(lines.length / 2)] ?? 0
  assert.ok(median <= medianLinesMax, `the median is ${median}`)
})

test(`no file has more than ${linesMax} lines, and no test more than ${testLinesMax}: split it by subject`, () => {
  assert.deepEqual([...longerThan(linesMax, others), ...longerThan(testLinesMax, tests)], [])
})

test(`no line of a comment has more than ${commentWidthMax} characters`, () => {
  const wide = sources.flatMap(({ file, text }) =>
    text.flatMap((line, at) =>
      line.length > commentWidthMax && commentLine.test(line) ? [`${file}:${at + 1}`] : [],
    ),
  )
  assert.deepEqual(wide, [])
})
