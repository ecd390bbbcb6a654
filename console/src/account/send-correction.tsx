/**
 * Sends the changes of a record as one and reports the result: applied, or waiting for a second person or for the
 * screening.
 */
import { limits } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { OutcomeUnknown, SignedOut } from '@clearing/sdk'
import { Alert, Group, Stack, Text, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { ChangedMeanwhile } from '../act/changed-meanwhile.tsx'
import { useIsLeft } from '../act/is-left.ts'
import type { ChangedValue } from '../act/seen.ts'
import { useShowAnswer } from '../act/show-answer.ts'
import { useGoTo } from '../address.ts'
import { Button } from '../design/button.tsx'
import { isRejection, mayPass } from '../design/fault.ts'
import { tell } from '../design/notices.tsx'
import { Failure, Refusals } from '../design/states.tsx'
import { withTimes } from '../design/time.tsx'
import { useAll, useWrite } from '../reads.ts'
import { tellFault } from '../work/refused.ts'
import { pathInRecord, requestOfChanges } from './corrections.ts'
import type { Block } from './record.ts'

interface Wrong {
  readonly field: string
  readonly reason: string
}

export interface SendCorrectionProps {
  readonly accountNumber: string
  readonly record: Block
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[]
  /** The reason why no correction of this record can be sent, if there is one. */
  readonly whyNever: string | undefined
  /** Fields that a colleague changed while the person typed. */
  readonly changed: readonly ChangedValue[]
  readonly onKeep: (changed: ChangedValue) => void
  readonly onTake: (changed: ChangedValue) => void
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly wrong: readonly Wrong[]
  readonly onWrong: (wrong: readonly Wrong[]) => void
  /** The correction was sent or discarded. */
  readonly onDone: () => void
  /** Whether the correction was sent and may have taken effect. It is then sent again unchanged. */
  readonly isUnknown: boolean
  readonly onUnknown: (isUnknown: boolean) => void
}

interface Sent {
  readonly version: number
  readonly changed: ReturnType<typeof requestOfChanges>
  readonly reason: string
}

function sentOf(record: Block, changes: SendCorrectionProps['changes'], reason: string): Sent {
  return {
    version: Number(record.version),
    changed: requestOfChanges(record, changes),
    reason: reason.trim(),
  }
}

export function SendCorrection(props: SendCorrectionProps) {
  const { accountNumber, record, changes, reason, onReason, wrong, onWrong, onDone, isUnknown, onUnknown } =
    props
  const write = useWrite('update-account')
  const goTo = useGoTo()
  const isLeft = useIsLeft()
  const [waits, setWaits] = useState<string>()
  // The record is read again when it changes, so a correction that took effect can no longer be made from it.
  const last = useRef<Sent>(undefined)
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const done = () => {
    onUnknown(false)
    onDone()
  }
  const send = () => {
    onWrong([])
    if (!isUnknown || last.current === undefined) last.current = sentOf(record, changes, reason)
    const { version, changed, reason: why } = last.current
    const request = {
      accountNumber,
      expectedVersion: version,
      reason: why,
      ...changed,
    } as CallOf<'update-account'>
    // Not with callbacks of `mutate`, which are not called for a screen that was left.
    write.mutateAsync(request).then(
      ({ data, message }) => {
        done()
        if (data.version === version)
          return isLeft.current ? tellWaits(accountNumber, message) : setWaits(message)
        tellCorrected(isLeft.current ? accountNumber : '', data.version, message)
        if (!isLeft.current) goTo(`/accounts/${accountNumber}`)
      },
      (fault: unknown) => {
        onUnknown(
          fault instanceof OutcomeUnknown || (isUnknown && (mayPass(fault) || fault instanceof SignedOut)),
        )
        if (isRejection(fault))
          onWrong(
            fault.rejections.map((one) => ({ ...one, field: pathInRecord(record, changed, one.field) })),
          )
        if (isLeft.current) tellFault(fault, `Not corrected: ${accountNumber}`)
      },
    )
  }
  // While the correction is under way, the record may change because of it.
  const changed = isUnknown || write.isPending ? [] : props.changed
  const notNow = props.whyNever ?? (isUnknown ? undefined : whyNotSent(changes, changed.length > 0, reason))
  useSendKey(() => {
    if (write.isPending) return
    if (notNow === undefined) return send()
    if (notNow === reasonFirst) return reasonField.current?.focus()
    if (notNow === choiceFirst) return alert.current?.focus()
    tell({ tone: 'waiting', title: 'The correction was not sent', message: notNow })
  })
  const answer = useShowAnswer<HTMLDivElement>(waits, write.error)
  const elsewhere = wrong.filter(
    ({ field }) => field !== 'reason' && !changes.some((change) => change.field === field),
  )
  return (
    <Stack gap="sm" ref={answer}>
      {waits !== undefined && <Waiting accountNumber={accountNumber} message={waits} />}
      <ChangedMeanwhile changed={changed} alert={alert} onKeep={props.onKeep} onTake={props.onTake} />
      <Refusals reasons={elsewhere} />
      <NotSent fault={write.error} />
      <Textarea
        label="Reason"
        name="reason"
        description="The firm can read it in the history of the account."
        ref={reasonField}
        autosize
        minRows={2}
        maxLength={limits.noteLengthMax}
        value={reason}
        readOnly={isUnknown}
        disabled={props.whyNever !== undefined}
        error={wrong.find(({ field }) => field === 'reason')?.reason}
        onChange={(event) => onReason(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          disabled={(changes.length === 0 && !isUnknown) || write.isPending}
          onClick={done}
        >
          Discard
        </Button>
        <ActButton
          operation="update-account"
          loading={write.isPending}
          notNow={notNow}
          aria-keyshortcuts="Control+Enter"
          onAct={send}
        >
          Send the correction
        </ActButton>
      </Group>
    </Stack>
  )
}

function NotSent({ fault }: { readonly fault: unknown }) {
  if (fault === null) return null
  return (
    <>
      {!isRejection(fault) && <Failure fault={fault} />}
      {mayPass(fault) && (
        <Text size="sm">Your text is kept. You can send it again: the correction takes effect once.</Text>
      )}
    </>
  )
}

/** Ctrl+Enter, while no dialog is open. */
function useSendKey(onPress: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (document.querySelector('[role=dialog]') !== null) return
    event.preventDefault()
    onPress()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** With the number of the account, if its screen was left. */
function tellCorrected(accountNumber: string, version: number, message: string) {
  // Remarks of account policy follow the usual message.
  const result = message.replace('Request successful.', `It has version ${version} now.`)
  tell({
    tone: 'good',
    title: 'The record is corrected',
    message: accountNumber === '' ? result : `${accountNumber}: ${result}`,
  })
}

function tellWaits(accountNumber: string, message: string) {
  tell({ tone: 'waiting', title: 'The correction waits', message: `${accountNumber}: ${withTimes(message)}` })
}

const choiceFirst = 'Choose first which values to keep.'
const reasonFirst = 'Give the reason first.'

function whyNotSent(
  changes: SendCorrectionProps['changes'],
  hasChanged: boolean,
  reason: string,
): string | undefined {
  if (changes.length === 0) return 'Nothing is changed yet.'
  const emptied = changes.find(({ after }) => after === '')
  if (emptied !== undefined) return 'A value can be replaced, and cannot be removed.'
  if (hasChanged) return choiceFirst
  return reason.trim() === '' ? reasonFirst : undefined
}

function Waiting({ accountNumber, message }: { readonly accountNumber: string; readonly message: string }) {
  const { rows } = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  return (
    <Alert color="yellow" variant="light" role="status" title="The correction waits">
      <Text size="sm">{withTimes(message)}</Text>
      {rows.map(({ changeId, requestedBy }) => (
        <div key={changeId}>
          <Link to={`/changes/${changeId}`}>Open the change</Link>{' '}
          <span className="quiet">requested by {requestedBy}</span>
        </div>
      ))}
    </Alert>
  )
}
