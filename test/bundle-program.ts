/**
 * Bundles a program of the project into a few files, for tests that start it often. Loading each of its thousand
 * modules separately costs more than most of the work of a process in such a test.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { doOnce } from './done-once.ts'
import { makeProgramsFolder, programsVariable } from './run-folders.ts'

const root = resolve(import.meta.dirname, '..')
/** Packages with very many modules. The others are loaded from where they are installed. */
const bundled = /^(@clearing|typebox|oidc-provider|jose|@opentelemetry\/api|qrcode)\//
const programs = new Map<string, Promise<string>>()

/** The path of the bundled program. A test run bundles each program once. `entry` is a path below the project. */
export function bundleProgram(entry: string): Promise<string> {
  const made = programs.get(entry) ?? make(entry)
  programs.set(entry, made)
  return made
}

async function make(entry: string): Promise<string> {
  const into = join(process.env[programsVariable] ?? makeOwnFolder(), entry.replaceAll('/', '-'))
  await doOnce(
    `${into}.lock`,
    () => existsSync(into),
    () => bundle(entry, into),
  )
  return join(into, 'main.mjs')
}

/** For a test file that runs without a test run. */
function makeOwnFolder(): string {
  const folder = makeProgramsFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function bundle(entry: string, into: string): Promise<void> {
  const unfinished = `${into}.${process.pid}`
  const build = await rolldown({
    input: { main: resolve(root, entry) },
    platform: 'node',
    plugins: [stayInPlace],
    logLevel: 'silent',
  })
  await build.write({
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await build.close()
  renameSync(unfinished, into)
}

/** Makes files beside a module, and packages that are not bundled, resolve to their original place. */
const stayInPlace: Plugin = {
  name: 'stay-in-place',
  async resolveId(source, importer, settings) {
    const isOwn = importer === undefined || /^[./]|^node:/.test(source) || bundled.test(`${source}/`)
    if (isOwn || bundled.test(packageOf(importer))) return null
    const found = await this.resolve(source, importer, { ...settings, skipSelf: true })
    if (found === null || found.external) return found
    return { id: settings.kind === 'require-call' ? found.id : pathToFileURL(found.id).href, external: true }
  },
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
  },
}

function packageOf(file: string): string {
  return file.slice(file.lastIndexOf('/node_modules/') + '/node_modules/'.length)
}
