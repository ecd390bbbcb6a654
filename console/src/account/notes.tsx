/** Notes on an account, the latest first, and a form for a new one. */
import { limits } from '@clearing/protocol'
import { Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import type { Choice } from '../act/field.ts'
import { renderCount } from '../design/count.ts'
import { Shown } from '../design/states.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'

export function Notes({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <Stack gap="sm" align="flex-start">
      <Act
        operation="add-note"
        label="Write a note"
        inAddress
        title="Write a note"
        submit="Save"
        fields={[
          {
            name: 'text',
            label: 'Note',
            kind: 'long',
            required: true,
            hint: `At most ${renderCount(limits.staffNoteLengthMax)} characters.`,
          },
          {
            name: 'mentions',
            label: 'Mention',
            kind: 'several',
            hint: 'Who is notified of the note.',
            choices: useColleagues(),
          },
        ]}
        fixed={{ accountNumber }}
      />
      <Shown read={useRead('list-notes', { accountNumber })} rows={2}>
        {({ notes }) =>
          notes.length === 0 ? (
            <Text size="sm" className="quiet">
              No notes yet.
            </Text>
          ) : (
            notes.map(({ noteId, text, mentions, writtenBy, writtenOn }) => (
              <div key={noteId}>
                <Text size="sm" className="note">
                  {text}
                </Text>
                <Text size="xs" className="quiet">
                  {writtenBy} · <Time at={writtenOn} />
                  {mentions.length > 0 && ` · mentions ${mentions.join(', ')}`}
                </Text>
              </div>
            ))
          )
        }
      </Shown>
    </Stack>
  )
}

function useColleagues(): readonly Choice[] {
  const { email: own } = useSession()
  const { data } = useRead('list-staff', {})
  return (data?.staff ?? [])
    .filter(({ email, disabled }) => !disabled && email !== own)
    .map(({ email, name }) => ({ value: email, label: `${name} (${email})` }))
}
