// Asks qpdf, an independent reader, for the names of active content in any object of a PDF.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasQpdf = spawnSync('qpdf', ['--version']).status === 0

const active = new Set(
  ['JavaScript', 'JS', 'Launch', 'GoToR', 'GoToE', 'SubmitForm', 'ImportData', 'XFA', 'EmbeddedFiles'].concat(
    ['EmbeddedFile', 'FileAttachment', 'RichMedia', 'Rendition'],
  ),
)

/** Undefined when qpdf finds none or cannot read the file. */
export function askQpdf(bytes: Buffer): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'qpdf-'))
  try {
    const file = join(folder, 'a.pdf')
    writeFileSync(file, bytes)
    const run = spawnSync('qpdf', ['--json=2', '--warning-exit-0', '--no-warn', file], { maxBuffer: 1e8 })
    return run.status === 0 ? findActive(JSON.parse(run.stdout.toString('utf8'))) : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Names begin with a slash, texts with "u:" or "b:". */
function findActive(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.startsWith('/') && active.has(value.slice(1)) ? value : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, entry] of Object.entries(value)) {
    const found = findActive(key) ?? findActive(entry)
    if (found) return found
  }
  return undefined
}
