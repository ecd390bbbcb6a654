/** A form that sends a file with other fields and shows the errors. */
import { RequestRejected, SignedOut } from '@clearing/sdk'
import { FileInput, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Failure } from '../design/states.tsx'

export interface FileFormProps {
  readonly submit: string
  /** The accepted kinds of file, in words and as extensions. */
  readonly description: string
  readonly accept: string
  /** True when the other required fields have values. */
  readonly ready: boolean
  /** The other fields as a text: the same file with the same fields is the same request. */
  readonly request: string
  /** Sends the file. All attempts of the same request have one key, so that it takes effect once. */
  readonly send: (file: File, idempotencyKey: string) => Promise<void>
  /** Shown during the transfer. */
  readonly sending?: ReactNode
  /** The fields before the file. */
  readonly children: ReactNode
}

export function FileForm(props: FileFormProps) {
  const [file, setFile] = useState<File | null>(null)
  const [sends, setSends] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const queries = useQueryClient()
  const attempt = useRef<{ request: string; key: string }>(undefined)
  const send = async () => {
    if (file === null) return
    const request = [props.request, file.name, file.size, file.lastModified].join(' ')
    if (attempt.current?.request !== request) attempt.current = { request, key: crypto.randomUUID() }
    setSends(true)
    setFault(undefined)
    try {
      await props.send(file, attempt.current.key)
      attempt.current = undefined
      await queries.invalidateQueries()
    } catch (caught) {
      // After a new sign-in the same file may follow an attempt whose outcome is unknown.
      if (caught instanceof RequestRejected && !(caught instanceof SignedOut)) attempt.current = undefined
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
        {props.children}
        <FileInput
          label="File"
          placeholder="Choose a file"
          description={props.description}
          withAsterisk
          size="xs"
          accept={props.accept}
          value={file}
          onChange={setFile}
        />
        {sends && props.sending}
        {fault !== undefined && <Failure fault={fault} />}
        <Group justify="flex-end">
          <Button type="submit" loading={sends} disabled={!props.ready || file === null}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
