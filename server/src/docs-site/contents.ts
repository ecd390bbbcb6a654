/** The pages of the documentation by reader, in the order of the menu, with the address of each. */
import { existsSync, globSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations } from '@clearing/protocol'

/** A page made of a Markdown file, or made by the service itself. */
export interface Page {
  /** The address below the service's own. */
  readonly path: string
  readonly title: string
  /** The file, relative to the root of the project; absent for pages that the service makes. */
  readonly file?: string
}

export interface Chapter {
  readonly title: string
  /** The readers of the page, in a sentence. */
  readonly about: string
  readonly pages: readonly Page[]
}

export const referencePath = '/docs/reference'

export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** `docs/guides/errors.md` is served at `/docs/guides/errors`. */
function pathOfFile(file: string): string {
  return `/docs/${file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()}`
}

/** The pictures that pages show, with the files that contain them. */
export function listPictures(): Page[] {
  return globSync('docs/pictures/*.png', { cwd: projectRoot }).map((file) => ({
    file,
    title: file,
    path: `/${file}`,
  }))
}

function page(title: string, file: string): Page {
  return { title, file, path: pathOfFile(file) }
}
function guide(title: string, name: string): Page {
  return page(title, `docs/guides/${name}.md`)
}

const chapters: readonly Chapter[] = [
  {
    title: 'For client firms',
    about: 'You build on the API: open accounts, follow them, read positions and activity.',
    pages: [
      guide('Start in five minutes', 'start-in-five-minutes'),
      guide('Quick start in your language', 'in-your-language'),
      guide('Coming from other APIs', 'coming-from-other-apis'),
      guide('Opening accounts', 'opening-accounts'),
      guide('Who may hold which account', 'account-policy'),
      guide('Onboarding', 'onboarding'),
      guide('Updating accounts', 'updating-accounts'),
      guide('Finding accounts', 'listing-accounts'),
      guide('Documents', 'documents'),
      guide('Reading positions', 'reading-positions'),
      guide('Reading activity', 'activity'),
      guide('Corporate actions', 'corporate-actions'),
      guide('Realized gains and tax forms', 'realized-gains'),
      guide('Statements and confirmations', 'statements'),
      guide('Events and webhooks', 'events'),
      guide('Errors and what to do', 'errors'),
      guide('Looking back at calls', 'looking-back-at-calls'),
      guide('Bound tokens', 'bound-tokens'),
      guide('The sandbox', 'sandbox'),
      guide('The command line', 'command-line'),
      guide('Going to production', 'going-to-production'),
    ],
  },
  {
    title: 'Reference',
    about: 'Every operation with examples in curl, TypeScript and Python, and a form to try it.',
    pages: [
      { title: 'Operations', path: referencePath },
      page('The TypeScript client', 'sdk/README.md'),
      page('Specification', 'docs/specification.md'),
      page('Readings of its gaps', 'docs/readings.md'),
      page('Changelog', 'CHANGELOG.md'),
    ],
  },
  {
    title: 'For operations',
    about:
      'You work at the clearing firm: review applications, keep firms and their credentials, close the day.',
    pages: [
      guide('The console', 'console'),
      guide('Reviewing', 'reviewing'),
      guide('Client firms', 'firms'),
      page('The books', 'docs/books.md'),
    ],
  },
  {
    title: 'For the platform team',
    about: 'You run the service: its settings, its database, its keys, its alarms.',
    pages: [
      page('Operating', 'docs/operating.md'),
      page('Guarantees and their tests', 'docs/reliability.md'),
      page('Architecture', 'ARCHITECTURE.md'),
      page('Contributing', 'CONTRIBUTING.md'),
    ],
  },
]

function isThere({ file }: Page): boolean {
  return file === undefined || existsSync(resolve(projectRoot, file))
}

/** The chapters with the existing pages, and with every other guide and decision. */
export function listChapters(): Chapter[] {
  const named = new Set(chapters.flatMap(({ pages }) => pages.map(({ file }) => file)))
  const others = (pattern: string) =>
    globSync(pattern, { cwd: projectRoot })
      .sort()
      .filter((file) => !named.has(file))
      .map((file) => page(titleOf(file), file))
  const more = others('docs/{,guides/}*.md')
  const decisions = others('decisions/*.md')
  const runbooks = others('docs/runbooks/*.md')
  return [
    ...chapters.map((chapter) => ({ ...chapter, pages: chapter.pages.filter(isThere) })),
    ...(more.length === 0 ? [] : [{ title: 'More', about: 'Further guides.', pages: more }]),
    ...(runbooks.length === 0
      ? []
      : [{ title: 'Runbooks', about: 'What to do when an alert fires.', pages: runbooks }]),
    ...(decisions.length === 0
      ? []
      : [
          {
            title: 'Decisions',
            about: 'Each decision with its alternatives and costs.',
            pages: decisions,
          },
        ]),
  ]
}

/** `decisions/011-roles-and-row-level-security.md` → `011 Roles and row level security`. */
function titleOf(file: string): string {
  const words = (/([^/]+)\.md$/.exec(file)?.[1] ?? file).replaceAll('-', ' ')
  return words.replace(/[a-z]/, (letter) => letter.toUpperCase())
}

/** The addresses of the operations' pages, with the names of the operations. */
export function listReferencePaths(): ReadonlyMap<string, string> {
  return new Map(Object.keys(operations).map((name) => [`${referencePath}/${name}`, name]))
}

/** The addresses of all pages. */
export function listPagePaths(): string[] {
  const pages = listChapters().flatMap((chapter) => chapter.pages)
  return ['/docs', ...pages.map(({ path }) => path), ...listReferencePaths().keys()]
}
