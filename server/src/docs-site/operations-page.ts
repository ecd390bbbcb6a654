/** Every operation with its address, scope, limits and its first example in three languages; made from the contract's table. */
import { codeLists, type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import { describeCallers, describeYours, renderCodeSamples } from '@clearing/protocol/openapi'
import { Marked } from 'marked'
import { escapeHtml } from './html.ts'
import type { Heading, Section } from './markdown.ts'

export interface OperationsPage {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

const groups = [
  ['firm', 'Client firms', 'Under `/account-api/v1`, with a token of the firm:', 'alpha'],
  [
    'operations',
    'Operations',
    'Under `/operations-api/v1`, with a token of a credential of the clearing firm. People call them in the console, as their role allows.',
    'operations',
  ],
  [
    'sandbox',
    'Sandbox',
    'Under `/sandbox-api/v1`, with a token of any credential of the sandbox; production does not have them.',
    'alpha',
  ],
] as const

/** How the samples of a group come by the token that they send. */
function tokenCommand(serverUrl: string, clientId: string) {
  return `
\`\`\`sh
TOKEN=$(curl -s ${serverUrl}/identity/connect/token \\
  -d client_id=${clientId} -d client_secret=${clientId}-sandbox-secret |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
\`\`\`
`
}

export function renderOperationsPage(serverUrl: string): OperationsPage {
  const marked = new Marked({ gfm: true })
  const prose = (text: string) => marked.parse(text, { async: false })
  const headings: Heading[] = [{ id: 'operations', text: 'Operations', depth: 1 }]
  const sections: Section[] = []
  const all = Object.entries(operations) as [string, OperationDefinition][]
  const parts = groups.map(([audience, title, about, clientId]) => {
    headings.push({ id: audience, text: title, depth: 2 })
    const rendered = all
      .filter(([, operation]) => operation.audience === audience)
      .map(([name, operation]) => {
        headings.push({ id: name, text: name, depth: 3 })
        sections.push({ id: name, heading: name, text: `${operation.summary}. ${operation.description}` })
        return renderOperation(name, operation, serverUrl, prose)
      })
    return `<h2 id="${audience}">${title}</h2>${prose(`${about}\n${tokenCommand(serverUrl, clientId)}`)}${rendered.join('\n')}`
  })
  const intro = prose(
    'Every operation is called with POST. Examples run against the sandbox as they stand, with the token in `$TOKEN`, but for values of your own where they say so. The whole contract is in [OpenAPI](/openapi.json), and as a [Postman collection](/postman.json).',
  )
  return { html: `<h1 id="operations">Operations</h1>${intro}${parts.join('\n')}`, headings, sections }
}

function renderOperation(
  name: string,
  operation: OperationDefinition,
  serverUrl: string,
  prose: (text: string) => string,
): string {
  const { audience, scope, writes, inSandbox, origin, deprecated } = operation
  const scopeLabel = codeLists.scope.find(({ value }) => value === scope)?.label ?? ''
  const facts = [
    ['Address', `<code>POST ${pathOf(name, audience)}</code>`],
    ...(inSandbox === undefined
      ? []
      : [['In the sandbox', `<code>POST ${pathOf(name, 'sandbox')}</code> for client firms`]]),
    ['Scope', `<code>${scope}</code> ${escapeHtml(scopeLabel)}`],
    ['Kind', writes ? 'write: takes an <code>Idempotency-Key</code>' : 'read'],
    ['Origin', origin === 'specification' ? 'specification' : 'extension of the specification'],
    ...(deprecated === undefined
      ? []
      : [
          [
            'Deprecated',
            `since ${deprecated.since}${deprecated.sunset === undefined ? '' : `, ends ${deprecated.sunset}`}`,
          ],
        ]),
  ]
  const samples = renderCodeSamples(name, operation, serverUrl)
  const notes = [...describeCallers(name, audience), ...describeYours(operation.examples[0])]
  return `<section class="operation">
<h3 id="${name}"><code>${name}</code> <a class="anchor" href="#${name}" aria-label="Link to this operation">#</a></h3>
<p class="summary">${escapeHtml(operation.summary)}.</p>
${prose(operation.description)}
<dl>${facts.map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`).join('')}</dl>
${notes.map(prose).join('')}
<div class="samples">${samples
    .map(
      ({ label, source }, at) =>
        `<details${at === 0 ? ' open' : ''} data-sample="${label}"><summary>${label}</summary><pre data-language="${label}"><code>${escapeHtml(source)}</code></pre></details>`,
    )
    .join('')}</div>
</section>`
}
