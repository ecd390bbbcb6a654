/**
 * Opens the dialog of an action that the address names (`act`), as the palette does. The address then forgets it, so
 * that a page that is loaded again shows no dialog. If the action is not possible now, a notice states the reason.
 */
import { useEffect, useEffectEvent } from 'react'
import { useFilters } from '../address.ts'
import { tell } from '../design/notices.tsx'

interface AskedForProps {
  /** The name of the action in the address. */
  readonly act: string
  readonly title: string
  readonly whyNot: string | undefined
  readonly onAct: () => void
}

export function AskedFor({ act, title, whyNot, onAct }: AskedForProps) {
  const [filters, set] = useFilters()
  const isAsked = filters.act === act
  const answer = useEffectEvent(() => {
    set({ act: undefined })
    if (whyNot === undefined) onAct()
    else tell({ tone: 'bad', title, message: whyNot })
  })
  useEffect(() => {
    if (isAsked) answer()
  }, [isAsked])
  return null
}
