/**
 * The result of a mutation run: the mutants that no test noticed, and the share that was noticed, by folder and file.
 */
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

/**
 * A mutant that changes nothing that a caller can see. The text of its line identifies it, so that it survives edits
 * above it.
 */
export interface Equivalent {
  readonly file: string
  readonly line: string
  /** Absent: every surviving mutant of the line, for example of a shortcut beside the general case. */
  readonly change?: string
  readonly reason: string
}

/** The share of the mutants of every folder that tests must notice. */
const floorPercent = 95

interface Score {
  killed: number
  survived: number
  uncovered: number
  equivalent: number
}

/**
 * Prints the run. Returns whether every folder is above the floor and every listed equivalent still survives. A run
 * that was ended early does not check the listed equivalents.
 */
export function report(
  tried: readonly Tried[],
  equivalents: readonly Equivalent[],
  isWhole: boolean,
): boolean {
  const scores = new Map<string, Score>()
  const files = new Map<string, Score>()
  const used = new Set<Equivalent>()
  for (const one of tried) {
    const both = [scoreOf(scores, dirname(one.file)), scoreOf(files, one.file)]
    const count = (name: keyof Score) => {
      for (const score of both) score[name] += 1
    }
    if (one.outcome === 'killed' || one.outcome === 'endless') {
      count('killed')
      continue
    }
    const known = equivalents.find((row) => isSame(row, one))
    if (known !== undefined) {
      used.add(known)
      count('equivalent')
      continue
    }
    count(one.outcome)
    console.log(
      `${placeOf(one)}  ${changeOf(one)}${one.outcome === 'uncovered' ? '  (no test comes here)' : ''}`,
    )
  }
  const stale = equivalents.filter(
    (row) => isWhole && !used.has(row) && tried.some(({ file }) => file === row.file),
  )
  for (const { file, line, change } of stale) {
    console.log(
      `${file}: listed as equivalent and killed or gone: ${line}${change === undefined ? '' : ` (${change})`}`,
    )
  }
  printTable('file', files)
  const passed = printTable('folder', scores)
  printScore('all', sumOf([...scores.values()]))
  return passed && stale.length === 0
}

function scoreOf(scores: Map<string, Score>, name: string): Score {
  const score = scores.get(name) ?? { killed: 0, survived: 0, uncovered: 0, equivalent: 0 }
  scores.set(name, score)
  return score
}

/** Returns whether every row is above the floor. */
function printTable(title: string, scores: ReadonlyMap<string, Score>): boolean {
  console.log(`\n${title.padEnd(52)}   killed survived uncovered equivalent`)
  const rows = [...scores].sort(([one], [other]) => one.localeCompare(other))
  for (const [name, score] of rows) printScore(name, score)
  return rows.every(([, score]) => percentOf(score) >= floorPercent)
}

function sumOf(scores: readonly Score[]): Score {
  const of = (name: keyof Score) => scores.reduce((total, score) => total + score[name], 0)
  return {
    killed: of('killed'),
    survived: of('survived'),
    uncovered: of('uncovered'),
    equivalent: of('equivalent'),
  }
}

function printScore(name: string, score: Score): void {
  const { killed, survived, uncovered, equivalent } = score
  const figures = [killed, survived, uncovered, equivalent]
    .map((figure) => String(figure).padStart(8))
    .join(' ')
  console.log(`${name.padEnd(52)} ${figures}   ${percentOf(score).toFixed(1)} %`)
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
