/** The process of `strip-types.js`: prints a module and the modules of the project that it imports, without types. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const imports = /\b(?:from|import) '(.+?)'|\bimport\('(.+?)'\)/g

/** Grows while its modules are read. */
const urls = new Set(process.argv.slice(2))
const modules = []
for (const url of urls) {
  const source = strip(url)
  if (source === undefined) continue
  modules.push([url, source])
  for (const [, from = '', fromLater] of source.matchAll(imports)) {
    const imported = resolve(fromLater ?? from, url)
    if (imported?.endsWith('.ts')) urls.add(imported)
  }
}
process.stdout.write(JSON.stringify(modules))

/** Undefined for a module at fault: the service reports the fault when it loads the module. */
function strip(url) {
  try {
    return stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
  } catch {
    return undefined
  }
}

/** Undefined for other packages, and for a package that is not installed: an example in a text may name it. */
function resolve(name, url) {
  if (name.startsWith('.')) return new URL(name, url).href
  if (!name.startsWith('@clearing/')) return undefined
  try {
    return import.meta.resolve(name)
  } catch {
    return undefined
  }
}
