/** An image, at an address that only this page can use. */
import { useEffect, useState } from 'react'
import { Empty } from '../design/states.tsx'
import type { Look } from './viewer.tsx'

export interface ImagePageProps {
  readonly content: Uint8Array<ArrayBuffer>
  readonly mediaType: string
  readonly look: Look
}

export function ImagePage({ content, mediaType, look }: ImagePageProps) {
  const [address, setAddress] = useState<string>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type: mediaType }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content, mediaType])
  if (broken) return <Empty what="The browser cannot show this image." hint="Save the file to view it." />
  if (address === undefined) return null
  return (
    <img
      src={address}
      alt="The document"
      onError={() => setBroken(true)}
      style={{ width: `${look.zoom * 100}%`, transform: `rotate(${look.turn}deg)` }}
    />
  )
}
