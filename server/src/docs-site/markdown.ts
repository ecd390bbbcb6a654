/**
 * A Markdown file as a part of a page: headings get anchors, links lead to served pages, state diagrams
 * become SVG, and sections are indexed for the search.
 */
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './html.ts'
import { drawStates } from './state-diagram.ts'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface Section {
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/**
 * `pathOf` returns the path at which a file of the project is served, or undefined for a file that is not
 * served.
 */
export function renderMarkdown(
  text: string,
  file: string,
  pathOf: (file: string) => string | undefined,
): Rendered {
  const headings: Heading[] = []
  const taken = new Map<string, number>()
  const idOf = (heading: string) => {
    const id = slugOf(heading)
    const times = taken.get(id) ?? 0
    taken.set(id, times + 1)
    return times === 0 ? id : `${id}-${times}`
  }
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const plain = plainOf(tokens)
        const id = idOf(plain)
        headings.push({ id, text: plain, depth })
        const anchor =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(href, file, pathOf)
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text: what }: Tokens.Image) {
        const target = targetOf(href, file, pathOf) ?? ''
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(what)}" loading="lazy">`
      },
      code({ text: source, lang = '' }: Tokens.Code) {
        if (lang === 'mermaid') return `<figure class="diagram">${drawStates(source)}</figure>\n`
        const language = lang.split(' ')[0] ?? ''
        return `<pre data-language="${escapeHtml(language)}"><code>${escapeHtml(source)}</code></pre>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      // Comments mark generated parts; other markup is not written in these files.
      html: () => '',
    },
  })
  const html = marked.parse(text, { async: false })
  return {
    title: headings[0]?.text ?? file,
    html,
    headings,
    sections: sectionsOf(marked.lexer(text), headings),
  }
}

/** Makes anchors as GitHub does, so that the same link works on both sites. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** The address of a link on this site; undefined for files that the site does not serve, such as code. */
export function targetOf(
  href: string,
  file: string,
  pathOf: (file: string) => string | undefined,
): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#') || href.startsWith('/')) return href
  const [path = '', anchor] = href.split('#')
  const served = pathOf(posix.normalize(posix.join(posix.dirname(file), path)))
  return served === undefined ? undefined : `${served}${anchor === undefined ? '' : `#${anchor}`}`
}

type Token = Tokens.Generic

function plainOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.tokens === undefined ? (token.text ?? '') : plainOf(token.tokens)))
    .join('')
}

/** The text under each heading, without markup. */
function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: { id: string; heading: string; text: string }[] = []
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = headings[next++]
      if (heading !== undefined) sections.push({ id: heading.id, heading: heading.text, text: '' })
      continue
    }
    const section = sections.at(-1)
    if (section !== undefined && token.type !== 'html') section.text += ` ${textOf(token)}`
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }))
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((cells) => cells.map(({ tokens }) => plainOf(tokens)).join(' ')).join(' ')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => plainOf(tokens)).join(' ')
  return token.tokens === undefined ? String(token.text ?? '') : plainOf(token.tokens)
}
