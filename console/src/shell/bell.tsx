/** The person's notifications: the number of unread ones, and the newest, each with a link to its subject. */
import { ActionIcon, Indicator, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Filters } from '../address.ts'
import type { Answered } from '../client.ts'
import { Button } from '../design/button.tsx'
import { countOf } from '../design/count.ts'
import { Age } from '../design/time.tsx'
import { useRead, useWrite } from '../reads.ts'
import { queueOf } from '../work/queues.ts'

type Notification = Answered<'list-notifications'>['notifications'][number]

const shownMax = 20

export function Bell() {
  const [opened, { close, toggle }] = useDisclosure()
  const { data } = useRead('list-notifications', { size: shownMax })
  const read = useWrite('read-notifications')
  const unread = data?.unread ?? 0
  const notifications = data?.notifications ?? []
  return (
    <Popover
      opened={opened}
      onChange={close}
      position="bottom-end"
      width="min(26rem, calc(100vw - 1rem))"
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
    >
      <Indicator disabled={unread === 0} size={8} offset={5} color="red">
        <Popover.Target>
          <ActionIcon
            aria-label={unread === 0 ? 'Notifications' : countOf(unread, 'unread notification')}
            onClick={toggle}
          >
            <IconBell size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications" className="bell">
        <Stack gap="xs" align="flex-start">
          {notifications.length === 0 && (
            <Text size="sm" className="quiet">
              No notifications. Mentions in notes, assigned work, and decisions on your changes appear here.
            </Text>
          )}
          <ul className="notified" aria-label="Notifications">
            {notifications.map((notification) => (
              <Item
                key={notification.notificationId}
                notification={notification}
                onOpen={() => {
                  close()
                  if (notification.readOn === null)
                    read.mutate({ notificationIds: [notification.notificationId] })
                }}
              />
            ))}
          </ul>
          {unread > 0 && (
            <Button variant="default" loading={read.isPending} onClick={() => read.mutate({})}>
              Mark all as read
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ItemProps {
  readonly notification: Notification
  readonly onOpen: () => void
}

function Item({ notification, onOpen }: ItemProps) {
  const { accountNumber, detail, causedBy, notifiedOn, readOn } = notification
  const { what, to, search = {} } = meaningOf(notification)
  return (
    <li>
      <div>
        <Link
          to={to}
          search={() => search}
          onClick={onOpen}
          {...(readOn === null ? { className: 'unread' } : {})}
        >
          {what}
          {accountNumber !== '' && ` · ${accountNumber}`}
        </Link>
        <div className="quiet detail">{detail}</div>
        <div className="quiet">
          {causedBy} · <Age since={notifiedOn} />
        </div>
      </div>
    </li>
  )
}

interface Meaning {
  readonly what: string
  readonly to: string
  readonly search?: Filters
}

/** Kinds of later releases link to the account. */
function meaningOf({ kind, accountNumber, target, detail }: Notification): Meaning {
  const account = accountNumber === '' ? '/' : `/accounts/${accountNumber}`
  switch (kind) {
    case 'Mention':
      return { what: 'You were mentioned in a note', to: account, search: { tab: 'notes' } }
    case 'Assigned':
      return {
        what: `Assigned to you: ${queueOf(detail).label.toLowerCase()}`,
        to: '/work',
        search: { queue: detail, assigned: 'Mine' },
      }
    case 'Decided':
      return { what: 'Your change was decided', to: `/changes/${target}` }
    case 'Access':
      return { what: 'Access to the console changed', to: '/staff' }
    default:
      return { what: kind, to: account }
  }
}
