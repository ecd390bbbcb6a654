/** `verify books|audit`: proofs; exit code 1 when something does not hold. */
import type { Data } from '@clearing/protocol'
import { connect } from '../connect.ts'
import { checkFile, readJsonFile } from '../read-input.ts'
import { readSignedHeads } from '../read-signed-heads.ts'
import { renderJson } from '../render-json.ts'
import { renderTable } from '../render-text.ts'
import { showData } from '../show.ts'
import type { Terminal } from '../terminal.ts'
import { type Given, textOf, type Verb } from '../verb.ts'
import { verifyAuditExport } from '../verify-audit-export.ts'
import { WrongUsage } from '../wrong-usage.ts'

const group = 'Work'

const verifyBooks: Verb = {
  path: ['verify', 'books'],
  group,
  summary: 'Prove that the books tie out, of all accounts or of one',
  description: 'Exit code 1 when there is a break.',
  arguments: [{ name: 'accountNumber', summary: 'one account alone', optional: true }],
  flags: [],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const [accountNumber] = given.arguments
    const request = accountNumber === undefined ? {} : { accountNumber }
    let { data } = await client.operations.verifyBooks(request, { signal: terminal.signal })
    while (data.next !== '') {
      const part = await client.operations.verifyBooks({ after: data.next }, { signal: terminal.signal })
      data = joinParts(data, part.data)
    }
    if (given.json) await showData('verify-books', data, true, terminal)
    else {
      const { breaks, accounts, entries, positions } = data
      const counts = `${accounts} accounts, ${positions} positions, ${entries} entries`
      await tell(
        data.verified,
        `The books tie out: ${counts}.`,
        `${breaks.length} breaks in ${counts}:`,
        terminal,
      )
      if (breaks.length > 0) await showTable(breaks, terminal)
    }
    return data.verified ? 0 : 1
  },
}

type Proof = Data<'verify-books'>

/** Large books are proved a part at a time. */
const joinParts = (one: Proof, other: Proof): Proof => ({
  verified: one.verified && other.verified,
  accounts: one.accounts + other.accounts,
  entries: one.entries + other.entries,
  positions: one.positions + other.positions,
  breaks: [...one.breaks, ...other.breaks],
  next: other.next,
})

const verifyAudit: Verb = {
  path: ['verify', 'audit'],
  group,
  summary: 'Recompute the audit chain, of all firms or of one; or verify an export of it without the service',
  description:
    'With --export a file of export-audit is checked against signed heads that were kept elsewhere: each row, the chain, and that it was ' +
    'neither cut nor written anew up to the newest head. It must hold all rows of a firm, or of all firms that there are heads of. ' +
    'Exit code 1 when a row does not fit.',
  arguments: [{ name: 'firmId', summary: 'one firm alone', optional: true }],
  flags: [
    { name: 'export', value: 'file', summary: 'what export-audit answered, NDJSON or CSV' },
    {
      name: 'heads',
      value: 'path',
      summary:
        'signed heads: files of the document store, answers of list-audit-heads, or events; a folder for all in it',
      repeatable: true,
    },
    { name: 'keys', value: 'file', summary: 'the public keys, as /audit/jwks answers them' },
  ],
  async run(given, terminal) {
    const [firmId] = given.arguments
    const file = textOf(given, 'export')
    const data = await (file === undefined
      ? verifyOnline(given, terminal, firmId)
      : verifyOffline(given, terminal, file, firmId))
    if (given.json) await terminal.print(renderJson(data))
    else {
      const rows = data.firms.reduce((sum, firm) => sum + firm.rows, 0)
      const good = `The audit chain holds: ${rows} rows of ${data.firms.length} firms.`
      await tell(data.verified, good, 'The audit chain is broken:', terminal)
      await showTable(data.firms, terminal)
    }
    return data.verified ? 0 : 1
  },
}

async function verifyOnline(given: Given, terminal: Terminal, firmId: string | undefined) {
  for (const flag of ['heads', 'keys'])
    if (given.flags.has(flag)) throw new WrongUsage(`--${flag} stands with --export`)
  const client = await connect(given, terminal)
  const request = firmId === undefined ? {} : { firmId }
  return (await client.operations.verifyAudit(request, { signal: terminal.signal })).data
}

async function verifyOffline(given: Given, terminal: Terminal, file: string, firmId: string | undefined) {
  const [heads, keys] = [given.flags.get('heads'), textOf(given, 'keys')]
  if (!Array.isArray(heads) || keys === undefined)
    throw new WrongUsage('--export needs --heads, signed heads that were kept, and --keys, the public keys')
  await checkFile(file)
  const keySet = await readJsonFile(keys, terminal)
  return verifyAuditExport({ file, heads: readSignedHeads(heads), keySet, firmId })
}

const tell = (verified: boolean, good: string, bad: string, terminal: Terminal) =>
  terminal.print(verified ? terminal.style('green', good) : terminal.style('red', bad))

async function showTable(rows: readonly object[], terminal: Terminal): Promise<void> {
  for (const line of renderTable(rows as Record<string, unknown>[], terminal).lines)
    await terminal.print(line)
}

export const verifyVerbs: readonly Verb[] = [verifyBooks, verifyAudit]
