// The master key as a file: 32 random bytes in base64 on one line, readable by the service's user only. The sandbox
// makes its own key and marks it. Production refuses a marked, default, guessable or shared file.

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { KEY_BYTES } from './aes-gcm.ts'
import type { MasterKey, MasterKeys } from './master-key.ts'
import { gatherMasterKeys, makeMasterKeyText, masterKeyFromBytes } from './master-key.ts'

export type MasterKeySettings =
  /** Without key files, the sandbox makes its own key in the data folder. */
  | { mode: 'sandbox'; dataFolder: string; keyFiles?: readonly string[] }
  | {
      mode: 'production'
      keyFile: string
      /** Files of keys that are being replaced. They can be removed when no stored row names their id. */
      olderKeyFiles?: readonly string[]
    }

export const SANDBOX_KEY_FILE = 'sandbox-master-key'
const SANDBOX_MARK = 'sandbox:'
const FILE_BYTES_MAX = 256
// 32 random bytes hold 30 different values on average. Fewer than 16 happens once in more than 10^14 keys.
const DISTINCT_BYTES_MIN = 16

/** Loads the master keys of this process. The message of a fault describes the remedy. */
export async function loadMasterKeys(settings: MasterKeySettings): Promise<MasterKeys> {
  if (settings.mode === 'sandbox') {
    const [given, ...retired] = settings.keyFiles ?? []
    if (given !== undefined) return readNamedFiles([given, ...retired], 'sandbox')
    const path = join(settings.dataFolder, SANDBOX_KEY_FILE)
    await makeSandboxKeyFile(path)
    return gatherMasterKeys(await naming('DATA_DIR', readMasterKeyFile(path, 'sandbox')))
  }
  return readNamedFiles([settings.keyFile, ...(settings.olderKeyFiles ?? [])], 'production')
}

async function readNamedFiles(
  paths: readonly [string, ...string[]],
  mode: 'sandbox' | 'production',
): Promise<MasterKeys> {
  const keys = paths.map((path) => naming('MASTER_KEY_FILE', readMasterKeyFile(path, mode)))
  const [current, ...older] = (await Promise.all(keys)) as [MasterKey, ...MasterKey[]]
  return gatherMasterKeys(current, ...older)
}

/** Puts the setting that determines a file before the message of a fault. */
function naming<T>(setting: string, work: Promise<T>): Promise<T> {
  return work.catch((fault: Error) => {
    throw new Error(`${setting}: ${fault.message}`, { cause: fault.cause })
  })
}

/** Reads one key file. In production its owner, mode and content are checked too. */
export async function readMasterKeyFile(path: string, mode: 'sandbox' | 'production'): Promise<MasterKey> {
  const file = await open(path, constants.O_RDONLY).catch((cause) => {
    throw new Error(`the master key file ${path} cannot be read.`, { cause })
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`the master key file ${path} is not a regular file.`)
    if (stat.size > FILE_BYTES_MAX) throw new Error(`the master key file ${path} is too large to be a key.`)
    if (process.platform !== 'win32') {
      if ((stat.mode & 0o077) !== 0) {
        throw new Error(
          `the master key file ${path} has mode ${(stat.mode & 0o777).toString(8)}: others may read or change it. Set it to 400.`,
        )
      }
      const user = process.getuid?.()
      if (mode === 'production' && stat.uid !== user && stat.uid !== 0) {
        throw new Error(`the master key file ${path} belongs to another user.`)
      }
    }
    return masterKeyFromBytes(parseMasterKey((await file.readFile('latin1')).trim(), path, mode))
  } finally {
    await file.close()
  }
}

function parseMasterKey(text: string, path: string, mode: 'sandbox' | 'production'): Buffer {
  const marked = text.startsWith(SANDBOX_MARK)
  if (marked && mode === 'production') {
    throw new Error(`the master key file ${path} holds a sandbox key, which production refuses.`)
  }
  const base64 = marked ? text.slice(SANDBOX_MARK.length) : text
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== base64) {
    throw new Error(`the master key file ${path} must hold 32 random bytes in base64 on one line.`)
  }
  const printable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  if (printable || new Set(bytes).size < DISTINCT_BYTES_MIN) {
    throw new Error(`the master key in ${path} is not random. Make one with: openssl rand -base64 32`)
  }
  return bytes
}

/**
 * Writes another file, syncs it and links it into place: a crash leaves no partial key, and of two concurrent starts
 * one wins.
 */
async function makeSandboxKeyFile(path: string): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder)
  const present = await open(path, constants.O_RDONLY).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (present) return present.close()
  const beside = `${path}.${randomUUID()}`
  const file = await open(beside, 'wx', 0o400)
  try {
    await file.writeFile(`${SANDBOX_MARK}${makeMasterKeyText()}\n`)
    await file.sync()
    await link(beside, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await unlink(beside)
  }
  const folderHandle = await open(folder, constants.O_RDONLY)
  try {
    await folderHandle.sync()
  } finally {
    await folderHandle.close()
  }
}
