/** The first part of Home for each role: the person's own work. A viewer decides nothing and has no such part. */
import type { CallOf } from '@clearing/sdk'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Filters } from '../address.ts'
import { countOf, renderCount, verbOf } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { Items } from './late.tsx'

interface Part {
  readonly title: string
  readonly asks: CallOf<'list-work'>
  readonly empty: string
  /** The inbox with the same filter. */
  readonly inbox: Filters
  /** Failing webhooks are no items of work while their deliveries are repeated. */
  readonly hasWebhooks?: boolean
}

const shownMax = 5

const parts: Readonly<Record<string, Part>> = {
  operator: {
    title: 'Yours',
    asks: { assigned: 'Mine' },
    empty: 'Nothing is assigned to you.',
    inbox: { assigned: 'Mine' },
  },
  principal: {
    title: 'For your approval',
    asks: { queues: ['Change', 'Restriction'] },
    empty: 'No change waits for a second person.',
    inbox: { queue: 'Change,Restriction' },
  },
  admin: {
    title: 'Failed jobs and webhooks',
    asks: { queues: ['Job', 'Webhook'] },
    empty: 'No job and no delivery has been given up.',
    inbox: { queue: 'Job,Webhook' },
    hasWebhooks: true,
  },
}

export function ForRole() {
  const part = parts[useSession().role]
  return part === undefined ? null : <OwnWork part={part} />
}

function OwnWork({ part: { title, asks, empty, inbox, hasWebhooks = false } }: { readonly part: Part }) {
  return (
    <Shown read={useRead('list-work', { ...asks, size: shownMax, counted: true })}>
      {({ work, total }) => (
        <Panel
          title={title}
          note={total !== null && total > work.length ? `${work.length} of ${renderCount(total)}` : undefined}
          flush
          acts={
            <Link to="/work" search={() => inbox}>
              Inbox
            </Link>
          }
        >
          {work.length === 0 ? (
            <Text size="sm" className="quiet" px={14} py={10}>
              {empty}
            </Text>
          ) : (
            <Items label={title} work={work} />
          )}
          {hasWebhooks && <FailingWebhooks />}
        </Panel>
      )}
    </Shown>
  )
}

function FailingWebhooks() {
  const { data } = useRead('list-failures', {})
  const count = data?.failures.filter(({ webhookId }) => webhookId !== '').length ?? 0
  if (count === 0) return null
  return (
    <Text size="sm" px={14} py={10}>
      <a href="#broke">
        {countOf(count, 'webhook')} {verbOf(count, 'fails or was disabled', 'fail or were disabled')}
      </a>
    </Text>
  )
}
