/**
 * Notices in a corner. A success disappears after a while, but not under the pointer or with the focus, and offers Undo
 * if that is possible; so does a request that waits for a second person. A refusal stays until it is dismissed, and
 * offers Undo no longer than a success.
 */
import { Notification, Portal } from '@mantine/core'
import { shareValue } from '../shared-value.ts'
import { Button } from './button.tsx'

type Tone = 'good' | 'waiting' | 'bad'

export interface Notice {
  readonly title?: string
  readonly message: string
  readonly tone: Tone
  /** Undoes the action. */
  readonly undo?: () => void
  /** A screen of the console about it. */
  readonly link?: { readonly label: string; readonly href: string; readonly open: () => void }
}

const colors: Readonly<Record<Tone, string>> = { good: 'teal', waiting: 'yellow', bad: 'red' }

const shownMs = 5_000
const undoneWithinMs = 10_000
const usedForMs = 1_000
const notices = shareValue<readonly (Notice & { readonly id: number })[]>([])
let current: readonly (Notice & { readonly id: number })[] = []
let last = 0

function keep(next: typeof current) {
  current = next
  notices.set(next)
}
function putAway(id: number) {
  return keep(current.filter((notice) => notice.id !== id))
}

export function tell(notice: Notice): void {
  last += 1
  const id = last
  keep([...current, { ...notice, id }])
  if (notice.tone !== 'bad') putAwayAfter(id, notice.undo ? undoneWithinMs : shownMs)
  else if (notice.undo)
    setTimeout(() => keep(current.map((one) => (one.id === id ? withoutUndo(one) : one))), undoneWithinMs)
}

/** Undoes what the newest notice with an Undo reports. */
export function undoNewest(): void {
  const newest = current.findLast(({ undo }) => undo !== undefined)
  if (newest !== undefined) takeBack(newest)
}

function takeBack({ id, undo }: Pick<(typeof current)[number], 'id' | 'undo'>): void {
  putAway(id)
  undo?.()
}

function withoutUndo({ undo: _undo, ...notice }: (typeof current)[number]) {
  return notice
}

function putAwayAfter(id: number, ms: number) {
  setTimeout(() => {
    const isInUse = document.querySelector(`[data-notice="${id}"]:is(:hover, :focus-within)`) !== null
    if (isInUse) putAwayAfter(id, usedForMs)
    else putAway(id)
  }, ms)
}

export function Notices() {
  return (
    <Portal>
      <div className="notices" role="status" aria-live="polite">
        {notices.use().map(({ id, title, message, tone, undo, link }) => (
          <Notification
            key={id}
            // The list is the live region.
            role="presentation"
            data-notice={id}
            color={colors[tone]}
            title={title}
            withBorder
            onClose={() => putAway(id)}
            closeButtonProps={{ 'aria-label': 'Dismiss' }}
          >
            {message}
            {link !== undefined && (
              <>
                {' '}
                <a
                  href={link.href}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    putAway(id)
                    link.open()
                  }}
                >
                  {link.label}
                </a>
              </>
            )}
            {undo !== undefined && (
              <Button variant="subtle" ml="xs" aria-keyshortcuts="z" onClick={() => takeBack({ id, undo })}>
                Undo
              </Button>
            )}
          </Notification>
        ))}
      </div>
    </Portal>
  )
}
