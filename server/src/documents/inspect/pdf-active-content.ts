// Finds the active content of a PDF: everything that runs, opens, fetches or sends beyond showing its pages (reading
// 5.3). Every object is judged, including those of earlier revisions and unused ones.
//
// Accepted: destinations and GoTo actions, also on opening; links to web, mail and telephone addresses; form fields
// without scripts. Refused although some readers ignore it: an opening action other than GoTo; a web link that covers a
// page; any attached file; a dictionary that gives the same action twice. A value that is given by reference is judged
// by every object of that number.
import { ObjectTrait, ofDestinations, traitsOf } from './pdf-traits.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf } from './pdf-value.ts'

/** Words with only one meaning, wherever they occur as a name. */
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

/** Names that are active as the type of an action or annotation, and harmless elsewhere. */
const typedWords: ReadonlyMap<string, string> = new Map([
  ['Movie', 'a movie'],
  ['Sound', 'a sound'],
  ['3D', 'a 3D scene'],
  ['GoTo3DView', 'a 3D scene'],
  ['PS', 'PostScript'],
])

/** Names that are active as separate objects: an action that is given in pieces. */
const lonelyWords: ReadonlyMap<string, string> = new Map([
  ...typedWords,
  ['URL', 'content in another file'],
  ['Thread', 'a link into another file'],
  ['URI', 'an action given in pieces'],
])

const NO_PLAIN_ADDRESS = 'a link that is not a web, mail or telephone address'
const onceOnly = new Set(['A', 'AA', 'S', 'URI', 'JS', 'OpenAction', 'Names'])
/**
 * Entries that affect the inspection of others, or the location of data. The values of all other entries are
 * inspected separately.
 */
const decisive = new Set(
  ['Type', 'Subtype', 'S', 'A', 'Next', 'D', 'Rect', 'F', 'Page', 'Kids', 'Parent', 'Count', 'Pages'].concat(
    [
      'Length',
      'Filter',
      'DecodeParms',
      'First',
      'N',
      'W',
      'Index',
      'Size',
      'Prev',
      'XRefStm',
      'Root',
      'Encrypt',
    ],
    ['FunctionType', 'Width', 'Height', 'EarlyChange', 'Predictor', 'Columns', 'Names', 'AcroForm', 'Annots'],
  ),
)
/** 80 % of an A4 or letter page, in square points. */
const PAGE_LINK_AREA = 0.8 * 595 * 792

export type ReferenceKind =
  | 'opening action'
  | 'additional actions'
  | 'page link'
  | 'address'
  | 'file name'
  | 'font matrix'
  | 'title'
  | 'remote page'

export class ActiveContentFinder {
  private readonly traits = new Map<number, number>()
  private readonly references: { object: number; kind: ReferenceKind }[] = []
  /** The first active content that was found. */
  found: string | undefined
  /** True when a dictionary has two different values for one entry: readers use the first or the last. */
  doubtful = false

  get objects(): number {
    return this.traits.size
  }

  /** Inspects a top-level object with its number (-1 when it has none). `stream`: stream data follows. */
  judgeObject(object: number, value: PdfValue, stream: boolean): void {
    if (object >= 0) this.traits.set(object, (this.traits.get(object) ?? 0) | traitsOf(value, stream))
    if (stream && value.kind === 'dictionary' && lookUp(value, 'F')) this.report('content in another file')
    if (value.kind === 'name' && lonelyWords.has(value.name)) this.report(lonelyWords.get(value.name) ?? '')
    this.judge(value)
  }

  /** Called after every object: inspects the references whose meaning depends on their targets. */
  settleReferences(): void {
    const { destination, goTo, typed, webAction, hostileAddress, networkPath, markup } = ObjectTrait
    const { mixedArray, remotePage } = ObjectTrait
    for (const { object, kind } of this.references) {
      const traits = this.traits.get(object) ?? 0
      switch (kind) {
        case 'opening action':
          if (traits === 0 || (traits & ~(destination | goTo | ofDestinations)) !== 0) {
            this.report('an action on opening')
          }
          break
        case 'additional actions':
          // A resource with the name AA has a type or a stream.
          if (traits !== typed) this.report('actions that start by themselves')
          break
        case 'page link':
          if (traits & webAction) this.report('a link that covers a page')
          break
        case 'address':
          if (traits & hostileAddress) this.report(NO_PLAIN_ADDRESS)
          break
        case 'file name':
          if (traits & networkPath) this.report('a network path')
          break
        case 'font matrix':
          if (traits & mixedArray) this.report('a script in a font')
          break
        case 'title':
          if (traits & markup) this.report('a script in a comment')
          break
        case 'remote page':
          if (traits & remotePage) this.report('content in another file')
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
    const seen = new Map<string, PdfValue>()
    for (const [written, value] of dictionary.entries) {
      // Some readers treat the bytes 80 and FF as white space.
      const key = /[\x80\xff]/.test(written) ? written.replace(/[\x80\xff].*$/s, '') : written
      const first = seen.get(key)
      if (first && onceOnly.has(key)) this.report('the same action given twice')
      if (first && decisive.has(key) && !isSame(first, value)) this.doubtful = true
      seen.set(key, value)
      const word = words.get(key)
      if (word) this.report(word)
      // Inner values come first: the effect of an action is a better reason than its trigger.
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
        this.judgeText(value, 'remote page', ObjectTrait.remotePage, 'content in another file')
        return
      case 'F':
      case 'UF':
        this.judgeText(value, 'file name', ObjectTrait.networkPath, 'a network path')
        return
      case 'URI':
      // The prefix of addresses without a scheme.
      case 'Base':
        this.judgeText(value, 'address', ObjectTrait.hostileAddress, NO_PLAIN_ADDRESS)
        return
      case 'FontMatrix':
        // Only numbers are allowed: a font reader was made to run strings from here (CVE-2024-4367).
        this.judgeText(value, 'font matrix', ObjectTrait.mixedArray, 'a script in a font')
        return
      case 'T':
        this.judgeText(value, 'title', ObjectTrait.markup, 'a script in a comment')
        return
      default:
    }
  }

  /** A value with the trait is active content, here or at its target. */
  private judgeText(value: PdfValue, kind: ReferenceKind, trait: number, what: string): void {
    if (value.kind === 'reference') this.references.push({ object: value.object, kind })
    else if (traitsOf(value, false) & trait) this.report(what)
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
    if (measureArea(lookUp(link, 'Rect')) < PAGE_LINK_AREA) return
    const action = lookUp(link, 'A')
    if (action?.kind === 'dictionary' && nameOf(lookUp(action, 'S')) === 'URI') {
      this.report('a link that covers a page')
    }
    if (action?.kind === 'reference') this.references.push({ object: action.object, kind: 'page link' })
  }
}

/** In square points. A rectangle that is not four numbers may have any size. */
function measureArea(rectangle: PdfValue | undefined): number {
  if (rectangle === undefined) return 0
  if (rectangle.kind !== 'array' || rectangle.items.some(({ kind }) => kind !== 'number')) return Infinity
  const [left = 0, bottom = 0, right = 0, top = 0] = rectangle.items.map((item) =>
    item.kind === 'number' ? item.number : 0,
  )
  return Math.abs((right - left) * (top - bottom))
}

function isSame(one: PdfValue, other: PdfValue): boolean {
  const text = JSON.stringify(one)
  // The rest of an array that was cut is unknown.
  return text === JSON.stringify(other) && !text.includes('"cut":true')
}
