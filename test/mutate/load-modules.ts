/**
 * Loads the modules of the packages with their mutants in them. A mutant can be in code that runs while a module loads
 * (a table of law, a constant). Then that file and all that import it are loaded again, and the rest stays. A test file
 * whose own body uses a mutant while it loads is loaded again alone.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { switchName } from './instrument.ts'

const registry = new URL('./registry.ts', import.meta.url).href
/**
 * A value that a module computes once and caches: a map that is empty when the module has loaded. Its types are blank
 * here.
 */
const cache = /^const (\w+) = new (Map|WeakMap) *\(\)$/gm
const workspaces = /\/(domain|protocol)\/.*\.ts$/

export interface Modules {
  /** Loads the file at this path, and all that import it, again from now on. */
  readonly renew: (path: string) => void
  /** Loads this test file again from now on, and nothing else. */
  readonly renewTest: (path: string) => void
  /** The files that import a file, directly or through others; paths. */
  readonly dependents: (path: string) => ReadonlySet<string>
  /** The files that name a file in an import, also through an `index.ts`; paths. */
  readonly users: (path: string) => ReadonlySet<string>
  readonly load: (path: string) => Promise<unknown>
}

/** `texts` are the instrumented files by path. Every other file of the packages loads unchanged. */
export function hookModules(texts: ReadonlyMap<string, string>): Modules {
  const importers = new Map<string, Set<string>>()
  const stripped = new Map<string, string>(texts)
  let generation = 0
  let renewed: ReadonlySet<string> = new Set()

  const address = (path: string) =>
    renewed.has(path) ? `file://${path}?generation=${generation}` : `file://${path}`

  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'node:test') return { url: registry, shortCircuit: true }
      const resolved = next(specifier, context)
      const path = pathOf(resolved.url)
      if (path === undefined || !workspaces.test(path)) return resolved
      const importer = context.parentURL && pathOf(context.parentURL)
      if (importer) importers.set(path, (importers.get(path) ?? new Set()).add(importer))
      return { ...resolved, url: address(path) }
    },
    load(url, context, next) {
      const path = pathOf(url)
      if (path === undefined || !workspaces.test(path)) return next(url, context)
      let source = stripped.get(path)
      if (source === undefined) {
        source = stripTypeScriptTypes(readFileSync(path, 'utf8'))
        stripped.set(path, source)
      }
      source = source.replace(cache, `const $1 = ${switchName}.cache(() => new $2())`)
      if (path.endsWith('.test.ts')) source = `${switchName}.enterBody();${source}`
      return { format: 'module', source, shortCircuit: true }
    },
  })

  const dependents = (path: string): ReadonlySet<string> => {
    const found = new Set([path])
    for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
    return found
  }
  const users = (path: string): ReadonlySet<string> => {
    const found = new Set([path])
    for (const one of found) {
      if (one !== path && !one.endsWith('/index.ts')) continue
      for (const importer of importers.get(one) ?? []) found.add(importer)
    }
    return found
  }
  return {
    users,
    renew(path) {
      generation += 1
      renewed = dependents(path)
    },
    renewTest(path) {
      generation += 1
      renewed = new Set([path])
    },
    dependents,
    load: (path) => import(address(path)),
  }
}

function pathOf(url: string): string | undefined {
  return url.startsWith('file://') ? fileURLToPath(url.replace(/\?.*/, '')) : undefined
}
