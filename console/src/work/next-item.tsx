/** The way from an item that was decided to the next one of its queue, also by the key `n`. */
import type { CodeOf } from '@clearing/protocol'
import { Kbd } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useGoTo } from '../address.ts'
import { useRead } from '../reads.ts'
import { useKeys } from './keys.ts'
import { placeOf, queueOf } from './queues.ts'

export interface NextItemProps {
  readonly queue: CodeOf<'workQueue'>
  /** The item on the screen: an account number, or the id of a document or of a change. */
  readonly itemId: string
}

export function NextItem({ queue, itemId }: NextItemProps) {
  const goTo = useGoTo()
  const { data } = useRead('list-work', { queues: [queue], size: 2 })
  const next = data?.work.find((work) => work.itemId !== itemId && work.accountNumber !== itemId)
  const place = next && placeOf(next)
  useKeys(
    place === undefined ? [] : [{ key: 'n', does: 'Next item', act: () => goTo(place.to, place.search) }],
  )
  if (place === undefined) return null
  return (
    <Link to={place.to} search={() => place.search} aria-keyshortcuts="n">
      Next of {queueOf(queue).label.toLowerCase()} <Kbd size="xs">n</Kbd>
    </Link>
  )
}
