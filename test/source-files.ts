/** Finds the project's own source files, and separates the tests. */
import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Paths of TypeScript files from the root, without installed or built files. */
export function findSources(pattern: string): string[] {
  return globSync(pattern, {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'data'].includes(name),
  })
}

/**
 * Tests, and files that only tests use: the folders `test/` and `testing/`, and `test-*.ts`, `random-*.ts`,
 * `example-*.ts`, `sample-*.ts`. In `operations/` such a name is that of an operation: `operations/test-webhook.ts`.
 */
export function isTest(file: string): boolean {
  return /^test\/|\.(test|nightly)\.ts$|\/testing\/|(?<!\/operations)\/(test|random|example|sample)-[a-z-]+\.ts$/.test(
    file,
  )
}
