/** Says on the screen of an item which colleague has claimed it, so that two people do not decide the same item. */
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { isItem, type QueueName } from './queues.ts'

export interface ClaimedByProps {
  readonly queue: QueueName
  readonly accountNumber: string
  readonly itemId: string
}

export function ClaimedBy({ queue, accountNumber, itemId }: ClaimedByProps) {
  const { email } = useSession()
  const { data } = useRead('list-work', { queues: [queue], accountNumber }, { enabled: accountNumber !== '' })
  const owner = data?.work.find((work) => isItem(work, itemId))?.assignedTo ?? ''
  if (owner === '' || owner === email) return null
  return <span className="status status-attention">Claimed by {owner}</span>
}
