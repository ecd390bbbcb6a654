/**
 * Reads signed heads from files: checkpoints of the document store, responses of list-audit-heads, or events
 * `audit.head.signed`, as JSON documents or as one JSON object per line. A folder stands for every file in it.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSignedHead, type SignedHead } from '@clearing/protocol/audit'
import { readTextFile, reasonOf } from './read-input.ts'
import { WrongUsage } from './wrong-usage.ts'

export function readSignedHeads(paths: readonly string[]): SignedHead[] {
  const heads = paths
    .flatMap(filesOf)
    .flatMap((file) => parseDocuments(readTextFile(file)).flatMap(findHeads))
  if (heads.length === 0) throw new WrongUsage(`${paths.join(', ')}: there is no signed head`)
  return heads
}

function filesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
  } catch (error) {
    throw new WrongUsage(`${path}: ${reasonOf(error)}`)
  }
  const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return found.map((entry) => join(entry.parentPath, entry.name)).sort()
}

/** The whole text as one document, or each line that is a document. */
function parseDocuments(text: string): unknown[] {
  const parse = (json: string): unknown[] => {
    try {
      return [JSON.parse(json)]
    } catch {
      return []
    }
  }
  const whole = parse(text)
  return whole.length > 0 ? whole : text.split('\n').flatMap(parse)
}

function findHeads(value: unknown): SignedHead[] {
  if (isSignedHead(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findHeads) : []
}
