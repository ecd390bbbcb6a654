/** `verify books|audit`: verifies the books or the audit trail. The exit code is 1 if the verification fails. */
import { countOf, type Data } from '@clearing/protocol'
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
  summary: 'Verify the books of all accounts or of one',
  description: 'The exit code is 1 if there is a break.',
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
      const counts = [
        countOf(accounts, 'account'),
        countOf(positions, 'position'),
        countOf(entries, 'entry', 'entries'),
      ].join(', ')
      await tell(
        data.verified,
        `The books tie out: ${counts}.`,
        `${countOf(breaks.length, 'break')} in ${counts}:`,
        terminal,
      )
      if (breaks.length > 0) await showTable(breaks, terminal)
    }
    return data.verified ? 0 : 1
  },
}

type Proof = Data<'verify-books'>

/** Large books are verified in parts. */
function joinParts(one: Proof, other: Proof): Proof {
  return {
    verified: one.verified && other.verified,
    accounts: one.accounts + other.accounts,
    entries: one.entries + other.entries,
    positions: one.positions + other.positions,
    breaks: [...one.breaks, ...other.breaks],
    next: other.next,
  }
}

const verifyAudit: Verb = {
  path: ['verify', 'audit'],
  group,
  summary: 'Verify the audit chains of all firms or of one, or an export of them without the service',
  description:
    'With --export, checks a file of export-audit against signed heads that were kept elsewhere: each row, the chain, and that it was ' +
    'neither truncated nor rewritten up to the newest head. The file must hold all rows of one firm, or of all firms with heads. ' +
    'The exit code is 1 if a row does not match.',
  arguments: [{ name: 'firmId', summary: 'one firm alone', optional: true }],
  flags: [
    { name: 'export', value: 'file', summary: 'the file of export-audit, NDJSON or CSV' },
    {
      name: 'heads',
      value: 'path',
      summary:
        'signed heads: files of the document store, responses of list-audit-heads, or events; a folder stands for all its files',
      repeatable: true,
    },
    { name: 'keys', value: 'file', summary: 'the public keys, as /audit/jwks returns them' },
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
      const good = `The audit chain holds: ${countOf(rows, 'row')} of ${countOf(data.firms.length, 'firm')}.`
      await tell(data.verified, good, 'The audit chain is broken:', terminal)
      await showTable(data.firms, terminal)
    }
    return data.verified ? 0 : 1
  },
}

async function verifyOnline(given: Given, terminal: Terminal, firmId: string | undefined) {
  for (const flag of ['heads', 'keys'])
    if (given.flags.has(flag)) throw new WrongUsage(`--${flag} needs --export`)
  const client = await connect(given, terminal)
  const request = firmId === undefined ? {} : { firmId }
  return (await client.operations.verifyAudit(request, { signal: terminal.signal })).data
}

async function verifyOffline(given: Given, terminal: Terminal, file: string, firmId: string | undefined) {
  const [heads, keys] = [given.flags.get('heads'), textOf(given, 'keys')]
  if (!Array.isArray(heads) || keys === undefined)
    throw new WrongUsage('--export needs --heads (signed heads) and --keys (the public keys)')
  await checkFile(file)
  const keySet = await readJsonFile(keys, terminal)
  return verifyAuditExport({ file, heads: readSignedHeads(heads), keySet, firmId })
}

function tell(verified: boolean, good: string, bad: string, terminal: Terminal) {
  return terminal.print(verified ? terminal.style('green', good) : terminal.style('red', bad))
}

async function showTable(rows: readonly object[], terminal: Terminal): Promise<void> {
  for (const line of renderTable(rows as Record<string, unknown>[], terminal).lines)
    await terminal.print(line)
}

export const verifyVerbs: readonly Verb[] = [verifyBooks, verifyAudit]
