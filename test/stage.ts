/**
 * Makes the published packages of `protocol`, `sdk` and `cli` in `dist/`: compiled JavaScript with source maps and
 * declarations, a package.json with exact versions, README and licence. The sdk is also there as one CommonJS file. Run
 * `npm run stage`, then `npm publish dist/protocol` and the same for the others.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { compile } from './compile.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const published = {
  protocol: { engines: '>=20' },
  sdk: { engines: '>=20' },
  cli: { engines: '>=20' },
} as const
type Workspace = keyof typeof published
export const publishedWorkspaces = Object.keys(published) as Workspace[]

/** Tests, files that only tests use, and the programs that write committed files. */
const leftOut = [
  '**/*.test.ts',
  '**/test-*.ts',
  '**/write.ts',
  '**/write-help.ts',
  '**/*snapshot.ts',
  '**/call-table.ts',
]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** Stages the packages in a folder. Throws when one does not compile. */
export async function stage(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  const compiled = join(target, 'compiled')
  await compileWorkspaces(compiled)
  for (const workspace of publishedWorkspaces)
    stageWorkspace(workspace, join(compiled, workspace, 'src'), join(target, workspace))
  rmSync(compiled, { recursive: true })
  await stageCommonJs(join(target, 'sdk'))
}

function stageWorkspace(workspace: Workspace, compiled: string, target: string): void {
  mkdirSync(target)
  renameSync(compiled, join(target, 'dist'))
  for (const file of globSync('dist/**/*.d.ts', { cwd: target })) renameImports(join(target, file))
  const manifest: Manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(renderManifest(workspace, manifest), null, 2)}\n`,
  )
  copyFileSync(join(root, workspace, 'README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
}

/**
 * Adds the sdk as one CommonJS file that needs no other package. Its declarations refer to those of the ES module, so
 * that programs of both kinds have the same types.
 */
async function stageCommonJs(target: string): Promise<void> {
  const source = join(root, 'sdk/src/index.ts')
  const build = await rolldown({ input: source, platform: 'neutral', resolve: { mainFields: ['main'] } })
  const { output } = await build.write({
    file: join(target, 'dist/index.cjs'),
    format: 'cjs',
    sourcemap: true,
  })
  const declarations = output[0].exports.flatMap((name) => {
    const isClass = name[0] === name[0]?.toUpperCase()
    return [
      `export declare const ${name}: typeof sdk.${name}`,
      ...(isClass ? [`export type ${name} = sdk.${name}`] : []),
    ]
  })
  const mode = "with { 'resolution-mode': 'import' }"
  const lines = [
    `import type * as sdk from './index.js' ${mode}`,
    `export type * from './index.js' ${mode}`,
    ...declarations,
  ]
  writeFileSync(join(target, 'dist/index.d.cts'), `${lines.join('\n')}\n`)
}

/** Compiles all packages at once, because they use each other's types. */
async function compileWorkspaces(target: string): Promise<void> {
  mkdirSync(target, { recursive: true })
  const sources = publishedWorkspaces.map((workspace) => join(root, workspace, 'src'))
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      target: 'es2023',
      // Of the later features, Node.js 20 has those of `es2024.string`.
      lib: ['es2023', 'es2024.string'],
      rootDir: root,
      outDir: target,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: sources,
    exclude: sources.flatMap((source) => leftOut.map((pattern) => join(source, pattern))),
  }
  const project = join(target, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(settings))
  const { exitCode, output } = await compile(['-p', project])
  if (exitCode !== 0) throw new Error(`the packages do not compile:\n${output}`)
}

/** The compiler renames the imports of its JavaScript, but not the imports of its declarations. */
function renameImports(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

function outputOf(source: string) {
  return source.replace('src/', 'dist/').replace(/\.ts$/, '.js')
}

function renderManifest(workspace: Workspace, manifest: Manifest): object {
  const { exports: entries, bin, dependencies, devDependencies: _, scripts: __, ...rest } = manifest
  return {
    ...rest,
    ...(entries === undefined ? {} : renderEntries(workspace, entries)),
    // In the source tree, a launcher has this place.
    ...(bin === undefined ? {} : { bin: { clearing: 'dist/main.js' } }),
    files: ['dist'],
    sideEffects: workspace === 'cli',
    engines: { node: published[workspace].engines },
    dependencies,
  }
}

/** The entries of a package: `exports`, and the older members for tools that do not read `exports`. */
function renderEntries(workspace: Workspace, entries: Readonly<Record<string, string>>) {
  const { '.': main = '', ...others } = entries
  const typesOf = (source: string) => outputOf(source).replace(/\.js$/, '.d.ts')
  const typesVersions = Object.fromEntries(
    Object.entries(others).map(([name, source]) => [name.replace('./', ''), [typesOf(source)]]),
  )
  return {
    main: workspace === 'sdk' ? outputOf(main).replace(/\.js$/, '.cjs') : outputOf(main),
    types: typesOf(main),
    ...(Object.keys(others).length === 0 ? {} : { typesVersions: { '*': typesVersions } }),
    exports: renderExports(workspace, entries),
  }
}

function renderExports(workspace: Workspace, entries: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, source]) => {
      const file = outputOf(source)
      const module = { types: file.replace(/\.js$/, '.d.ts'), default: file }
      if (workspace !== 'sdk') return [name, module]
      const common = { types: file.replace(/\.js$/, '.d.cts'), default: file.replace(/\.js$/, '.cjs') }
      return [name, { import: module, require: common }]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = join(root, 'dist')
  await stage(target)
  console.log(publishedWorkspaces.map((workspace) => `dist/${workspace}`).join('\n'))
}
