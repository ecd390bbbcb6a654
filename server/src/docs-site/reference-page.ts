/**
 * The reference: a page for each operation with a form that calls it, its fields and its examples, and the list of all
 * operations.
 */
import { type Audience, codeLists, type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import { describeCallers, describeYours, renderCodeSamples, renderOpenApi } from '@clearing/protocol/openapi'
import { Marked } from 'marked'
import { referencePath } from './contents.ts'
import { escapeHtml } from './html.ts'
import type { Heading } from './markdown.ts'
import { renderFields, type Schema, type Schemas } from './reference-fields.ts'

export interface ReferencePage {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  /** The words by which the search finds the page. */
  readonly text: string
}

const groups: readonly { audience: Audience; title: string; about: string; clientId: string }[] = [
  {
    audience: 'firm',
    title: 'Client firms',
    about: 'Under `/account-api/v1`, with a token of the firm.',
    clientId: 'alpha',
  },
  {
    audience: 'operations',
    title: 'Operations',
    about:
      'Under `/operations-api/v1`, with a token of a credential of the clearing firm. People call them in the console, as their role allows.',
    clientId: 'operations',
  },
  {
    audience: 'sandbox',
    title: 'Sandbox',
    about:
      'Under `/sandbox-api/v1`, with a token of any credential of the sandbox. Production does not have them.',
    clientId: 'alpha',
  },
]

const all = Object.entries(operations) as [string, OperationDefinition][]
const marked = new Marked({ gfm: true })
function prose(text: string): string {
  return marked.parse(text, { async: false })
}

/** The list of all operations. */
export function renderReferenceIndex(): { readonly html: string; readonly headings: readonly Heading[] } {
  const parts = groups.map(({ audience, title, about }) => {
    const rows = all
      .filter(([, operation]) => operation.audience === audience)
      .map(
        ([name, { summary }]) =>
          `<li><a class="operation-row" href="${referencePath}/${name}"><span class="operation-name">${name}</span><span class="operation-summary">${escapeHtml(summary)}</span></a></li>`,
      )
    return `<h2 id="${audience}">${title}</h2>${prose(about)}<ul class="operations">${rows.join('')}</ul>`
  })
  const intro = prose(
    'Every operation is a POST with a JSON body, and can be called from its page. A token comes from `POST /identity/connect/token` ([how](/docs/guides/start-in-five-minutes)). The contract is also there as [OpenAPI](/openapi.json) (also as [3.0](/openapi-3.0.json)), [AsyncAPI](/asyncapi.json), [Arazzo](/arazzo.json) and a [Postman collection](/postman.json).',
  )
  return {
    html: `<h1>Reference</h1>${intro}${parts.join('\n')}`,
    headings: groups.map(({ audience, title }) => ({ id: audience, text: title, depth: 2 })),
  }
}

interface Contract {
  readonly paths: Readonly<Record<string, { readonly post: Described }>>
  readonly components: { readonly schemas: Schemas }
}
interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

/** Renders the page of one operation. */
export function openReference(serverUrl: string): (name: string) => ReferencePage {
  const contract = renderOpenApi({ serverUrl }) as unknown as Contract
  const { schemas } = contract.components
  return (name) => {
    const operation: OperationDefinition = operations[name as keyof typeof operations]
    const path = pathOf(name, operation.audience)
    const { responses } = contract.paths[path]?.post ?? { responses: {} }
    const parts = [
      ['Try it', renderTry(name, operation)],
      ['Examples', renderExamples(name, operation, serverUrl)],
      ['Request', renderRequest(operation, contract.paths[path]?.post, schemas)],
      ['Response', renderResponse(operation, responses['200']?.content, schemas)],
    ] as const
    const idOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')
    const sections = parts.map(([title, html]) => `<h2 id="${idOf(title)}">${title}</h2>${html}`)
    return {
      title: name,
      html: `<article class="operation"><h1>${name}</h1><p class="lead">${escapeHtml(operation.summary)}.</p>
${prose(operation.description)}${renderFacts(name, operation)}${describeCallers(name, operation.audience).map(prose).join('')}
${sections.join('\n')}</article>`,
      headings: parts.map(([title]) => ({ id: idOf(title), text: title, depth: 2 })),
      text: `${operation.summary}. ${operation.description} ${fieldNames(operation.request)} ${fieldNames(operation.data)}`,
    }
  }
}

/** Every name of a field once, so that the search finds operations by their fields. */
function fieldNames(shape: object): string {
  const names = new Set<string>()
  JSON.stringify(shape, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
    return value
  })
  return [...names].join(' ')
}

function renderFacts(name: string, operation: OperationDefinition): string {
  const { audience, scope, writes, inSandbox, origin, deprecated } = operation
  const scopeLabel = codeLists.scope.find(({ value }) => value === scope)?.label ?? ''
  const ends = deprecated?.sunset === undefined ? '' : `, ends ${deprecated.sunset}`
  const facts = [
    ['Address', `<code>POST ${pathOf(name, audience)}</code>`],
    inSandbox && ['In the sandbox', `<code>POST ${pathOf(name, 'sandbox')}</code> for client firms`],
    ['Scope', `<code>${scope}</code> ${escapeHtml(scopeLabel)}`],
    ['Kind', writes ? 'write: takes an <code>Idempotency-Key</code>' : 'read'],
    ['Origin', origin === 'specification' ? 'specification' : 'extension of the specification'],
    deprecated && ['Deprecated', `since ${deprecated.since}${ends}`],
  ].filter((fact) => Array.isArray(fact))
  return `<dl>${facts.map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`).join('')}</dl>`
}

/** The form that `reference.js` sends. */
function renderTry(name: string, operation: OperationDefinition): string {
  const { audience, body, writes, examples } = operation
  const [{ request, lines = '' }] = examples
  const clientId = groups.find((group) => group.audience === audience)?.clientId ?? ''
  const text = JSON.stringify(request, undefined, 2)
  const rows = Math.min(text.split('\n').length + 1, 18)
  const more = {
    json: '',
    multipart: '<label>File<input type="file" name="file"></label>',
    lines: `<label>Lines<textarea name="lines" rows="6" spellcheck="false">${escapeHtml(lines)}</textarea></label>`,
  }[body]
  return `${describeYours(examples[0]).map(prose).join('')}
<form class="try-form" data-path="${pathOf(name, audience)}" data-body="${body}" data-writes="${writes}">
<div class="credential"><label>Client id<input name="clientId" value="${clientId}" autocomplete="off" spellcheck="false"></label>
<label>Client secret<input name="clientSecret" value="${clientId}-sandbox-secret" autocomplete="off" spellcheck="false"></label></div>
<label>${body === 'lines' ? 'Settings' : 'Request'}<textarea name="request" rows="${rows}" spellcheck="false">${escapeHtml(text)}</textarea></label>
${more}
<p><button type="submit" class="button">Send</button> <output aria-live="polite"></output></p>
<pre class="answer" hidden><code></code></pre>
</form>`
}

function renderExamples(name: string, operation: OperationDefinition, serverUrl: string): string {
  const samples = renderCodeSamples(name, operation, serverUrl).map(
    ({ label, source }, at) =>
      `<details${at === 0 ? ' open' : ''} data-sample="${label}"><summary>${label}</summary><pre data-language="${label}"><code>${escapeHtml(source)}</code></pre></details>`,
  )
  return `<div class="samples">${samples.join('')}</div>`
}

function renderRequest(
  operation: OperationDefinition,
  described: Described | undefined,
  schemas: Schemas,
): string {
  if (operation.body === 'lines')
    return prose(
      'Lines as NDJSON or CSV, streamed. [The books](/docs/books) describes their fields. Settings are parameters of the address.',
    )
  const [media] = Object.values(described?.requestBody?.content ?? {})
  return renderFields(media?.schema ?? {}, schemas, prose)
}

function renderResponse(
  operation: OperationDefinition,
  content: Readonly<Record<string, { readonly schema?: Schema }>> = {},
  schemas: Schemas,
): string {
  if (operation.answers === 'file') return prose('The file, as an attachment.')
  const name = content['application/json']?.schema?.$ref?.split('/').at(-1) ?? ''
  const data = schemas[name]?.properties?.data ?? {}
  return `${prose('The fields of `data`. Refusals have `errors` instead: see [Errors](/docs/guides/errors).')}${renderFields(data, schemas, prose)}`
}
