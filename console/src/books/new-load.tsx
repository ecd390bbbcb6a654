/** Loads a file of facts. It streams to the service; how far it is can be seen among the loads while it runs. */
import type { OperationName } from '@clearing/protocol'
import { methodOf } from '@clearing/sdk'
import { Button, FileInput, Group, Modal, NativeSelect, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { useGoTo } from '../address.ts'
import { client } from '../client.ts'
import { plainChoices } from '../design/codes.ts'
import { Failure } from '../design/states.tsx'
import { wordsOf } from '../design/words.ts'

export const loadKinds = [
  'load-securities',
  'load-prices',
  'load-fx-rates',
  'load-held-away',
  'load-activity',
] as const satisfies readonly OperationName[]

export const NewLoad = () => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <ActButton operation="load-activity" onAct={open}>
        Load a file
      </ActButton>
      <Modal opened={opened} onClose={close} title="Load a file" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Form onDone={close} />
      </Modal>
    </>
  )
}

const Form = ({ onDone }: { readonly onDone: () => void }) => {
  const [kind, setKind] = useState<string>(loadKinds[0])
  const [file, setFile] = useState<File | null>(null)
  const [sends, setSends] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const queries = useQueryClient()
  const goTo = useGoTo()
  const send = async () => {
    if (file === null) return
    setSends(true)
    setFault(undefined)
    try {
      const lines = /\.csv$/i.test(file.name) ? { csv: await file.text() } : { ndjson: await file.text() }
      const load = methodOf(client, kind as OperationName)
      const answer = await load?.({ lines })
      const { loadId } = (answer as { data: { loadId: string } }).data
      await queries.invalidateQueries()
      onDone()
      goTo(`/books/loads/${loadId}`)
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
          label="What"
          value={kind}
          data={plainChoices(loadKinds, wordsOf)}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        <FileInput
          label="File"
          description="NDJSON (one object a line) or CSV (names in the first line). Good lines are kept, bad ones reported; a file can be loaded again."
          withAsterisk
          size="xs"
          accept=".ndjson,.jsonl,.json,.csv,.txt"
          value={file}
          onChange={setFile}
        />
        {sends && (
          <>
            <Progress value={100} animated aria-label="Loading the file" />
            <Text size="xs" className="quiet">
              The service takes the lines. The list of loads shows how far it is.
            </Text>
          </>
        )}
        {fault !== undefined && <Failure fault={fault} />}
        <Group justify="flex-end">
          <Button type="submit" loading={sends} disabled={file === null}>
            Load
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
