/**
 * Finds the previous release in the history of the repository: the newest commit without the newest migrations.
 * `RELEASE_BEFORE=<commit>` names another commit.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 }).trim()
}

function migrationsOf(commit: string): string[] {
  return git('ls-tree', '--name-only', commit, 'server/migrations/').split('\n').sort()
}

/** The newest commit whose database the migrations of this code update. */
export function releaseBefore(): string | undefined {
  try {
    if (process.env.RELEASE_BEFORE)
      return git('rev-parse', '--verify', `${process.env.RELEASE_BEFORE}^{commit}`)
    const now = migrationsOf('HEAD')
    return git('log', '--format=%H', '--', 'server/migrations')
      .split('\n')
      .map((commit) => `${commit}~1`)
      .find((commit) => {
        const then = migrationsOf(commit)
        return then.length < now.length && then.every((name, at) => name === now[at])
      })
  } catch {
    return undefined
  }
}

/** A folder with the code of a commit. Packages of third parties are the installed ones. */
export async function checkOut(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-release-'))
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@clearing')
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await mkdir(join(folder, 'node_modules/@clearing'))
  for (const name of await readdir(join(root, 'node_modules/@clearing')))
    await symlink(join(folder, name), join(folder, 'node_modules/@clearing', name))
  return folder
}
