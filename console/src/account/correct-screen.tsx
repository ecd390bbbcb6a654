/**
 * Corrects the record of an account: its fields in a form, beside them the changes with old and new values, sent as one
 * change.
 */
import { Alert, Stack } from '@mantine/core'
import { useState } from 'react'
import { changedSince, type Seen, seenOf } from '../act/seen.ts'
import { useShowAnswer } from '../act/show-answer.ts'
import { usePart } from '../address.ts'
import { FieldChanges } from '../change/field-changes.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { dropDraft, keepDraft, readDraft } from '../drafts.ts'
import { useRead } from '../reads.ts'
import { useWhyNot } from '../session/permitted.ts'
import { CorrectForm } from './correct-form.tsx'
import { changesOf, type Edits, partsToCorrect } from './corrections.ts'
import { FindField } from './find-field.tsx'
import { InForce } from './in-force.tsx'
import { type Block, recordOf } from './record.ts'
import { SendCorrection } from './send-correction.tsx'

function aboveOf(accountNumber: string) {
  return [
    { label: 'Accounts', to: '/accounts' },
    { label: `Account ${accountNumber}`, to: `/accounts/${accountNumber}` },
  ]
}

export function CorrectScreen() {
  const accountNumber = usePart('accountNumber')
  return (
    <Shown
      read={useRead('get-account', { accountNumber }, { keep: true })}
      rows={10}
      failedPage={{ title: `Correct ${accountNumber}`, above: aboveOf(accountNumber) }}
    >
      {(data) => <Correct key={accountNumber} accountNumber={accountNumber} record={recordOf(data)} />}
    </Shown>
  )
}

/** The member of the draft with the reason, beside the paths of the fields. */
const reasonOfDraft = 'reason'

interface Wrong {
  readonly field: string
  readonly reason: string
}

interface Draft {
  readonly edits: Edits
  readonly seen: Seen
}
const emptyDraft: Draft = { edits: {}, seen: {} }

function Correct({ accountNumber, record }: { readonly accountNumber: string; readonly record: Block }) {
  const draft = `correct ${accountNumber}`
  const [{ edits, seen }, setDraft] = useState<Draft>(() => readDraft<Draft>(draft) ?? emptyDraft)
  const [wrong, setWrong] = useState<readonly Wrong[]>([])
  // A correction with an unknown outcome is sent again unchanged, because a changed one would be another request.
  const [isUnknown, setUnknown] = useState(false)
  const parts = partsToCorrect(record)
  const onFile = new Map(parts.flatMap(({ fields }) => fields.map(({ path, value }) => [path, value])))
  const changes = changesOf(parts, edits)
  const form = useShowAnswer<HTMLDivElement>(wrong)
  const status = String(record.accountStatus ?? '')
  const whyNever = useWhyNot('update-account') ?? (isUnknown ? undefined : whyEnded(status))
  const keep = (next: Draft) => {
    setDraft(next)
    if (Object.keys(next.edits).length > 0) keepDraft(draft, next)
    else dropDraft(draft)
  }
  const edit = (path: string, value: string) => {
    const { [path]: _, ...others } = edits
    const next = value === onFile.get(path) ? others : { ...edits, [path]: value }
    const replaced = Object.keys(next).map((name) => ({ name, path: name, value: onFile.get(name) ?? '' }))
    keep({ edits: next, seen: seenOf(seen, replaced) })
  }
  const changed = changedSince(
    seen,
    changes.map(({ field, before }) => ({ name: field, path: field, value: before })),
  )
  return (
    <Page
      title={`Correct ${String(record.accountName ?? '') || accountNumber}`}
      windowTitle={`Correct account ${accountNumber}`}
      note={
        whyNever === undefined
          ? 'Correct the wrong fields. Your text is kept until you send or discard it. Ctrl+Enter sends the correction.'
          : undefined
      }
      above={aboveOf(accountNumber)}
      badge={<Status of={status} />}
    >
      {whyNever !== undefined && (
        <Alert color="yellow" variant="light" mb="md" role="status" title="The record cannot be corrected">
          {whyNever}
        </Alert>
      )}
      {status === 'Restricted' && <InForce accountNumber={accountNumber} onCorrection />}
      <div className="beside" ref={form}>
        <Stack gap="md">
          <FindField parts={parts} />
          <fieldset className="plain">
            <Stack gap="md">
              <CorrectForm
                parts={parts}
                edits={edits}
                wrong={wrong}
                isFixed={isUnknown}
                isReadOnly={whyNever !== undefined}
                onEdit={edit}
              />
            </Stack>
          </fieldset>
        </Stack>
        <div className="stays">
          <Panel title="What changes" flush>
            <FieldChanges label="What changes" changes={changes} empty="Nothing is changed yet." />
            <div className="inside">
              <SendCorrection
                accountNumber={accountNumber}
                record={record}
                changes={changes}
                whyNever={whyNever}
                reason={edits[reasonOfDraft] ?? ''}
                onReason={(reason) => edit(reasonOfDraft, reason)}
                changed={changed}
                onKeep={({ path, value }) => keep({ edits, seen: { ...seen, [path]: value } })}
                onTake={({ path, value }) => edit(path, value)}
                wrong={wrong}
                onWrong={setWrong}
                onDone={() => keep(emptyDraft)}
                isUnknown={isUnknown}
                onUnknown={setUnknown}
              />
            </div>
          </Panel>
        </div>
      </div>
    </Page>
  )
}

/** Undefined for an account whose record can be corrected. */
function whyEnded(status: string): string | undefined {
  return status === 'Closed' || status === 'Rejected' ? `The account is ${status.toLowerCase()}.` : undefined
}
