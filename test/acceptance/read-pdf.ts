/** Reads the texts of a PDF with their places. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface Word {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

export interface Read {
  readonly pages: readonly (readonly Word[])[]
  /** All text, the words of a line joined by spaces. */
  readonly text: string
}

/** The texts of a PDF with their places, in points from the lower left corner. */
export async function readPdf(pdf: Buffer): Promise<Read> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false })
  const document = await task.promise
  const pages: Word[][] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(
      items.flatMap((item) =>
        'str' in item && item.str.trim() !== ''
          ? [
              {
                text: item.str,
                left: item.transform[4],
                right: item.transform[4] + item.width,
                bottom: item.transform[5],
                top: item.transform[5] + item.height,
              },
            ]
          : [],
      ),
    )
  }
  await task.destroy()
  return { pages, text: pages.flatMap((page) => page.map(({ text }) => text)).join(' ') }
}
