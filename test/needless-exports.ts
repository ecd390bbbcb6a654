/** Finds values that a file exports and no other file of the project imports. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

interface Specifier {
  readonly [member: string]: unknown
}

function nameOf(node: unknown): string {
  const { name, value } = node as { name?: string; value?: string }
  return name ?? value ?? ''
}

/** Files that are loaded by a computed name: `bench/run.ts` loads each bench. */
const loadedByName = /^(bench|docs)\/|^test\/mutate\/registry\.ts$/

/**
 * Returns `file: name` for each needless export. `files` are paths from `root`. Names that others can reach through
 * `export *` count as used.
 */
export function findNeedlessExports(root: string, files: readonly string[]): string[] {
  const exported = new Map<string, Set<string>>()
  const used = new Set<string>()
  const passedOn = new Set<string>()
  for (const file of files) {
    const { program } = parseSync(file, readFileSync(resolve(root, file), 'utf8'))
    const target = (source: string) =>
      source.startsWith('.') ? resolve(root, dirname(file), source) : source
    const own = new Set<string>()
    exported.set(file, own)
    for (const node of program.body) {
      if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) {
        const from = target(node.source?.value as string)
        for (const specifier of node.specifiers as unknown as Specifier[]) {
          const name =
            specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : nameOf(specifier.imported ?? specifier.local)
          if (specifier.type === 'ImportNamespaceSpecifier') passedOn.add(from)
          else used.add(`${from} ${name}`)
        }
      }
      if (node.type === 'ExportAllDeclaration') passedOn.add(target(node.source.value))
      if (node.type !== 'ExportNamedDeclaration' || node.source) continue
      // A type may be exported beside the function that uses it, for callers that store its value.
      if (/^TS/.test(node.declaration?.type ?? '')) continue
      const declared = node.declaration as unknown as Specifier | null
      const declarations = (declared?.declarations as Specifier[] | undefined) ?? (declared ? [declared] : [])
      for (const { id } of declarations) if (nameOf(id)) own.add(nameOf(id))
      for (const specifier of node.specifiers as unknown as Specifier[]) own.add(nameOf(specifier.exported))
    }
    const text = readFileSync(resolve(root, file), 'utf8')
    for (const [, source = ''] of text.matchAll(/import\('(\.[^']+)'\)/g)) passedOn.add(target(source))
  }
  return [...exported].flatMap(([file, names]) => {
    const path = resolve(root, file)
    if (passedOn.has(path) || loadedByName.test(file)) return []
    return [...names].filter((name) => !used.has(`${path} ${name}`)).map((name) => `${file}: ${name}`)
  })
}
