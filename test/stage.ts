/**
 * Makes the published packages of `protocol`, `sdk` and `cli` in `dist/`: compiled JavaScript and declarations, a
 * package.json with exact versions, README and licence. `npm run stage`; then `npm publish dist/protocol`…
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const published = {
  protocol: { engines: '>=20' },
  sdk: { engines: '>=20' },
  cli: { engines: '>=22.12' },
} as const
type Room = keyof typeof published
export const publishedRooms = Object.keys(published) as Room[]

/** Tests, files that only tests use, and the programs that write committed files. */
const leftOut = ['**/*.test.ts', '**/test-*.ts', '**/write.ts', '**/write-help.ts', '**/*snapshot.ts']

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** Stages the packages in a folder; throws when one does not compile. */
export function stage(target: string): void {
  rmSync(target, { recursive: true, force: true })
  const compiled = join(target, 'compiled')
  compile(compiled)
  for (const room of publishedRooms) stageRoom(room, join(compiled, room, 'src'), join(target, room))
  rmSync(compiled, { recursive: true })
}

function stageRoom(room: Room, compiled: string, target: string): void {
  mkdirSync(target)
  renameSync(compiled, join(target, 'dist'))
  for (const file of globSync('dist/**/*.d.ts', { cwd: target })) renameImports(join(target, file))
  const manifest: Manifest = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(renderManifest(room, manifest), null, 2)}\n`)
  copyFileSync(join(root, room, 'README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
}

/** Compiles all rooms at once, because the types of one are used by the others. */
function compile(target: string): void {
  mkdirSync(target, { recursive: true })
  const sources = publishedRooms.map((room) => join(root, room, 'src'))
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      target: 'es2023',
      rootDir: root,
      outDir: target,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: sources,
    exclude: sources.flatMap((source) => leftOut.map((pattern) => join(source, pattern))),
  }
  const project = join(target, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(settings))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the packages do not compile:\n${stdout}`)
}

/** The compiler renames the imports of its JavaScript, but not the imports of its declarations. */
function renameImports(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

function outputOf(source: string) {
  return source.replace('src/', 'dist/').replace(/\.ts$/, '.js')
}

function renderManifest(room: Room, { exports: entries, bin, dependencies, ...rest }: Manifest): object {
  return {
    ...rest,
    ...(entries === undefined ? {} : { exports: renderExports(entries) }),
    ...(bin === undefined
      ? {}
      : { bin: Object.fromEntries(Object.entries(bin).map(([name, source]) => [name, outputOf(source)])) }),
    files: ['dist'],
    sideEffects: room === 'cli',
    engines: { node: published[room].engines },
    dependencies,
  }
}

function renderExports(entries: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, source]) => {
      const file = outputOf(source)
      return [name, { types: file.replace(/\.js$/, '.d.ts'), default: file }]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = join(root, 'dist')
  stage(target)
  console.log(publishedRooms.map((room) => `dist/${room}`).join('\n'))
}
