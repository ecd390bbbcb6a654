/** Adds a document to an account for its firm: a file with its type and reference of the catalogue. */
import { limits } from '@clearing/protocol'
import { CallFailed } from '@clearing/sdk'
import { Button, FileInput, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { client } from '../client.ts'
import { Failure } from '../design/states.tsx'
import { useRead } from '../reads.ts'

export const AddDocument = ({ accountNumber }: { readonly accountNumber: string }) => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <ActButton operation="add-document" variant="default" onAct={open}>
        Add a document
      </ActButton>
      <Modal
        opened={opened}
        onClose={close}
        title="Add a document"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form accountNumber={accountNumber} onDone={close} />
      </Modal>
    </>
  )
}

const Form = ({ accountNumber, onDone }: { readonly accountNumber: string; readonly onDone: () => void }) => {
  const types = useRead('get-document-types', {})
  const queries = useQueryClient()
  const [kind, setKind] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [sends, setSends] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const known = types.data?.documentTypes ?? []
  const chosen = known.find((type) => keyOf(type) === kind)
  const send = async () => {
    if (chosen === undefined || file === null) return
    setSends(true)
    setFault(undefined)
    try {
      const { documentTypeName, reference } = chosen
      const content = new Uint8Array(await file.arrayBuffer())
      const upload = { name: file.name, content }
      const named = displayName.trim() === '' ? {} : { displayName: displayName.trim() }
      await client.addDocument({
        accountNumber,
        documentTypeName,
        reference,
        ...named,
        file: upload,
      } as never)
      await queries.invalidateQueries()
      onDone()
    } catch (caught) {
      setFault(caught)
    } finally {
      setSends(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack gap="sm">
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
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <FileInput
          label="File"
          description="PDF, JPEG, PNG, BMP or TIFF, at most 10 MB"
          withAsterisk
          size="xs"
          accept=".pdf,.jpg,.jpeg,.bmp,.png,.tiff,.tif"
          value={file}
          onChange={setFile}
        />
        {fault !== undefined && (
          <Failure fault={fault instanceof CallFailed ? fault : new Error('The file could not be sent.')} />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={sends} disabled={chosen === undefined || file === null}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const keyOf = ({ documentTypeName, reference }: { documentTypeName: string; reference: string }) =>
  `${documentTypeName}/${reference}`
