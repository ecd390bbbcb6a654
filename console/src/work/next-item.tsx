/**
 * Leads from an item to the next one of its queue, by the key `n`, and after a decision for a person who came from the
 * queue. The next item replaces the previous one in the browser's history, so that Back leads to the list.
 */
import { Kbd } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters, useReplace } from '../address.ts'
import { call } from '../client.ts'
import { tell } from '../design/notices.tsx'
import { useRead } from '../reads.ts'
import { useKeys } from './keys.ts'
import { placeOf, type QueueName, queueOf, type Work } from './queues.ts'
import { tellFault } from './refused.ts'

export interface NextItemProps {
  readonly queue: QueueName
  /** The item on the screen: an account number, or the id of a document or of a change. */
  readonly itemId: string
}

function isItem({ itemId, accountNumber }: Work, shown: string) {
  return itemId === shown || accountNumber === shown
}

export function NextItem({ queue, itemId }: NextItemProps) {
  const replace = useReplace()
  const { data } = useRead('list-work', { queues: [queue], size: 2 })
  const next = data?.work.find((work) => !isItem(work, itemId))
  const place = next && placeOf(next)
  useKeys(
    place === undefined ? [] : [{ key: 'n', does: 'Next item', act: () => replace(place.to, place.search) }],
  )
  if (place === undefined) return null
  return (
    <Link to={place.to} search={() => place.search} replace aria-keyshortcuts="n">
      Next of {queueOf(queue).label.toLowerCase()} <Kbd size="xs">n</Kbd>
    </Link>
  )
}

/** The number of items to read, because one account may have several matches. */
const readAhead = 20

/** After a decision: the next item, if the person works on the queue. An account with more open matches stays. */
export function useGoOn({ queue, itemId }: NextItemProps): () => void {
  const [filters] = useFilters()
  const replace = useReplace()
  const goOn = async () => {
    const { work } = (await call('list-work', { queues: [queue], size: readAhead })).data
    if (queue === 'Match' && work.some((one) => isItem(one, itemId))) return
    const next = work.find((one) => !isItem(one, itemId))
    if (next === undefined)
      return tell({
        tone: 'good',
        message: `No further item waits in ${queueOf(queue).label.toLowerCase()}.`,
      })
    const { to, search } = placeOf(next)
    replace(to, search)
  }
  return () => {
    if (filters.queue === queue) goOn().catch(tellFault)
  }
}
