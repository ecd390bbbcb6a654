/**
 * Every operation as a verb of the same name, with the members of its request as flags. The verbs derive from the table
 * of operations, so a new operation needs no edit here. Operations of the sandbox are below `sandbox`.
 */
import { type Audience, type OperationDefinition, type OperationName, operations } from '@clearing/protocol'
import { audiencesOf } from '@clearing/sdk'
import { callOperation } from './call-operation.ts'
import { formats } from './load-file.ts'
import { type Field, fieldsOf } from './request-flags.ts'
import type { Argument, Flag, Verb } from './verb.ts'

export interface OperationVerbSettings {
  readonly name: OperationName
  readonly audience: Audience
  readonly path: readonly string[]
  readonly group: string
  /** Members that are arguments. The default is the required identifiers, or the only required or only member. */
  readonly members?: readonly string[]
  /** Members with special values. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly summary?: string
}

const groups: Record<Audience, string> = {
  firm: 'Operations of firms',
  operations: 'Operations of the clearing firm',
  sandbox: 'The sandbox',
}

/** The headings of the operations. */
export const operationGroups: readonly string[] = Object.values(groups)

export function operationVerbs(): Verb[] {
  return (Object.keys(operations) as OperationName[]).flatMap((name) =>
    audiencesOf(operations[name]).map((audience) =>
      makeOperationVerb({
        name,
        audience,
        path: audience === 'sandbox' ? ['sandbox', name] : [name],
        group: groups[audience],
      }),
    ),
  )
}

export function makeOperationVerb(settings: OperationVerbSettings): Verb {
  const { name, path, group, fixed = {} } = settings
  const operation: OperationDefinition = operations[name]
  const fields = fieldsOf(operation).filter((field) => !((field.path[0] as string) in fixed))
  const needed = fields.filter(({ required }) => required)
  const sole = fields.length === 1 ? fields[0] : needed.length === 1 ? needed[0] : undefined
  const isMember = (field: Field) => {
    const [member = '', ...deeper] = field.path
    if (deeper.length > 0 || field.kind !== 'text') return false
    return settings.members?.includes(member) ?? (field === sole || (field.required && isIdentifier(member)))
  }
  const members = fields.filter(isMember)
  return {
    path,
    group,
    summary: settings.summary ?? operation.summary,
    description: operation.description,
    arguments: members.map(makeArgument),
    flags: [...ownFlags(operation), ...fields.map(({ flag }) => flag)],
    run: (given, terminal) =>
      callOperation({ ...settings, fixed, operation, fields, members }, given, terminal),
  }
}

function isIdentifier(name: string) {
  return name === 'accountNumber' || name.endsWith('Id')
}

/** Optional for the parser, since a file or a flag can supply the value too. */
function makeArgument({ path, flag }: Field): Argument {
  return {
    name: path[0] as string,
    summary: flag.summary,
    optional: true,
    ...(flag.choices === undefined ? {} : { choices: flag.choices }),
  }
}

const fileSummaries: Record<OperationDefinition['body'], string> = {
  json: 'the request as a JSON object; - reads standard input; flags override its members',
  multipart: 'the file to upload; - reads standard input',
  lines: 'the lines, CSV or NDJSON by the file extension; - reads standard input',
}

const fileNameFlag: Flag = {
  name: 'file-name',
  value: 'name',
  summary: 'the name of the document; by default that of the file, and required for standard input',
}

function ownFlags({ body, writes, answers, data }: OperationDefinition): Flag[] {
  const flags: Flag[] = [{ name: 'file', value: 'path', summary: fileSummaries[body] }]
  if (body === 'lines') flags.push(...lineFlags)
  if (body === 'multipart') flags.push(fileNameFlag)
  if (isPaged(data)) flags.push({ name: 'all', summary: 'all pages instead of the first' })
  if (answers === 'file') {
    flags.push({
      name: 'output',
      value: 'path',
      summary: 'the file to write; - writes standard output, also the default if that is not a terminal',
    })
    flags.push({ name: 'force', summary: 'replace an existing file' })
  }
  if (writes) {
    const summary = 'requests with the same key take effect once'
    flags.push({ name: 'idempotency-key', value: 'key', summary })
  }
  flags.push({ name: 'dry-run', summary: 'show the request without sending it' })
  return flags
}

/** Flags of the verbs that load a file of lines. */
export const lineFlags: readonly Flag[] = [
  {
    name: 'format',
    value: 'format',
    summary: 'the format, if the file extension does not name it',
    choices: formats,
  },
  {
    name: 'rejects',
    value: 'path',
    summary: 'the file for rejected lines; by default beside the loaded file',
  },
]

function isPaged(data: object): boolean {
  const { properties = {} } = data as { properties?: object }
  return 'next' in properties
}
