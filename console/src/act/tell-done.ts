/** The notice of an act that was done: its success, a change that waits for a second person, and its Undo. */
import type { Answer } from '@clearing/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useGoTo } from '../address.ts'
import { waitingIn } from '../change/take-back.ts'
import type { Answered, Readable } from '../client.ts'
import { tell } from '../design/notices.tsx'
import { withTimes } from '../design/time.tsx'
import { tellFault } from '../work/refused.ts'
import type { ActProps } from './act.tsx'

/** The response of an operation without a result. */
const plainSuccess = 'Request successful.'

export function accountOf(fixed: object = {}): string {
  return 'accountNumber' in fixed ? String(fixed.accountNumber) : ''
}

/** The notice names the object, because the screen may already show the next one. */
function doneWith(about: string): string {
  return about === '' ? 'Done.' : `${about}: done.`
}

/** A request is not taken for a change that is in force. */
function requestedFor(about: string): string {
  return `${about === '' ? 'Requested' : `${about}: requested`}. It takes effect when a second person approves it, and not before.`
}

/** A result such as a secret is shown once, in the dialog that is gone. */
export function tellUnseen(title: string, about: string): void {
  tell({
    tone: 'bad',
    title,
    message: `${doneWith(about)} The result was not shown, because you left the screen.`,
  })
}

interface Reported<N extends Readable> {
  readonly title: string
  readonly about: string
  readonly reported: ActProps<N>['reported'] | undefined
  readonly undo: ActProps<N>['undo'] | undefined
}

export function useTellDone<N extends Readable>({ title, about, reported, undo }: Reported<N>) {
  const goTo = useGoTo()
  const queries = useQueryClient()
  const linkTo = (changeId: string) => ({
    label: 'Open the change',
    href: `/console/changes/${changeId}`,
    open: () => goTo(`/changes/${changeId}`),
  })
  const takeBack = async (back: () => Promise<unknown>) => {
    await back()
    await queries.invalidateQueries()
    tell({ tone: 'good', title, message: 'Undone.' })
  }
  return (done: Answer<Answered<N>>): void => {
    const back = undo?.(done)
    const waiting = waitingIn(done.data)
    tell({
      title,
      ...(waiting === undefined
        ? {
            tone: 'good',
            message: done.message === plainSuccess ? doneWith(about) : withTimes(done.message),
          }
        : { tone: 'waiting', message: requestedFor(about), link: linkTo(waiting) }),
      ...reported?.(done),
      ...(back === undefined ? {} : { undo: () => void takeBack(back).catch(tellFault) }),
    })
  }
}
