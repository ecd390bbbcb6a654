/**
 * The documentation as a reader sees it: every link leads to a page, the search finds entries, and pages contain no
 * inline scripts.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { operations, pathOf } from '@clearing/protocol'
import Fastify, { type FastifyInstance } from 'fastify'
import MiniSearch from 'minisearch'
import { mountPublic } from '../http/mount-public.ts'

let app: FastifyInstance
before(() => {
  app = Fastify()
  mountPublic(app, {
    serverUrl: 'https://clearing.example',
    docs: true,
    whyNotReady: async () => undefined,
    auditKeys: async () => ({ own: new Map(), other: new Map() }),
    readStatus: async () => ({
      status: 'Operational',
      checkedOn: '2026-11-23T09:00:00Z',
      components: [],
      incidents: [],
    }),
    renderMetrics: undefined,
  })
})
after(() => app?.close())

function get(url: string) {
  return app.inject({ method: 'GET', url })
}
function linksOf(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
}
function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

/** Every page that can be reached from the first one, with its HTML. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const open = ['/docs']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (pages.has(path)) continue
    const answer = await get(path)
    assert.equal(answer.statusCode, 200, `${path} is linked and returns ${answer.statusCode}`)
    const isPage = String(answer.headers['content-type']).startsWith('text/html')
    pages.set(path, isPage ? answer.body : '')
    if (!isPage) continue
    for (const link of linksOf(answer.body)) {
      if (link.startsWith('/')) open.push(link.split('#')[0] ?? link)
    }
  }
  return pages
}

describe('the pages of the documentation', () => {
  test('can all be reached from the first page, and every link leads to an existing page and anchor', async () => {
    const pages = await crawl()
    assert.ok(
      pages.has('/docs/guides/errors') && pages.has('/docs/reference') && pages.has('/docs/changelog'),
    )
    const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]))
    for (const [path, html] of pages) {
      for (const link of linksOf(html)) {
        assert.match(link, /^(#|\/|https?:|mailto:)/, `${path} links to ${link}`)
        const [target = '', anchor] = link.split('#')
        if (anchor === undefined || link.includes(':')) continue
        const there = ids.get(target === '' ? path : target)
        assert.ok(there?.has(anchor), `${path} links to ${link}, which is not there`)
      }
    }
  })

  test('contain no inline script or style, and their policy forbids both', async () => {
    for (const [path, html] of await crawl()) {
      if (html === '') continue
      assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\sstyle="|\son[a-z]+="/, path)
      const policy = String((await get(path)).headers['content-security-policy'])
      assert.match(policy, /script-src 'self';/)
      assert.doesNotMatch(policy, /unsafe/)
    }
  })

  test('show the states of an application as a diagram, each state once', async () => {
    const { body } = await get('/docs/guides/onboarding')
    assert.doesNotMatch(body, /stateDiagram/)
    const drawing = /<svg class="states".*?<\/svg>/s.exec(body)?.[0] ?? ''
    for (const state of ['Submitted', 'ManualReview', 'CreationComplete']) {
      assert.equal(drawing.split(`>${state}</text>`).length, 2, state)
    }
    assert.equal(drawing.split('class="state waiting"').length, 3)
  })

  test('show each operation with its address, a request form, its fields and an example in three languages', async () => {
    for (const [name, { audience, body: kind, request, summary }] of Object.entries(operations)) {
      const { body } = await get(`/docs/reference/${name}`)
      const path = pathOf(name, audience)
      for (const part of [`POST ${path}<`, `https://clearing.example${path}`, `data-path="${path}"`])
        assert.ok(body.includes(part), `${name}: ${part}`)
      for (const language of ['curl', 'TypeScript', 'Python'])
        assert.ok(body.includes(`data-sample="${language}"`), `${name} in ${language}`)
      assert.equal(body.split(`>${summary}.<`).length, 2, `${name}: its summary appears once`)
      const { properties = {} } = request as { properties?: object }
      for (const field of kind === 'lines' ? [] : Object.keys(properties))
        assert.ok(body.includes(`<li><code>${field}</code>`), `${name}: ${field}`)
    }
  })

  test('state what a shared block means in its place, and the values of a list of codes', async () => {
    const { body } = await get('/docs/reference/new-account')
    assert.match(body, /Legal address\. An empty object means the mailing address\./)
    assert.match(body, /Address of the employer\./)
    assert.match(
      body,
      /Where the funds of the account come from\. Values of the list <code>sourceOfFunds<\/code>/,
    )
  })
  test('have a page for readers at an address without a page, and are found with a final slash', async () => {
    const missing = await get('/docs/guides/nowhere?from=mail')
    assert.equal(missing.statusCode, 404)
    assert.match(String(missing.headers['content-type']), /^text\/html/)
    assert.match(missing.body, /<h1>There is no such page<\/h1>/)
    for (const link of linksOf(missing.body).filter((one) => one.startsWith('/docs/assets/')))
      assert.equal((await get(link)).statusCode, 200, link)
    const { statusCode, headers } = await get('/docs/guides/errors/')
    assert.deepEqual([statusCode, headers.location], [308, '/docs/guides/errors'])
    assert.equal((await get('/')).headers.location, '/docs')
  })

  test('are served as Markdown at the address with .md, and the links between them work', async () => {
    const { statusCode, headers, body } = await get('/docs/guides/events.md')
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'])
    assert.match(body, /^# Events\n/)
    const seen = new Set<string>()
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const page = await get(path)
      assert.equal(page.statusCode, 200, path)
      for (const [, to = ''] of page.body.matchAll(/\]\(([^)\s]+\.md)(?:#[^)]*)?\)/g))
        if (!/^[a-z]+:/.test(to)) await follow(new URL(to, `http://x${path}`).pathname)
    }
    await follow('/docs/guides/events.md')
    assert.ok(seen.size > 40 && seen.has('/docs/operating.md') && seen.has('/docs/guides/command-line.md'))
  })

  test('redirect from the old address of the operations to the reference', async () => {
    const { statusCode, headers } = await get('/docs/operations')
    assert.deepEqual([statusCode, headers.location], [308, '/docs/reference'])
  })
})

/** The search of the pages, with their own script. */
async function loadSearch(): Promise<(query: string) => string[]> {
  const script = `${(await get('/docs/assets/find.js')).body};({ searchOptions, findEntries })`
  const { searchOptions, findEntries } = runInNewContext(script)
  const index = MiniSearch.loadJSON((await get('/docs/assets/search.json')).body, searchOptions)
  return (query) => findEntries(index, query).map(({ id }: { id: string }) => id)
}

describe('the search', () => {
  test('finds headings, operations, fields and error codes', async () => {
    const find = await loadSearch()
    assert.ok(find('new-account').includes('/docs/reference/new-account'))
    for (const field of ['marginIndicator', 'phoneNumberCell'])
      assert.ok(find(field).includes('/docs/reference/new-account'), field)
    assert.ok(find('buyingPower').includes('/docs/reference/position-summary'))
    assert.ok(find('follow-ups')[0]?.startsWith('/docs/guides/onboarding#'))
    assert.ok(find('ERR.1012').some((id) => id.startsWith('/docs/guides/errors#')))
    assert.deepEqual(find('quidditch'), [])
  })

  test('finds guides for the words of a client firm before the decisions of the project', async () => {
    const find = await loadSearch()
    for (const [query, page] of [
      ['pagination', '/docs/guides/listing-accounts#pages'],
      ['idempotency', '/docs/guides/'],
      ['time zone', '/docs/guides/going-to-production#times'],
      ['timezone', '/docs/guides/going-to-production#times'],
      ['throttling', '/docs/guides/errors#statuses'],
      ['mutual TLS', '/docs/guides/bound-tokens#'],
      ['IP allowlist', '/docs/guides/firms#networks'],
      ['ESM CommonJS', '/docs/sdk/readme#es-modules-and-commonjs'],
      ['decimal precision', '/docs/sdk/readme#exact-decimals'],
      ['refresh token', '/docs/guides/start-in-five-minutes#2-get-a-token'],
      ['ACH transfer', '/docs/guides/coming-from-other-apis#differences'],
      ['sandbox clock', '/docs/guides/sandbox#the-clock'],
    ] as const)
      assert.ok(find(query)[0]?.startsWith(page), `${query}: ${find(query).slice(0, 3)}`)
  })

  test('finds entries with some of the words if no entry has all of them', async () => {
    assert.ok((await loadSearch())('webhook quidditch').includes('/docs/guides/events#webhooks'))
  })
})

test('a page is compressed for a browser that accepts gzip and has the same content', async () => {
  const url = '/docs/reference/new-account'
  const headers = { 'accept-encoding': 'gzip, deflate' }
  const [plain, packed] = [await get(url), await app.inject({ method: 'GET', url, headers })]
  assert.deepEqual(
    [plain.headers['content-encoding'], packed.headers['content-encoding']],
    [undefined, 'gzip'],
  )
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
  const [sent, whole] = [packed.rawPayload.length, plain.rawPayload.length]
  assert.ok(sent * 8 < whole, `${sent} of ${whole} bytes`)
})

test('a page responds to HEAD as to GET, without a body', async () => {
  const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: '/docs/guides/errors' })
  assert.deepEqual([statusCode, body], [200, ''])
  assert.equal(headers['content-type'], (await get('/docs/guides/errors')).headers['content-type'])
})

test('llms.txt links to every guide and to the contracts of operations and events', async () => {
  const { body, statusCode } = await get('/llms.txt')
  assert.equal(statusCode, 200)
  const links = [...body.matchAll(/\]\(https:\/\/clearing\.example([^)]+)\)/g)].map(([, path = '']) => path)
  for (const path of links) assert.equal((await get(path)).statusCode, 200, path)
  const pages = [...(await crawl()).keys()].filter((path) => path.startsWith('/docs/guides/'))
  assert.deepEqual(
    pages.filter((path) => !links.includes(path)),
    [],
  )
  assert.ok(links.includes('/openapi.json') && links.includes('/asyncapi.json'))
  assert.equal((await get('/asyncapi.json')).json().asyncapi, '3.0.0')
})
