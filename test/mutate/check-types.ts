/**
 * Finds the mutants that the compiler rejects. `npm run check` notices them, so no test has to. One compiler checks all
 * of them, one changed file after another, in ten milliseconds each.
 */
import { resolve } from 'node:path'
import { API } from 'typescript/unstable/sync'
import type { Mutant } from './find-mutants.ts'

interface Place {
  readonly file: string
  readonly text: string
  readonly mutant: Mutant
}

/** The mutants that the types allow. */
export function allowedByTypes<One extends Place>(root: string, mutants: readonly One[]): One[] {
  if (mutants.length === 0) return []
  let changed = { path: '', text: '' }
  const readFile = (path: string) => (path === changed.path ? changed.text : undefined)
  const api = new API({ cwd: root, fs: { readFile } })
  try {
    let snapshot = api.updateSnapshot({ openProjects: [resolve(root, 'tsconfig.json')] })
    return mutants.filter(({ file, text, mutant }) => {
      const before = changed.path
      const path = resolve(root, file)
      changed = { path, text: write(text, mutant) }
      const next = api.updateSnapshot({ fileChanges: { changed: before ? [before, path] : [path] } })
      snapshot.dispose()
      snapshot = next
      const [project] = next.getProjects()
      return project !== undefined && project.program.getSemanticDiagnostics(path).length === 0
    })
  } finally {
    api.close()
  }
}

/** The file's text with the mutant in it. */
function write(text: string, { start, end, replacement, kind }: Mutant): string {
  const put = kind === 'statement' ? '{}' : `(${replacement})`
  return text.slice(0, start) + put + text.slice(end)
}
