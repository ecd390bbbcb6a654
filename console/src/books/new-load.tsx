/** Loads a file of facts as a stream. The list of loads shows its progress. */
import { Modal, NativeSelect, Progress, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { FileForm } from '../act/file-form.tsx'
import { useGoTo } from '../address.ts'
import { call } from '../client.ts'
import { plainChoices } from '../design/codes.ts'
import { hintOfKind, type LoadKind, loadKindInWords, loadKinds } from './load-kinds.ts'

const sourceMax = 200

interface NewLoadProps {
  readonly label?: string
  /** The kind that is chosen first; by default none. */
  readonly first?: LoadKind | undefined
}

export function NewLoad({ label = 'Load a file', first }: NewLoadProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <ActButton operation="load-activity" onAct={open}>
        {label}
      </ActButton>
      <Modal
        opened={opened}
        onClose={close}
        title={label}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form first={first} onDone={close} />
      </Modal>
    </>
  )
}

function Form({ first, onDone }: { readonly first: LoadKind | undefined; readonly onDone: () => void }) {
  const [kind, setKind] = useState(first)
  const goTo = useGoTo()
  const send = async (file: File, idempotencyKey: string) => {
    if (kind === undefined) return
    const lines = /\.csv$/i.test(file.name) ? { csv: await file.text() } : { ndjson: await file.text() }
    const { data } = await call(kind, { source: file.name.slice(0, sourceMax), lines }, { idempotencyKey })
    onDone()
    goTo(`/books/loads/${data.loadId}`)
  }
  return (
    <FileForm
      submit="Load"
      description="NDJSON (one object a line) or CSV (names in the first line). Valid lines are stored, and invalid ones are reported. A file can be loaded again."
      accept=".ndjson,.jsonl,.json,.csv,.txt"
      ready={kind !== undefined}
      request={kind ?? ''}
      send={send}
      sending={
        <>
          <Progress value={100} animated aria-label="Loading the file" />
          <Text size="xs" className="quiet">
            The service is reading the lines. The list of loads shows the progress.
          </Text>
        </>
      }
    >
      <NativeSelect
        label="What"
        description={kind && hintOfKind[kind]}
        withAsterisk
        data-autofocus
        value={kind ?? ''}
        data={[
          ...(kind === undefined ? [{ value: '', label: 'Choose…' }] : []),
          ...plainChoices(loadKinds, loadKindInWords),
        ]}
        onChange={({ currentTarget: { value } }) => setKind(loadKinds.find((one) => one === value) ?? kind)}
      />
    </FileForm>
  )
}
