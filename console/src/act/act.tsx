/** A button, its dialog, and the operation that the dialog calls. */
import type { Answer } from '@clearing/sdk'
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useGoTo } from '../address.ts'
import { waitingIn } from '../change/take-back.ts'
import type { Answered, Readable } from '../client.ts'
import { type Notice, tell } from '../design/notices.tsx'
import { DialogTitle } from '../design/subject.tsx'
import { withTimes } from '../design/time.tsx'
import { useWhyNot } from '../session/permitted.ts'
import { useKeys } from '../work/keys.ts'
import { tellFault } from '../work/refused.ts'
import { ActButton } from './act-button.tsx'
import { ActForm, type ActFormProps } from './act-form.tsx'
import { AskedFor } from './asked-for.tsx'

export interface ActProps<N extends Readable>
  extends Omit<ActFormProps<N>, 'onDone' | 'onCancel' | 'submit' | 'fields'> {
  readonly label: ReactNode
  readonly title: string
  readonly explains?: ReactNode
  readonly fields?: ActFormProps<N>['fields']
  readonly submit?: string
  readonly notNow?: string | undefined
  readonly look?: ButtonProps
  /** The key that opens the dialog. */
  readonly shortcut?: string
  /** Whether an address can name it (`act`): at most one on a screen has the same operation. */
  readonly inAddress?: boolean
  /** What it acts on, for the notice of its success. The account number of `fixed` by default. */
  readonly about?: string
  /** The row on which it acts, on a screen with several: its dialog names it. */
  readonly of?: string
  /** The part of the response to show before the dialog closes, such as a secret that is shown once. */
  readonly result?: (answer: Answer<Answered<N>>) => ReactNode
  readonly onDone?: (answer: Answer<Answered<N>>) => void
  /** What the notice states instead of the success, if the operation did less than was asked. */
  readonly reported?: (answer: Answer<Answered<N>>) => Pick<Notice, 'tone' | 'message'> | undefined
  /** How to undo the operation, if that is possible; offered for ten seconds. */
  readonly undo?: (answer: Answer<Answered<N>>) => (() => Promise<unknown>) | undefined
}

/** The response of an operation without a result. */
const plainSuccess = 'Request successful.'

function accountOf(fixed: object = {}): string {
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

/** The focused form is gone, so the focus moves to the dialog. */
function focusOn(element: HTMLElement | null) {
  return element?.focus()
}

export function Act<N extends Readable>(props: ActProps<N>) {
  const {
    label,
    title,
    explains,
    fields = [],
    submit,
    notNow,
    look,
    shortcut,
    inAddress = false,
    about = accountOf(props.fixed),
    of,
    result,
    onDone,
    reported,
    undo,
    ...form
  } = props
  const [opened, setOpened] = useState(false)
  const [answer, setAnswer] = useState<Answer<Answered<N>>>()
  const close = () => {
    setOpened(false)
    setAnswer(undefined)
  }
  const goTo = useGoTo()
  const linkTo = (changeId: string) => ({
    label: 'Open the change',
    href: `/console/changes/${changeId}`,
    open: () => goTo(`/changes/${changeId}`),
  })
  const queries = useQueryClient()
  const takeBack = async (back: () => Promise<unknown>) => {
    await back()
    await queries.invalidateQueries()
    tell({ tone: 'good', title, message: 'Undone.' })
  }
  const whyNot = useWhyNot(props.operation) ?? notNow
  useKeys(
    shortcut !== undefined && whyNot === undefined
      ? [{ key: shortcut, does: title, act: () => setOpened(true) }]
      : [],
  )
  const shows = answer !== undefined && result !== undefined
  return (
    <>
      {inAddress && (
        <AskedFor act={props.operation} title={title} whyNot={whyNot} onAct={() => setOpened(true)} />
      )}
      <ActButton
        operation={props.operation}
        notNow={notNow}
        variant={props.danger ? 'light' : 'default'}
        {...(props.danger ? { color: 'red' } : {})}
        {...look}
        {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
        onAct={() => setOpened(true)}
      >
        {label}
      </ActButton>
      <Modal
        opened={opened}
        onClose={close}
        title={<DialogTitle of={of}>{title}</DialogTitle>}
        closeButtonProps={{ 'aria-label': 'Close' }}
        closeOnClickOutside={false}
        // A secret that is shown once is dismissed by its button only, because a key may have been meant for another
        // control.
        closeOnEscape={!shows}
        withCloseButton={!shows}
      >
        {shows ? (
          <Stack ref={focusOn} tabIndex={-1}>
            {result(answer)}
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        ) : (
          <Stack gap="sm">
            {explains !== undefined && <Text size="sm">{explains}</Text>}
            <ActForm
              {...form}
              fields={fields}
              submit={submit ?? title}
              onCancel={close}
              onDone={(done) => {
                onDone?.(done)
                if (result !== undefined) return setAnswer(done)
                close()
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
              }}
            />
          </Stack>
        )}
      </Modal>
    </>
  )
}
