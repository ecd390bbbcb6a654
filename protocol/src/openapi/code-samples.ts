/**
 * Renders the first example of each operation as a command, a TypeScript program and a Python program, for the
 * reference.
 */
import { type Audience, type OperationDefinition, pathOf } from '../operation.ts'
import { camelCase } from './schema-json.ts'

export type CodeSample = {
  readonly lang: 'Shell' | 'TypeScript' | 'Python'
  readonly label: string
  readonly source: string
}

/** `server` is the address without a trailing slash. The token comes from `$TOKEN`, as in the guides. */
export function renderCodeSamples(
  name: string,
  operation: OperationDefinition,
  server: string,
  audience: Audience = operation.audience,
): CodeSample[] {
  const call: Call = {
    name,
    operation,
    audience,
    url: server + pathOf(name, audience),
    request: operation.examples[0].request as Record<string, unknown>,
    lines: operation.examples[0].lines ?? '',
  }
  return [
    { lang: 'Shell', label: 'curl', source: renderCurl(call) },
    { lang: 'TypeScript', label: 'TypeScript', source: renderTypeScript(call, server) },
    { lang: 'Python', label: 'Python', source: renderPython(call) },
  ]
}

interface Call {
  readonly name: string
  readonly operation: OperationDefinition
  readonly audience: Audience
  readonly url: string
  readonly request: Readonly<Record<string, unknown>>
  readonly lines: string
}

const sampleFile = 'document.pdf'

function textOf(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
function inQuotes(text: string) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
function indent(text: string, spaces: number) {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}

function queryOf(request: Call['request']): string {
  const query = new URLSearchParams(Object.entries(request).map(([key, value]) => [key, textOf(value)]))
  return query.size === 0 ? '' : `?${query}`
}

function renderCurl({ operation, url, request, lines }: Call): string {
  const token = `-H "Authorization: Bearer $TOKEN"`
  const output = operation.answers === 'file' ? ' --output answer' : ''
  switch (operation.body) {
    case 'json':
      return [
        `curl -s ${url}${output} \\`,
        `  ${token} -H 'Content-Type: application/json' \\`,
        `  -d ${inQuotes(JSON.stringify(request, undefined, 2))}`,
      ].join('\n')
    case 'multipart': {
      const fields = Object.entries(request).map(
        ([key, value]) => `-F ${inQuotes(`${key}=${textOf(value)}`)}`,
      )
      return [
        `curl -s ${url} ${token} \\`,
        `  ${[...fields, `-F file=@${sampleFile}`].join(' \\\n  ')}`,
      ].join('\n')
    }
    case 'lines':
      return [
        `curl -s ${inQuotes(url + queryOf(request))} \\`,
        `  ${token} -H 'Content-Type: text/csv' \\`,
        `  --data-binary ${inQuotes(lines)}`,
      ].join('\n')
    default:
      return operation.body satisfies never
  }
}

/** Renders an object literal, with names unquoted where possible. */
function asTypeScript(value: unknown) {
  return JSON.stringify(value, undefined, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, "'$1'")
}

function renderTypeScript({ name, operation, audience, request, lines }: Call, server: string): string {
  const method = `${audience === 'firm' ? '' : `${audience}.`}${camelCase(name)}`
  const members = Object.keys(request).length === 0 ? [] : [asTypeScript(request).slice(2, -2)]
  const extra = {
    json: [],
    multipart: [`  file: { name: '${sampleFile}', content: await readFile('${sampleFile}') },`],
    lines: ['  lines: { csv },'],
  }[operation.body]
  const body = [...members.map((text) => (extra.length > 0 ? `${text},` : text)), ...extra]
  const argument = body.length === 0 ? '{}' : `{\n${body.join('\n')}\n}`
  const isFile = operation.answers === 'file'
  const files = [...(operation.body === 'multipart' ? ['readFile'] : []), ...(isFile ? ['writeFile'] : [])]
  return [
    ...(files.length === 0 ? [] : [`import { ${files.join(', ')} } from 'node:fs/promises'`]),
    "import { createClient } from '@clearing/sdk'",
    '',
    `const client = createClient({ baseUrl: '${server}', clientId, clientSecret })`,
    ...(operation.body === 'lines' ? [`const csv = \`${lines}\``] : []),
    `const ${isFile ? 'file' : '{ data }'} = await client.${method}(${argument})`,
    ...(isFile ? ['await writeFile(file.fileName, file.body)'] : []),
  ].join('\n')
}

/** Renders JSON as a Python literal. */
function asPython(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[\n    ${value.map((item) => `${indent(asPython(item), 4)},`).join('\n    ')}\n]`
  if (typeof value === 'object') {
    const members = Object.entries(value as object)
    if (members.length === 0) return '{}'
    return `{\n    ${members.map(([key, item]) => `${JSON.stringify(key)}: ${indent(asPython(item), 4)},`).join('\n    ')}\n}`
  }
  return JSON.stringify(value)
}

function renderPython({ operation, url, request, lines }: Call): string {
  const token = `headers={"Authorization": f"Bearer {token}"`
  const words = {
    json: [`${token}},`, `json=${asPython(request)},`],
    multipart: [`${token}},`, `data=${asPython(request)},`, `files={"file": open("${sampleFile}", "rb")},`],
    lines: [`params=${asPython(request)},`, `${token}, "Content-Type": "text/csv"},`, 'data=csv.encode(),'],
  }[operation.body]
  const answer =
    operation.answers === 'file'
      ? ['open("answer", "wb").write(answer.content)']
      : ['data = answer.json()["data"]']
  return [
    'import requests',
    '',
    ...(operation.body === 'lines' ? [`csv = """\\\n${lines}"""`] : []),
    'answer = requests.post(',
    `    "${url}",`,
    ...words.map((word) => `    ${indent(word, 4)}`),
    ')',
    'answer.raise_for_status()',
    ...answer,
  ].join('\n')
}
