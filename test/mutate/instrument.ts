/** Writes a file with all of its mutants in it. Each is inactive until it is selected. Line numbers stay the same. */
import { stripTypeScriptTypes } from 'node:module'
import type { Mutant } from './find-mutants.ts'

/** The place where the running text finds the active mutant. */
export const switchName = '__mutants'

/** JavaScript of the file. Mutant `index` of the list is number `first + index` of the run. */
export function instrument(text: string, mutants: readonly Mutant[], first: number): string {
  const parts = new Map<string, { start: number; end: number; numbers: number[]; statement: boolean }>()
  mutants.forEach(({ start, end, kind }, index) => {
    const key = `${start} ${end} ${kind}`
    const part = parts.get(key) ?? { start, end, numbers: [], statement: kind === 'statement' }
    part.numbers.push(index)
    parts.set(key, part)
  })
  const ordered = [...parts.values()].sort(
    (one, other) =>
      one.start - other.start || other.end - one.end || Number(other.statement) - Number(one.statement),
  )
  let next = 0

  const write = (from: number, to: number): string => {
    let written = ''
    let at = from
    for (;;) {
      const part = ordered[next]
      if (part === undefined || part.start >= to) break
      next += 1
      written += text.slice(at, part.start) + wrap(part)
      at = part.end
    }
    return written + text.slice(at, to)
  }
  const wrap = ({ start, end, numbers }: { start: number; end: number; numbers: number[] }): string => {
    const inner = write(start, end)
    if (mutants[numbers[0] as number]?.kind === 'statement') {
      return `{ if (!${switchName}.on(${first + (numbers[0] as number)})) ${inner} }`
    }
    const choices = numbers.map((index) => {
      return `${switchName}.on(${first + index}) ? (${(mutants[index] as Mutant).replacement}) : `
    })
    return `(${choices.join('')}${inner})`
  }
  return stripTypeScriptTypes(write(0, text.length))
}
