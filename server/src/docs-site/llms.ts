/** `/llms.txt`: the documentation as a list of links with a sentence each, for programs that read it (llmstxt.org). */
import { listChapters } from './contents.ts'

export function renderLlms(serverUrl: string): string {
  const base = serverUrl.replace(/\/+$/, '')
  const chapters = listChapters().map(({ title, about, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${base}${page.path})`)
    return `## ${title}\n\n${about}\n\n${links.join('\n')}\n`
  })
  const contract = [
    `- [OpenAPI](${base}/openapi.json): every operation, shape and error`,
    `- [OpenAPI 3.0](${base}/openapi-3.0.json): the same without unions, for generators that need it`,
    `- [AsyncAPI](${base}/asyncapi.json): every event, in webhooks and in the stream`,
    `- [Arazzo](${base}/arazzo.json): the main flows as workflows that tools run, such as Redocly Respect`,
    `- [Status](${base}/status.json): the state of the components of the service, and incidents`,
    `- [Postman collection](${base}/postman.json): every example, in an order that runs`,
  ]
  return [
    '# Clearing Account Service',
    '',
    '> An HTTP and JSON interface of a securities clearing firm: accounts, onboarding, documents, positions and activity. Every operation is a POST with a Bearer token; every answer is in one envelope.',
    '',
    ...chapters,
    '## The contract',
    '',
    ...contract,
    '',
  ].join('\n')
}
