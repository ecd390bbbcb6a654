/**
 * The documentation as it is served: every page is rendered once, at first use, together with the index for
 * the search.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import MiniSearch from 'minisearch'
import {
  listChapters,
  listPictures,
  listReferencePaths,
  type Page,
  projectRoot,
  referencePath,
} from './contents.ts'
import { renderFrame, renderHome } from './frame.ts'
import { lazily } from './lazily.ts'
import { type Rendered, renderMarkdown, targetOf } from './markdown.ts'
import { openReference, renderReferenceIndex } from './reference-page.ts'

export interface Site {
  /** A page as HTML; undefined when there is none at this address. */
  page(path: string): string | undefined
  /** The Markdown of a page, whose links lead to the Markdown of other pages. */
  markdown(page: Page): string
  /** The page that is shown at other addresses. */
  missing(): string
  /** The index for the script in the browser. */
  searchIndex(): string
}

interface Found {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** The options of the index. The script has the same options: see `assets/find.js`. */
const searchOptions = { fields: ['heading', 'page', 'text'], storeFields: ['page', 'heading'] }
const missingPage = `<h1>There is no such page</h1>
<p>Search for it above, or choose a page of the <a href="/docs">documentation</a>.</p>`
/** The length to which the text of a section is indexed. */
const sectionLengthMax = 4_000

export function openSite(serverUrl: string): Site {
  const chapters = listChapters()
  const pages = chapters.flatMap((chapter) => chapter.pages)
  const served = new Map(
    [...pages, ...listPictures()].flatMap(({ file, path }) => (file === undefined ? [] : [[file, path]])),
  )
  const rendered = new Map<string, Rendered>()
  const reference = lazily(() => openReference(serverUrl))
  const operationPaths = listReferencePaths()

  const render = (file: string): Rendered => {
    const known = rendered.get(file)
    if (known !== undefined) return known
    const text = readFileSync(resolve(projectRoot, file), 'utf8')
    const fresh = renderMarkdown(text, file, (target) => served.get(target))
    rendered.set(file, fresh)
    return fresh
  }

  const markdown = ({ file = '' }: Page): string => {
    const pathOf = (target: string) => {
      const path = served.get(target)
      return path !== undefined && target.endsWith('.md') ? `${path}.md` : path
    }
    const isMarkdown = (href: string) => /\.md(#|$)/.test(href)
    return readFileSync(resolve(projectRoot, file), 'utf8').replace(
      /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (link: string, words: string, href: string) => {
        const target = targetOf(href, file, pathOf)
        if (target === undefined) return isMarkdown(href) ? words : link
        return `[${words}](${target})`
      },
    )
  }

  const content = (path: string) => {
    if (path === '/docs') return { title: 'Documentation', html: renderHome(chapters) }
    if (path === referencePath) return { title: 'Reference', ...renderReferenceIndex() }
    const operation = operationPaths.get(path)
    if (operation !== undefined) return reference()(operation)
    const file = pages.find((page) => page.path === path)?.file
    return file === undefined ? undefined : render(file)
  }

  const index = lazily(() => {
    const search = new MiniSearch<Found>(searchOptions)
    for (const page of pages) search.addAll(entriesOf(page))
    return JSON.stringify(search)
  })

  const entriesOf = ({ file, path, title }: Page): Found[] => {
    if (path === referencePath)
      return [...operationPaths].map(([id, name]) => ({
        id,
        page: title,
        heading: name,
        text: reference()(name).text,
      }))
    const sections = file === undefined ? [] : render(file).sections
    return sections.map(({ id, heading, text }) => ({
      id: `${path}#${id}`,
      page: title,
      heading,
      text: text.slice(0, sectionLengthMax),
    }))
  }

  return {
    page: (path) => {
      const found = content(path)
      return found === undefined ? undefined : renderFrame(chapters, { path, ...found })
    },
    markdown,
    missing: () => renderFrame(chapters, { path: '', title: 'There is no such page', html: missingPage }),
    searchIndex: index,
  }
}
