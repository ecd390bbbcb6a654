// A second opinion on a PDF that our own reader has accepted: pdf.js, the reader of Firefox and of our console, opens it
// with all its leniency, in the inspecting process. What it sees that must not be is refused, though our reader saw nothing;
// so is what it cannot open at all. No page is drawn, and no script runs: pdf.js has no sandbox for them here.
import { PAGES_MAX } from './limits.ts'
import { isPlainAddress } from './pdf-text.ts'

/** What is asked of pdf.js. Its own types need those of a browser. */
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
/** A field or an annotation: what its events run. */
type Scripted = { actions?: object | null }
/** A link, or an entry of the outline. */
type Target = { unsafeUrl?: string; attachment?: unknown; file?: unknown; items?: Target[] }
type Viewer = {
  getDocument(parameters: object): { promise: Promise<Document>; destroy(): Promise<void> }
}

const media = new Set(['FileAttachment', 'Movie', 'Sound', 'Screen', 'RichMedia', '3D'])
const CANNOT_OPEN = 'The PDF cannot be opened by a viewer. Print the document to a new PDF.'

let viewer: Promise<Viewer> | undefined

/** A sentence that says why not, or undefined. */
export async function readAgain(bytes: Uint8Array): Promise<string | undefined> {
  viewer ??= loadViewer()
  // It takes the bytes over: a copy.
  const task = (await viewer).getDocument({ data: new Uint8Array(bytes), ...settings })
  try {
    const seen = await findActiveContent(await task.promise)
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
  // It looks for these when it is loaded; they are for drawing.
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
    // As for print, the texts of annotations are not read, which takes a font each; then all are at hand.
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
