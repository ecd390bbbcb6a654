/** What a mutation run found: the mutants that no test noticed, and the share that was noticed, by folder. */
import { dirname } from 'node:path'
import type { Mutant } from './find-mutants.ts'
import type { Outcome } from './worker.ts'

export interface Found {
  readonly file: string
  readonly text: string
  readonly mutant: Mutant
}
interface Tried extends Found {
  readonly outcome: Outcome
}

/** A mutant that changes nothing that a caller could see. It is known by its line's text, so that it outlives edits above it. */
export interface Equivalent {
  readonly file: string
  readonly line: string
  /** Absent: whatever survives on the line, as of a shortcut beside the general way. */
  readonly change?: string
  readonly reason: string
}

/** Share of the mutants of every folder that tests must notice. */
const floorPercent = 95

interface Score {
  killed: number
  survived: number
  uncovered: number
  equivalent: number
}

/** Prints the run and answers whether every folder is above the floor and every listed equivalent still survives. */
export function report(tried: readonly Tried[], equivalents: readonly Equivalent[]): boolean {
  const scores = new Map<string, Score>()
  const used = new Set<Equivalent>()
  for (const one of tried) {
    const score = scores.get(dirname(one.file)) ?? { killed: 0, survived: 0, uncovered: 0, equivalent: 0 }
    scores.set(dirname(one.file), score)
    if (one.outcome === 'killed' || one.outcome === 'endless') {
      score.killed += 1
      continue
    }
    const known = equivalents.find((row) => isSame(row, one))
    if (known !== undefined) {
      used.add(known)
      score.equivalent += 1
      continue
    }
    score[one.outcome] += 1
    console.log(
      `${placeOf(one)}  ${changeOf(one)}${one.outcome === 'uncovered' ? '  (no test comes here)' : ''}`,
    )
  }
  const stale = equivalents.filter((row) => !used.has(row) && tried.some(({ file }) => file === row.file))
  for (const { file, line, change } of stale) {
    console.log(
      `${file}: listed as equivalent and killed or gone: ${line}${change === undefined ? '' : ` (${change})`}`,
    )
  }
  return printScores(scores) && stale.length === 0
}

function printScores(scores: ReadonlyMap<string, Score>): boolean {
  const total: Score = { killed: 0, survived: 0, uncovered: 0, equivalent: 0 }
  let passed = true
  console.log(`\n${'folder'.padEnd(44)}   killed survived uncovered equivalent`)
  for (const [folder, score] of [...scores].sort(([one], [other]) => one.localeCompare(other))) {
    for (const name of Object.keys(total) as (keyof Score)[]) total[name] += score[name]
    passed = percentOf(score) >= floorPercent && passed
    printScore(folder, score)
  }
  printScore('all', total)
  return passed
}

function printScore(name: string, score: Score): void {
  const { killed, survived, uncovered, equivalent } = score
  const figures = [killed, survived, uncovered, equivalent]
    .map((figure) => String(figure).padStart(8))
    .join(' ')
  console.log(`${name.padEnd(44)} ${figures}   ${percentOf(score).toFixed(1)} %`)
}

function percentOf({ killed, survived, uncovered }: Score): number {
  const all = killed + survived + uncovered
  return all === 0 ? 100 : (100 * killed) / all
}

function isSame(row: Equivalent, found: Found): boolean {
  return (
    row.file === found.file &&
    row.line === lineOf(found) &&
    (row.change ?? changeOf(found)) === changeOf(found)
  )
}

function lineOf({ text, mutant }: Found): string {
  const from = text.lastIndexOf('\n', mutant.start - 1) + 1
  const end = text.indexOf('\n', mutant.start)
  return text.slice(from, end < 0 ? undefined : end).trim()
}

function placeOf({ file, text, mutant }: Found): string {
  const before = text.slice(0, mutant.start).split('\n')
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`
}

function changeOf({ text, mutant }: Found): string {
  const short = (part: string) => part.replace(/\s+/g, ' ')
  const original = short(text.slice(mutant.start, mutant.end))
  return mutant.kind === 'statement' ? `${original} → nothing` : `${original} → ${short(mutant.replacement)}`
}
