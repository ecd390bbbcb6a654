/**
 * Runs the benchmarks and prints their table: `npm run bench`. `npm run bench -- accounts books` runs the
 * file and the folder of these names. BENCH_LINES, BENCH_ACCOUNTS, BENCH_FEW and BENCH_SECONDS make the benchmarks
 * of the books smaller, and BENCH_STATEMENTS that of statements. `peers` needs a package registry, and is left out
 * without one. `growth` and `mixed` take long and run only when they are named; BENCH_GROWTH and BENCH_MINUTES make
 * them smaller. The tests do not run the benchmarks: the figures are ratios to floors of the same run, and machines
 * are noisy.
 */
import { glob } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from './measure.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const parts = process.argv.slice(2)
const files: string[] = []
for await (const file of glob('**/*.ts', { cwd: folder })) files.push(file)

const onlyWhenNamed = ['growth.ts', 'mixed.ts']
/** They run when they are imported. Modules without `rows` are not benchmarks. */
const programs = ['run.ts', 'floor-server.ts']
const rows: Row[] = []
for (const file of files.sort()) {
  if (parts.length > 0 && !parts.some((part) => isOf(file, part))) continue
  if (parts.length === 0 && onlyWhenNamed.includes(file)) continue
  if (programs.includes(file)) continue
  const module = (await import(resolve(folder, file))) as { rows?: () => Promise<Row[]> }
  if (!module.rows) continue
  console.error(`${file} …`)
  for (const row of await module.rows()) {
    rows.push(row)
    console.error(
      `  ${row.met ? 'met ' : 'SHORT'} ${row.name}: ${row.measured} (${row.figure.toFixed(2)}, ${row.target})`,
    )
  }
}

const table = [
  '| What | Measured | Floor | Figure | Target | |',
  '|---|---|---|---|---|---|',
  ...rows.map(
    ({ name, measured, floor, figure, target, met, note }) =>
      `| ${name} | ${measured} | ${floor} | ${figure.toFixed(2)} | ${target} | ${met ? 'met' : 'short'}: ${note} |`,
  ),
].join('\n')
console.log(table)

/** Whether the word is the name of the file or of its folder. */
function isOf(file: string, word: string): boolean {
  return file === `${word}.ts` || file.startsWith(`${word}/`) || file.endsWith(`/${word}.ts`)
}
