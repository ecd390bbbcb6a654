/**
 * Leads from an item to the next one of its queue, by the key `n`, and after a decision for a person who came from the
 * queue. The next item replaces the previous one in the browser's history, so that Back leads to the list.
 */
import type { CallOf } from '@clearing/sdk'
import { Kbd } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useFilters, useReplace } from '../address.ts'
import { call, given } from '../client.ts'
import { tell } from '../design/notices.tsx'
import { useRead } from '../reads.ts'
import { useKeys } from './keys.ts'
import { isItem, placeOf, type QueueName, queueOf, type Work } from './queues.ts'
import { tellFault } from './refused.ts'

export interface NextItemProps {
  readonly queue: QueueName
  /** The item on the screen: an account number, or the id of a document or of a change. */
  readonly itemId: string
}

/** The number of items to read, because one account may have several matches. */
const readAhead = 20

/** The items that the person has claimed come first. Those of colleagues are skipped. */
function nextOf(work: readonly Work[], itemId: string): Work | undefined {
  return work.find((one) => !isItem(one, itemId))
}

export function NextItem({ queue, itemId }: NextItemProps) {
  const replace = useReplace()
  const mine = useRead('list-work', { queues: [queue], assigned: 'Mine', size: readAhead })
  const free = useRead('list-work', { queues: [queue], assigned: 'Nobody', size: readAhead })
  const next = nextOf([...(mine.data?.work ?? []), ...(free.data?.work ?? [])], itemId)
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

/** After a decision: the next item, if the person works on the queue. An account with more open matches stays. */
export function useGoOn({ queue, itemId }: NextItemProps): () => void {
  const [filters] = useFilters()
  const replace = useReplace()
  const { history } = useRouter()
  const goOn = async () => {
    const { pathname } = history.location
    const read = async (assigned?: 'Mine' | 'Nobody') =>
      (await call('list-work', given<CallOf<'list-work'>>({ queues: [queue], assigned, size: readAhead })))
        .data.work
    const [mine, free, all] = await Promise.all([read('Mine'), read('Nobody'), read()])
    if (queue === 'Match' && all.some((one) => isItem(one, itemId))) return
    if (history.location.pathname !== pathname) return
    const next = nextOf([...mine, ...free], itemId)
    if (next === undefined) {
      const isEmpty = all.every((one) => isItem(one, itemId))
      const where = queueOf(queue).label.toLowerCase()
      return tell({
        tone: 'good',
        message: isEmpty
          ? `No further item waits in ${where}.`
          : `Colleagues have claimed the items that wait in ${where}.`,
      })
    }
    const { to, search } = placeOf(next)
    replace(to, search)
  }
  return () => {
    if (filters.queue === queue) goOn().catch(tellFault)
  }
}
