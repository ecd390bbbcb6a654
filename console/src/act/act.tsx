/** A button, its dialog, and the operation that the dialog calls. */
import type { Answer } from '@clearing/sdk'
import { type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Answered, Readable } from '../client.ts'
import { Button } from '../design/button.tsx'
import type { Notice } from '../design/notices.tsx'
import { DialogTitle } from '../design/subject.tsx'
import { useWhyNot } from '../session/permitted.ts'
import { useKeys } from '../work/keys.ts'
import { ActButton } from './act-button.tsx'
import { ActForm, type ActFormProps } from './act-form.tsx'
import { AskedFor } from './asked-for.tsx'
import { useIsLeft } from './is-left.ts'
import { accountOf, tellUnseen, useTellDone } from './tell-done.ts'

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
  /** The row on which it acts, on a screen with several: its dialog and its button name it. */
  readonly of?: string
  /** The part of the response to show before the dialog closes, such as a secret that is shown once. */
  readonly result?: (answer: Answer<Answered<N>>) => ReactNode
  readonly onDone?: (answer: Answer<Answered<N>>) => void
  /** What the notice states instead of the success, if the operation did less than was asked. */
  readonly reported?: (answer: Answer<Answered<N>>) => Pick<Notice, 'tone' | 'message'> | undefined
  /** How to undo the operation, if that is possible; offered for ten seconds. */
  readonly undo?: (answer: Answer<Answered<N>>) => (() => Promise<unknown>) | undefined
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
  const [sends, setSends] = useState(false)
  const isLeft = useIsLeft()
  const close = () => {
    setOpened(false)
    setAnswer(undefined)
  }
  const tellDone = useTellDone<N>({ title, about, reported, undo })
  const finish = (done: Answer<Answered<N>>) => {
    if (isLeft.current) return result === undefined ? tellDone(done) : tellUnseen(title, about)
    onDone?.(done)
    if (result === undefined) {
      close()
      return tellDone(done)
    }
    setOpened(true)
    setAnswer(done)
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
        of={of}
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
        onClose={() => !sends && close()}
        title={<DialogTitle of={of}>{title}</DialogTitle>}
        closeButtonProps={{ 'aria-label': 'Close', disabled: sends }}
        closeOnClickOutside={false}
        // A secret that is shown once is dismissed by its button only, because a key may have been meant for another
        // control.
        closeOnEscape={!shows && !sends}
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
              onSending={setSends}
              called={about === '' ? title : `${title}, ${about}`}
              onDone={finish}
            />
          </Stack>
        )}
      </Modal>
    </>
  )
}
