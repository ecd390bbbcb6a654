/**
 * Shows a document of any kind: PDF and TIFF page by page, other images as the browser renders them, with zoom and
 * rotation.
 */
import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconRotate2,
  IconRotateClockwise2,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../client.ts'
import { saveFile } from '../csv.ts'
import { Failure, Loading } from '../design/states.tsx'
import { ImagePage } from './image-page.tsx'
import { PdfPage } from './pdf-page.tsx'
import { tiffToPdf } from './tiff.ts'

/** The zoom and rotation of a page. */
export interface Look {
  /** 1 is the available width. */
  readonly zoom: number
  /** Degrees clockwise. */
  readonly turn: number
}

const zoomMin = 0.25
const zoomMax = 6
const zoomStep = 1.25

interface Content {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function readContent(accountNumber: string, documentId: string, signal: AbortSignal): Promise<Content> {
  const file = await client.getDocument({ accountNumber, documentId }, { signal })
  return { name: file.fileName, mediaType: file.mediaType.split(';')[0] ?? '', bytes: await file.bytes() }
}

export function Viewer(props: { readonly accountNumber: string; readonly documentId: string }) {
  const content = useQuery({
    queryKey: ['document content', props.documentId],
    queryFn: ({ signal }) => readContent(props.accountNumber, props.documentId, signal),
    // A document never changes, and each reading is recorded, so it is read once.
    staleTime: 'static',
  })
  const [look, setLook] = useState<Look>({ zoom: 1, turn: 0 })
  const [page, setPage] = useState(1)
  const [pages, setPages] = useState(1)
  if (content.error) return <Failure fault={content.error} again={() => content.refetch()} />
  if (content.data === undefined) return <Loading rows={10} />
  const { name, mediaType, bytes } = content.data
  const zoom = (by: number) =>
    setLook({ ...look, zoom: Math.min(zoomMax, Math.max(zoomMin, look.zoom * by)) })
  const turn = (by: number) => setLook({ ...look, turn: (look.turn + by + 360) % 360 })
  return (
    <div>
      <Group className="viewer-bar" justify="space-between" role="toolbar" aria-label="Viewer">
        <Group gap={4}>
          <Tool
            label="Zoom out"
            onUse={() => zoom(1 / zoomStep)}
            icon={<IconZoomOut size={18} aria-hidden />}
          />
          <Text size="xs" w={44} ta="center" aria-live="polite">
            {Math.round(look.zoom * 100)} %
          </Text>
          <Tool label="Zoom in" onUse={() => zoom(zoomStep)} icon={<IconZoomIn size={18} aria-hidden />} />
          <Tool label="Rotate left" onUse={() => turn(-90)} icon={<IconRotate2 size={18} aria-hidden />} />
          <Tool
            label="Rotate right"
            onUse={() => turn(90)}
            icon={<IconRotateClockwise2 size={18} aria-hidden />}
          />
        </Group>
        <Group gap={4}>
          {pages > 1 && (
            <>
              <Tool
                label="Page before"
                onUse={() => setPage(Math.max(1, page - 1))}
                icon={<IconChevronLeft size={18} aria-hidden />}
              />
              <Text size="xs">
                {page} of {pages}
              </Text>
              <Tool
                label="Next page"
                onUse={() => setPage(Math.min(pages, page + 1))}
                icon={<IconChevronRight size={18} aria-hidden />}
              />
            </>
          )}
          <Tool
            label="Save the file"
            onUse={() => saveFile(name, mediaType, bytes)}
            icon={<IconDownload size={18} aria-hidden />}
          />
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: not a part of a form */}
      <div className="viewer" tabIndex={0} role="group" aria-label="Document">
        {isPaged(mediaType) ? (
          <PdfPage
            content={bytes}
            convert={mediaType === 'image/tiff' ? tiffToPdf : undefined}
            page={page}
            look={look}
            onPages={setPages}
          />
        ) : (
          <ImagePage content={bytes} mediaType={mediaType} look={look} />
        )}
      </div>
    </div>
  )
}

function isPaged(mediaType: string) {
  return mediaType === 'application/pdf' || mediaType === 'image/tiff'
}

function Tool(props: { readonly label: string; readonly onUse: () => void; readonly icon: ReactNode }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon aria-label={props.label} onClick={props.onUse}>
        {props.icon}
      </ActionIcon>
    </Tooltip>
  )
}
