/**
 * The frame of every page of the documentation: menu, search, content, and the headings of the page. Nothing in it is
 * inline.
 */
import { type Chapter, referencePath } from './contents.ts'
import { escapeHtml } from './html.ts'
import type { Heading } from './markdown.ts'

export interface Framed {
  readonly path: string
  readonly title: string
  readonly html: string
  readonly headings?: readonly Heading[]
}

export function renderFrame(
  chapters: readonly Chapter[],
  { path, title, html, headings = [] }: Framed,
): string {
  const menu = chapters.map((chapter) => renderChapter(chapter, path)).join('\n')
  const outline = headings.filter(({ depth }) => depth === 2 || depth === 3)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Clearing Account Service</title>
<link rel="stylesheet" href="/docs/assets/site.css">
<script src="/docs/assets/minisearch.js" defer></script>
<script src="/docs/assets/find.js" defer></script>
<script src="/docs/assets/site.js" defer></script>
${html.includes('class="try-form"') ? '<script src="/docs/assets/reference.js" defer></script>' : ''}
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<button id="menu-button" type="button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="home" href="/docs">Clearing Account Service</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="found">
<ul id="found" hidden></ul>
</div>
<a class="try" href="/docs/reference">Reference</a>
<a href="/status">Status</a>
</header>
<div class="columns">
<nav id="menu" aria-label="Documentation">
${menu}
</nav>
<main id="content">
${html}
</main>
<aside aria-label="On this page">
${outline.length < 2 ? '' : renderOutline(outline)}
</aside>
</div>
</body>
</html>
`
}

function renderChapter({ title, pages }: Chapter, here: string): string {
  const links = pages.map((page) => {
    const isHere = page.path === here || (page.path === referencePath && here.startsWith(`${referencePath}/`))
    const current = isHere ? ' aria-current="page"' : ''
    return `<li><a href="${page.path}"${current}>${escapeHtml(page.title)}</a></li>`
  })
  const open = title !== 'Decisions' || pages.some((page) => page.path === here)
  return `<details${open ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${links.join('')}</ul></details>`
}

function renderOutline(headings: readonly Heading[]): string {
  return `<h2>On this page</h2><ul>${headings
    .map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('')}</ul>`
}

/** The first page: the readers, each with their pages. */
export function renderHome(chapters: readonly Chapter[]): string {
  const cards = chapters
    .filter(({ title }) => title !== 'Decisions' && title !== 'More')
    .map(
      ({ title, about, pages }) =>
        `<section class="card"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p><ul>${pages
          .map((page) => `<li><a href="${page.path}">${escapeHtml(page.title)}</a></li>`)
          .join('')}</ul></section>`,
    )
  return `<div class="home-page">
<h1>Clearing Account Service</h1>
<p class="lead">Accounts, onboarding, documents, positions and activity of a securities clearing firm, over HTTP and JSON.</p>
<p><a class="button" href="/docs/guides/start-in-five-minutes">Start in five minutes</a> <a class="button quiet" href="/docs/reference">All operations</a>
<a class="button quiet" href="/openapi.json">OpenAPI</a> <a class="button quiet" href="/asyncapi.json">AsyncAPI</a> <a class="button quiet" href="/arazzo.json">Arazzo</a> <a class="button quiet" href="/postman.json">Postman</a></p>
<div class="cards">${cards.join('\n')}</div>
</div>`
}
