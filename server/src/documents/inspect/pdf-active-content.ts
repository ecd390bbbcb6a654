// What makes a PDF active: anything that runs, opens, fetches or sends something beyond showing its pages (reading 5.3).
// Judged object by object wherever objects are found, also in earlier revisions and unused ones.
//
// Accepted: destinations and GoTo actions, also on opening; links to web, mail and telephone addresses; form fields
// without scripts. Refused although some readers ignore it: an opening action that is anything but GoTo; a web link that
// covers a page; a file of any sort attached; a dictionary that gives the same action twice.
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf } from './pdf-value.ts'

/** Words that stand for one thing only, wherever they stand as a name. */
const words: ReadonlyMap<string, string> = new Map([
  ['JavaScript', 'JavaScript'],
  ['Launch', 'an action that starts a program'],
  ['GoToR', 'a link into another file'],
  ['GoToE', 'a link into an embedded file'],
  ['SubmitForm', 'an action that sends form data'],
  ['ImportData', 'an action that imports data'],
  ['RichMedia', 'rich media'],
  ['RichMediaExecute', 'rich media'],
  ['RichMediaContent', 'rich media'],
  ['Rendition', 'a media action'],
  ['EmbeddedFile', 'an embedded file'],
  ['EmbeddedFiles', 'an embedded file'],
  ['FileAttachment', 'an embedded file'],
  ['XFA', 'an XFA form'],
])

/** Names that are active as the type of an action or annotation and harmless elsewhere. */
const typedWords: ReadonlyMap<string, string> = new Map([
  ['Movie', 'a movie'],
  ['Sound', 'a sound'],
  ['3D', 'a 3D scene'],
  ['GoTo3DView', 'a 3D scene'],
  ['PS', 'PostScript'],
])

const onceOnly = new Set(['A', 'AA', 'S', 'URI', 'JS', 'OpenAction', 'Names'])
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel'])
/** 80 % of an A4 or letter page, in square points. */
const PAGE_LINK_AREA = 0.8 * 595 * 792

/** What a top-level object is, as far as references to it are judged; the bits of all objects of a number together. */
export const ObjectTrait = {
  destination: 1,
  goTo: 2,
  otherAction: 4,
  typed: 8,
  webAction: 16,
  other: 32,
} as const

export type ReferenceKind = 'opening action' | 'additional actions' | 'page link'

export class ActiveContentFinder {
  private readonly traits = new Map<number, number>()
  private readonly references: { object: number; kind: ReferenceKind }[] = []
  /** The first active content met. */
  found: string | undefined

  get objects(): number {
    return this.traits.size
  }

  /** A top-level object with its number (-1 when it has none); `stream` says that stream data follows it. */
  judgeObject(object: number, value: PdfValue, stream: boolean): void {
    if (object >= 0) this.traits.set(object, (this.traits.get(object) ?? 0) | traitsOf(value, stream))
    if (stream && value.kind === 'dictionary' && lookUp(value, 'F')) this.report('content in another file')
    if (value.kind === 'name' && typedWords.has(value.name)) this.report(typedWords.get(value.name) ?? '')
    this.judge(value)
  }

  /** After every object: the references whose meaning depends on what they point to. */
  settleReferences(): void {
    const { destination, goTo, typed, webAction } = ObjectTrait
    for (const { object, kind } of this.references) {
      const traits = this.traits.get(object) ?? 0
      switch (kind) {
        case 'opening action':
          if (traits === 0 || (traits & ~(destination | goTo)) !== 0) this.report('an action on opening')
          break
        case 'additional actions':
          // A resource that happens to be called AA has a type or a stream.
          if (traits !== typed) this.report('actions that start by themselves')
          break
        case 'page link':
          if (traits & webAction) this.report('a link that covers a page')
          break
        default:
          kind satisfies never
      }
    }
  }

  private report(what: string): void {
    this.found ??= what
  }

  private judge(value: PdfValue): void {
    switch (value.kind) {
      case 'name': {
        const word = words.get(value.name)
        if (word) this.report(word)
        return
      }
      case 'array':
        for (const item of value.items) this.judge(item)
        return
      case 'dictionary':
        this.judgeDictionary(value)
        return
      default:
    }
  }

  private judgeDictionary(dictionary: PdfDictionary): void {
    const seen = new Set<string>()
    for (const [key, value] of dictionary.entries) {
      if (onceOnly.has(key) && seen.has(key)) this.report('the same action given twice')
      seen.add(key)
      const word = words.get(key)
      if (word) this.report(word)
      // Inner first: what an action does says more than when it starts.
      this.judge(value)
      this.judgeEntry(dictionary, key, value)
    }
    if (nameOf(lookUp(dictionary, 'Subtype')) === 'Link') this.judgeLink(dictionary)
  }

  private judgeEntry(dictionary: PdfDictionary, key: string, value: PdfValue): void {
    switch (key) {
      case 'S':
      case 'Subtype':
      case 'Type': {
        const word = typedWords.get(nameOf(value) ?? '')
        if (word) this.report(word)
        if (nameOf(value) === 'Thread' && key === 'S' && lookUp(dictionary, 'F')) {
          this.report('a link into another file')
        }
        return
      }
      case 'OpenAction':
        this.judgeOpening(value)
        return
      case 'AA':
        if (value.kind === 'dictionary' && value.entries.length > 0)
          this.report('actions that start by themselves')
        if (value.kind === 'reference')
          this.references.push({ object: value.object, kind: 'additional actions' })
        return
      case 'JS':
        if (value.kind === 'string' || lookUp(dictionary, 'S')) this.report('JavaScript')
        return
      case 'EF':
        if (value.kind === 'dictionary' || value.kind === 'reference') this.report('an embedded file')
        return
      case 'FS':
        if (nameOf(value) === 'URL') this.report('content in another file')
        return
      case 'Ref':
        if (value.kind === 'dictionary' && lookUp(value, 'F')) this.report('content in another file')
        return
      case 'F':
      case 'UF':
        if (value.kind === 'string' && /^[\\/]{2}/.test(readText(value.text))) this.report('a network path')
        return
      case 'URI':
        if (value.kind === 'string' && !isPlainAddress(readText(value.text))) {
          this.report('a link that is not a web, mail or telephone address')
        }
        return
      case 'FontMatrix':
        // Numbers only: a reader of fonts was made to run strings given here (CVE-2024-4367).
        if (
          value.kind === 'array' &&
          value.items.some((item) => item.kind === 'string' || item.kind === 'name')
        ) {
          this.report('a script in a font')
        }
        return
      case 'T':
        if (value.kind === 'string' && /<\s*(?:script|img|iframe|svg)\b/i.test(readText(value.text))) {
          this.report('a script in a comment')
        }
        return
      default:
    }
  }

  private judgeOpening(value: PdfValue): void {
    switch (value.kind) {
      case 'reference':
        this.references.push({ object: value.object, kind: 'opening action' })
        return
      case 'dictionary':
        if ((traitsOf(value, false) & ~(ObjectTrait.destination | ObjectTrait.goTo)) !== 0) {
          this.report('an action on opening')
        }
        return
      default:
    }
  }

  private judgeLink(link: PdfDictionary): void {
    const rectangle = lookUp(link, 'Rect')
    if (rectangle?.kind !== 'array') return
    const [left, bottom, right, top] = rectangle.items.map((item) =>
      item.kind === 'number' ? item.number : 0,
    )
    const area = Math.abs(((right ?? 0) - (left ?? 0)) * ((top ?? 0) - (bottom ?? 0)))
    if (area < PAGE_LINK_AREA) return
    const action = lookUp(link, 'A')
    if (action?.kind === 'dictionary' && nameOf(lookUp(action, 'S')) === 'URI') {
      this.report('a link that covers a page')
    }
    if (action?.kind === 'reference') this.references.push({ object: action.object, kind: 'page link' })
  }
}

function traitsOf(value: PdfValue, stream: boolean): number {
  switch (value.kind) {
    case 'array':
    case 'string':
    case 'name':
    case 'number':
    case 'word':
      return ObjectTrait.destination
    case 'reference':
      return ObjectTrait.other
    case 'dictionary': {
      const action = nameOf(lookUp(value, 'S'))
      if (action === 'URI') return ObjectTrait.otherAction | ObjectTrait.webAction
      if (action === 'GoTo' && !lookUp(value, 'Next')) return ObjectTrait.goTo
      if (lookUp(value, 'S')) return ObjectTrait.otherAction
      if (stream || lookUp(value, 'Type') || lookUp(value, 'Subtype')) return ObjectTrait.typed
      return lookUp(value, 'D') ? ObjectTrait.destination : ObjectTrait.other
    }
    default:
      return value satisfies never
  }
}

/** Control characters and spaces are left out first: some readers do so before they look at the scheme. */
function isPlainAddress(text: string): boolean {
  const address = text.replace(/[\p{Cc}\s]/gu, '')
  if (/^[\\/]{2}/.test(address)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined || SCHEMES.has(scheme)) return true
  // "example.com:8080/path" is an address without scheme.
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{1,5}(?:[/?#]|$)/i.test(address)
}

/** Text strings are bytes, or UTF-16 when a byte order mark says so. */
function readText(text: string): string {
  if (!text.startsWith('\xfe\xff')) return text
  let wide = ''
  for (let at = 2; at + 1 < text.length; at += 2) {
    wide += String.fromCharCode(text.charCodeAt(at) * 256 + text.charCodeAt(at + 1))
  }
  return wide
}
