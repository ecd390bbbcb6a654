/**
 * The pages of a form: Letter, with the form's heading at the top and `Page x of y` at the bottom. The drawing position
 * moves down, and a part that does not fit begins a new page. The same calls give the same bytes. No active content.
 */
import PDFDocument from 'pdfkit'
import { Typeface } from './typeface.ts'

export interface FormHeading {
  readonly title: string
  /** What `code` is; `Form` if it is absent. */
  readonly codeName?: string
  /** The form's reference in the catalogue. */
  readonly code: string
  readonly accountNumber: string
  /** `yyyy-MM-dd`. */
  readonly day: string
}

interface Style {
  readonly font: 'regular' | 'bold'
  readonly size: number
  readonly color: string
}

const color = { text: '#111827', label: '#4b5563', line: '#9ca3af', title: '#1f3a5f' }

const styles = {
  title: { font: 'bold', size: 15, color: color.title },
  bar: { font: 'bold', size: 9.5, color: '#ffffff' },
  label: { font: 'regular', size: 6.5, color: color.label },
  small: { font: 'regular', size: 7, color: color.label },
  value: { font: 'regular', size: 9, color: color.text },
  code: { font: 'bold', size: 9, color: color.text },
  text: { font: 'regular', size: 8.5, color: color.text },
  strong: { font: 'bold', size: 8.5, color: color.text },
} as const satisfies Record<string, Style>

export type StyleName = keyof typeof styles

const page = { width: 612, height: 792, margin: 42, head: 36, foot: 26 }
const top = page.margin + page.head
const bottom = page.height - page.margin - page.foot
const barHeight = 16
/** Lines are a little closer than the default of the typeface. */
const lineGap = -1.5

export class Sheet {
  /** The left edge and the width of the drawing area. */
  readonly left = page.margin
  readonly width = page.width - 2 * page.margin
  /** Space between parts. */
  readonly gap = 5
  /** The position of the next part. */
  y = top
  readonly #document: InstanceType<typeof PDFDocument>
  readonly #heading: FormHeading
  readonly #typeface: Typeface
  readonly #bytes: Promise<Buffer>
  /** The title of the current section, which is repeated on a new page. */
  #section = ''

  constructor(heading: FormHeading) {
    const created = new Date(`${heading.day}T00:00:00Z`)
    this.#heading = heading
    this.#document = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      lang: 'en-US',
      displayTitle: true,
      info: {
        Title: `${heading.title}, account ${heading.accountNumber}`,
        Producer: 'Clearing Account Service',
        Creator: 'Clearing Account Service',
        CreationDate: created,
        ModDate: created,
      },
    })
    const parts: Buffer[] = []
    this.#bytes = new Promise<Buffer>((resolve, reject) => {
      this.#document.on('data', (part: Buffer) => parts.push(part))
      this.#document.on('end', () => resolve(Buffer.concat(parts)))
      this.#document.on('error', reject)
    })
    this.#document.addPage()
    this.#typeface = new Typeface(this.#document)
    this.#head()
  }

  /** The used letters that the typeface does not have. */
  get missingLetters(): readonly string[] {
    return [...this.#typeface.missing]
  }

  /** Draws a section's title on a page that has room for its first part too. */
  beginSection(title: string, firstHeight: number): void {
    this.#section = ''
    this.makeRoom(barHeight + this.gap + firstHeight)
    this.#bar(title)
    this.#section = title
  }

  endSection(): void {
    this.#section = ''
    this.y += this.gap
  }

  beginPage(): void {
    this.#document.addPage()
    this.#head()
  }

  /** Begins a new page when the height does not fit. Returns whether it did. */
  makeRoom(height: number): boolean {
    if (this.y + height <= bottom) return false
    this.beginPage()
    if (this.#section !== '') this.#bar(`${this.#section} (continued)`)
    return true
  }

  write(
    content: string,
    styleName: StyleName,
    { x, y, ...more }: PDFKit.Mixins.TextOptions & { x: number; y: number; width: number },
  ): void {
    if (content === '') return
    const style = styles[styleName]
    this.#document
      .font(style.font)
      .fontSize(style.size)
      .fillColor(style.color)
      .text(this.#typeface.printable(content), x, y, { lineGap, ...more })
  }

  /** Returns the height of a text in lines of this width. */
  measure(content: string, styleName: StyleName, width: number): number {
    if (content === '') return 0
    const style = styles[styleName]
    const printable = this.#typeface.printable(content)
    return this.#document.font(style.font).fontSize(style.size).heightOfString(printable, { width, lineGap })
  }

  widthOf(content: string, styleName: StyleName): number {
    const style = styles[styleName]
    const printable = this.#typeface.printable(content)
    return this.#document.font(style.font).fontSize(style.size).widthOfString(printable)
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).lineWidth(0.5).stroke(color.line)
  }

  /** Draws an empty check box. */
  square(x: number, y: number, side: number): void {
    this.#document.rect(x, y, side, side).lineWidth(0.7).stroke(color.text)
  }

  /** Draws a highlighted frame. */
  warning(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).lineWidth(0.7).fillAndStroke('#fff7ed', '#c2742f')
  }

  rule(x: number, y: number, width: number, weight: 'usual' | 'fine' = 'usual'): void {
    this.#document
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(weight === 'fine' ? 0.3 : 0.7)
      .stroke(weight === 'fine' ? color.line : color.text)
  }

  /** Returns the whole PDF; nothing can be drawn afterwards. */
  finish(): Promise<Buffer> {
    this.#numberPages()
    this.#document.end()
    return this.#bytes
  }

  #bar(title: string): void {
    this.#document.rect(this.left, this.y, this.width, barHeight).fill(color.title)
    this.write(title, 'bar', { x: this.left + 6, y: this.y + 2, width: this.width - 12 })
    this.y += barHeight + this.gap
  }

  #head(): void {
    const { title, code, codeName = 'Form', accountNumber } = this.#heading
    const badge = { width: 150, height: 30 }
    const x = page.width - page.margin - badge.width
    const y = page.margin
    this.write(title, 'title', { x: this.left, y: y - 4, width: this.width - badge.width - 10 })
    this.#document
      .rect(x, y - 6, badge.width, badge.height)
      .lineWidth(0.8)
      .stroke(color.title)
    this.write(codeName, 'label', { x: x + 6, y: y - 3, width: 84 })
    this.write(code, 'code', { x: x + 6, y: y + 7, width: 84 })
    this.write('Account number', 'label', { x: x + 92, y: y - 3, width: 56 })
    this.write(accountNumber, 'code', { x: x + 92, y: y + 7, width: 56 })
    this.y = top
  }

  #numberPages(): void {
    const { code, codeName = 'Form', accountNumber, day } = this.#heading
    const { start, count } = this.#document.bufferedPageRange()
    const y = page.height - page.margin - 12
    for (let at = start; at < start + count; at++) {
      this.#document.switchToPage(at)
      this.#document
        .moveTo(this.left, y - 5)
        .lineTo(this.left + this.width, y - 5)
        .lineWidth(0.5)
        .stroke(color.line)
      const made = codeName === 'Form' ? `Generated ${day}` : `As of the close of ${day}`
      const which = `${codeName} ${code}    Account ${accountNumber}    ${made}`
      this.write(which, 'small', { x: this.left, y, width: this.width })
      this.write(`Page ${at - start + 1} of ${count}`, 'small', {
        x: this.left,
        y,
        width: this.width,
        align: 'right',
      })
    }
  }
}
