/** Notes about an account, the latest first, and one to be written. */
import { limits } from '@clearing/protocol'
import { Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { Shown } from '../design/states.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export function Notes({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <Stack gap="sm" align="flex-start">
      <Act
        operation="add-note"
        label="Write a note"
        title="Write a note"
        submit="Save"
        fields={[
          {
            name: 'text',
            label: 'Note',
            kind: 'long',
            required: true,
            hint: `At most ${limits.noteLengthMax} characters.`,
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
            notes.map(({ noteId, text, writtenBy, writtenOn }) => (
              <div key={noteId}>
                <Text size="sm" className="note">
                  {text}
                </Text>
                <Text size="xs" className="quiet">
                  {writtenBy} · <Time at={writtenOn} />
                </Text>
              </div>
            ))
          )
        }
      </Shown>
    </Stack>
  )
}
