/**
 * Makes a folder and its missing parents. The recursive `mkdir` of Node.js never ends below /proc, where a missing
 * folder cannot be made although its parent exists, and it holds a thread of the process for good.
 */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Returns the uppermost folder that was made; undefined if all were there. */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  try {
    return await makeOne(folder, mode)
  } catch (fault) {
    const parent = dirname(folder)
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw fault
    const firstMade = await makeFolder(parent, mode)
    const made = await makeOne(folder, mode)
    return firstMade ?? made
  }
}

/** Returns the folder if it was made; undefined if it was there. */
async function makeOne(folder: string, mode: number | undefined): Promise<string | undefined> {
  try {
    await mkdir(folder, mode)
    return folder
  } catch (fault) {
    const there = await stat(folder).catch(() => undefined)
    if (there?.isDirectory()) return undefined
    throw fault
  }
}
