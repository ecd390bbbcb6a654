/** Adds a document to an account for its firm: a file with a type and reference of the catalogue. */
import { limits } from '@clearing/protocol'
import { Modal, NativeSelect, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { AskedFor } from '../act/asked-for.tsx'
import { FileForm } from '../act/file-form.tsx'
import { client } from '../client.ts'
import { DialogTitle } from '../design/subject.tsx'
import { dropDraft, keepDraft, readDraft } from '../drafts.ts'
import { useRead } from '../reads.ts'
import { useWhyNot } from '../session/permitted.ts'

export function AddDocument({ accountNumber }: { readonly accountNumber: string }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <AskedFor act="add-document" title="Add a document" whyNot={useWhyNot('add-document')} onAct={open} />
      <ActButton operation="add-document" variant="default" onAct={open}>
        Add a document
      </ActButton>
      <Modal
        opened={opened}
        onClose={close}
        title={<DialogTitle>Add a document</DialogTitle>}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form accountNumber={accountNumber} onDone={close} />
      </Modal>
    </>
  )
}

function Form({ accountNumber, onDone }: { readonly accountNumber: string; readonly onDone: () => void }) {
  const types = useRead('get-document-types', {})
  const [kind, setKind] = useState('')
  const draft = `add-document ${accountNumber}`
  const [displayName, setDisplayName] = useState(() => readDraft<string>(draft) ?? '')
  const name = (typed: string) => {
    setDisplayName(typed)
    if (typed === '') dropDraft(draft)
    else keepDraft(draft, typed)
  }
  const known = types.data?.documentTypes ?? []
  const chosen = known.find((type) => keyOf(type) === kind)
  const send = async (file: File, idempotencyKey: string) => {
    if (chosen === undefined) return
    const { documentTypeName, reference } = chosen
    const content = new Uint8Array(await file.arrayBuffer())
    const named = displayName.trim() === '' ? {} : { displayName: displayName.trim() }
    await client.addDocument(
      { accountNumber, documentTypeName, reference, ...named, file: { name: file.name, content } },
      { idempotencyKey },
    )
    dropDraft(draft)
    onDone()
  }
  return (
    <FileForm
      submit="Add"
      description="PDF, JPEG, PNG, BMP or TIFF, at most 10 MB"
      accept=".pdf,.jpg,.jpeg,.bmp,.png,.tiff,.tif"
      ready={chosen !== undefined}
      request={`${kind} ${displayName}`}
      send={send}
    >
      <NativeSelect
        label="Type"
        withAsterisk
        value={kind}
        data={[
          { value: '', label: 'Choose…' },
          ...known.map((type) => ({
            value: keyOf(type),
            label: `${type.documentTypeName} · ${type.title}`,
          })),
        ]}
        onChange={(event) => setKind(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        value={displayName}
        maxLength={limits.documentDisplayNameLengthMax}
        autoComplete="off"
        onChange={(event) => name(event.currentTarget.value)}
      />
    </FileForm>
  )
}

function keyOf({ documentTypeName, reference }: { documentTypeName: string; reference: string }) {
  return `${documentTypeName}/${reference}`
}
