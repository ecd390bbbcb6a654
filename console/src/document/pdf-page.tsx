/** A page of a PDF, drawn with pdf.js, which is loaded with the first document. Scripts of a document do not run. */

import { useViewportSize } from '@mantine/hooks'
import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { Failure, Loading } from '../design/states.tsx'
import type { Look } from './viewer.tsx'

const resources = `${import.meta.env.BASE_URL}pdf`

async function openPdf(content: Uint8Array<ArrayBuffer>): Promise<PDFDocumentProxy> {
  const pdfjs = await import('pdfjs-dist')
  pdfjs.GlobalWorkerOptions.workerSrc = workerAddress
  return pdfjs.getDocument({
    // A copy, because the worker takes ownership of the bytes.
    data: content.slice(),
    standardFontDataUrl: `${resources}/standard_fonts/`,
    cMapUrl: `${resources}/cmaps/`,
    wasmUrl: `${resources}/wasm/`,
    enableXfa: false,
  }).promise
}

export interface PdfPageProps {
  readonly content: Uint8Array<ArrayBuffer>
  /** Converts another kind of file to a PDF. */
  readonly convert?: ((content: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) | undefined
  readonly page: number
  readonly look: Look
  readonly onPages: (pages: number) => void
}

export function PdfPage({ content, convert, page, look, onPages }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [fault, setFault] = useState<unknown>()
  // A page is drawn again when the room for it changes.
  const { width: roomOutside } = useViewportSize()

  useEffect(() => {
    let left = false
    let opened: PDFDocumentProxy | undefined
    const open = async () => {
      try {
        opened = await openPdf(convert === undefined ? content : convert(content))
        if (left) return void opened.loadingTask.destroy()
        setPdf(opened)
        onPages(opened.numPages)
      } catch (caught) {
        if (!left) setFault(caught)
      }
    }
    void open()
    return () => {
      left = true
      void opened?.loadingTask.destroy()
    }
  }, [content, convert, onPages])

  useEffect(() => {
    if (pdf === undefined || canvas.current === null || roomOutside === 0) return
    let drawing: RenderTask | undefined
    let left = false
    const draw = async (target: HTMLCanvasElement) => {
      const shown = await pdf.getPage(Math.min(page, pdf.numPages))
      if (left) return
      const rotation = (shown.rotate + look.turn) % 360
      const room = (target.parentElement?.clientWidth ?? 800) - 16
      const natural = shown.getViewport({ scale: 1, rotation })
      const viewport = shown.getViewport({ scale: (room / natural.width) * look.zoom, rotation })
      const density = Math.min(window.devicePixelRatio || 1, 2)
      target.width = Math.floor(viewport.width * density)
      target.height = Math.floor(viewport.height * density)
      target.style.width = `${Math.floor(viewport.width)}px`
      target.style.height = `${Math.floor(viewport.height)}px`
      drawing = shown.render({
        canvas: target,
        viewport,
        ...(density === 1 ? {} : { transform: [density, 0, 0, density, 0, 0] }),
      })
      await drawing.promise
      target.dataset.drawn = `${page}`
    }
    draw(canvas.current).catch((caught: unknown) => {
      if (!left) setFault(caught)
    })
    return () => {
      left = true
      drawing?.cancel()
    }
  }, [pdf, page, look, roomOutside])

  if (fault !== undefined) return <Failure fault={fault} />
  return (
    <>
      {pdf === undefined && <Loading rows={10} />}
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${page} of the document`}
        hidden={pdf === undefined}
      />
    </>
  )
}
