// A second opinion on a PDF that our own reader has accepted: pdf.js, the reader of Firefox and of our console, opens
// it with all its leniency, in the inspecting process. Active content that pdf.js finds is refused, and so is a file
// that it cannot open. No page is drawn and no script runs, because pdf.js has no sandbox for scripts here.
import { PAGES_MAX } from './limits.ts'
import { isPlainAddress } from './pdf-text.ts'

/** The used part of pdf.js. Its own types need the types of a browser. */
type Document = {
  numPages: number
  getMetadata(): Promise<{ info: Record<string, unknown> }>
  getAttachments(): Promise<object | null>
  getJSActions(): Promise<object | null>
  getFieldObjects(): Promise<Record<string, Scripted[]> | null>
  getOpenAction(): Promise<{ action?: string } | null>
  getOutline(): Promise<Target[] | null>
  getPage(number: number): Promise<Page>
  getAnnotationsByType(types: null, pagesToSkip: null): Promise<Annotation[] | null>
}
type Page = {
  getAnnotations(parameters: { intent: 'print' }): Promise<unknown[]>
  getJSActions(): Promise<object | null>
}
type Annotation = Target & Scripted & { subtype?: string }
/** A field or an annotation: the scripts of its events. */
type Scripted = { actions?: object | null }
/** A link, or an entry of the outline. */
type Target = { unsafeUrl?: string; attachment?: unknown; file?: unknown; items?: Target[] }
type Viewer = {
  getDocument(parameters: object): { promise: Promise<Document>; destroy(): Promise<void> }
}

const media = new Set(['FileAttachment', 'Movie', 'Sound', 'Screen', 'RichMedia', '3D'])
const NO_PAGE = 'The PDF has no page.'
const CANNOT_OPEN = 'The PDF cannot be opened by a viewer. Print the document to a new PDF.'

let viewer: Promise<Viewer> | undefined

/** Returns the reason of the refusal, or undefined. */
export async function readAgain(bytes: Uint8Array): Promise<string | undefined> {
  viewer ??= loadViewer()
  // pdf.js takes ownership of the bytes, so it gets a copy.
  const task = (await viewer).getDocument({ data: new Uint8Array(bytes), ...settings })
  try {
    const document = await task.promise
    const seen = await findActiveContent(document)
    if (!seen && document.numPages === 0) return NO_PAGE
    return seen && `The PDF has active content (${seen}). Remove it, or print the document to a new PDF.`
  } catch (fault) {
    const encrypted = (fault as Error).name === 'PasswordException'
    return encrypted ? 'The PDF is encrypted. Save it without a password and restrictions.' : CANNOT_OPEN
  } finally {
    await task.destroy()
  }
}

const settings = {
  verbosity: 0,
  enableXfa: true,
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
}

async function loadViewer(): Promise<Viewer> {
  // pdf.js looks for these classes when it is loaded; they are used for drawing only.
  const scope = globalThis as {
    DOMMatrix?: unknown
    ImageData?: unknown
    Path2D?: unknown
    pdfjsWorker?: unknown
  }
  scope.DOMMatrix ??= Object
  scope.ImageData ??= Object
  scope.Path2D ??= Object
  const [worker, display]: string[] = ['pdf.worker.min.mjs', 'pdf.min.mjs'].map((file) =>
    import.meta.resolve(`pdfjs-dist/legacy/build/${file}`),
  )
  scope.pdfjsWorker = await import(worker ?? '')
  return import(display ?? '')
}

async function findActiveContent(document: Document): Promise<string | undefined> {
  const { info } = await document.getMetadata()
  if (info.IsXFAPresent) return 'an XFA form'
  if (info.IsCollectionPresent || (await document.getAttachments())) return 'an embedded file'
  const fields = Object.values((await document.getFieldObjects()) ?? {}).flat()
  if (fields.some(isScripted) || (await document.getJSActions())) return 'JavaScript'
  if ((await document.getOpenAction())?.action) return 'an action on opening'
  const inOutline = findTarget((await document.getOutline()) ?? [])
  if (inOutline) return inOutline
  if (document.numPages > PAGES_MAX) return `more than ${PAGES_MAX} pages`
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    // With the intent print, the texts of annotations are not read, which would need a font for each. Afterwards all
    // annotations are loaded.
    await page.getAnnotations({ intent: 'print' })
    if (await page.getJSActions()) return 'JavaScript'
  }
  const annotations = (await document.getAnnotationsByType(null, null)) ?? []
  if (annotations.some(({ subtype }) => media.has(subtype ?? ''))) return 'an embedded file or media'
  if (annotations.some(isScripted)) return 'JavaScript'
  return findTarget(annotations)
}

function isScripted({ actions }: Scripted): boolean {
  return Object.keys(actions ?? {}).length > 0
}

function findTarget(targets: readonly Target[]): string | undefined {
  const waiting = [...targets]
  for (let target = waiting.pop(); target; target = waiting.pop()) {
    if (target.attachment || target.file) return 'an embedded file'
    if (target.unsafeUrl !== undefined && !isPlainAddress(target.unsafeUrl)) {
      return 'a link that is not a web, mail or telephone address'
    }
    waiting.push(...(target.items ?? []))
  }
  return undefined
}
