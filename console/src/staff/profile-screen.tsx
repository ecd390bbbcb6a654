/** One's own password and second factor. */
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { tell } from '../design/notices.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import { useSession } from '../session/session.ts'

/** Calls the session's own paths; answers what was wrong by its field, or nothing. */
const send = async (
  path: string,
  body: object,
): Promise<{ wrong?: Record<string, string>; answer?: unknown }> => {
  try {
    const answer = await fetch(`/console/${path}`, {
      method: 'POST',
      headers: { 'X-Clearing-Console': '1', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    const json = text === '' ? {} : JSON.parse(text)
    if (answer.ok) return { answer: json }
    const errors = (json.errors ?? []) as { field: string; reason: string }[]
    return { wrong: Object.fromEntries(errors.map(({ field, reason }) => [field, reason])) }
  } catch {
    return { wrong: { '': 'The service cannot be reached. What you typed is kept.' } }
  }
}

export const ProfileScreen = () => (
  <Page title="Password and second factor">
    <div className="columns">
      <Password />
      <SecondFactor />
    </div>
  </Page>
)

const Password = () => {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const change = async () => {
    const { wrong: found } = await send('password', { current, password })
    setWrong(found ?? {})
    if (found !== undefined) return
    setCurrent('')
    setPassword('')
    tell({ tone: 'good', message: 'The password was changed. Your other sessions have ended.' })
  }
  return (
    <Panel title="Password">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void change()
        }}
      >
        <Stack gap="sm">
          <PasswordInput
            size="xs"
            label="Current password"
            autoComplete="current-password"
            value={current}
            error={wrong.current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            size="xs"
            label="New password"
            autoComplete="new-password"
            value={password}
            error={wrong.password ?? wrong['']}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={current === '' || password === ''}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

interface Offered {
  readonly secret: string
  readonly qr: string
}

const SecondFactor = () => {
  const { secondFactor, secondFactorDue } = useSession()
  const [offered, setOffered] = useState<Offered>()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const offer = async () => {
    const { answer, wrong: found } = await send('second-factor', {})
    setWrong(found === undefined ? undefined : Object.values(found)[0])
    if (answer !== undefined) setOffered(answer as Offered)
  }
  const confirm = async () => {
    const { wrong: found } = await send('second-factor/confirm', { code })
    if (found === undefined) return location.reload()
    setWrong(Object.values(found)[0])
  }
  return (
    <Panel
      title="Second factor"
      acts={<Status of={secondFactor ? 'Set up' : 'Not set up'} tone={secondFactor ? 'good' : 'attention'} />}
    >
      <Stack gap="sm">
        {secondFactorDue && <Alert color="yellow">Your role needs a second factor.</Alert>}
        {offered === undefined ? (
          <Group justify="flex-end">
            {wrong !== undefined && <Text size="sm">{wrong}</Text>}
            <Button variant="default" onClick={offer}>
              {secondFactor ? 'Replace it' : 'Set it up'}
            </Button>
          </Group>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void confirm()
            }}
          >
            <Stack gap="sm">
              <Text size="sm">Scan this with an authenticator, then type the code that it shows.</Text>
              <QrCode svg={offered.qr} />
              <Text size="xs">
                Or type <span className="mono">{offered.secret}</span>
              </Text>
              <TextInput
                label="Code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={6}
                value={code}
                error={wrong}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button type="submit" disabled={!/^\d{6}$/.test(code)}>
                  Confirm
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Panel>
  )
}

/** As an image, so that nothing in it could run. */
const QrCode = ({ svg }: { readonly svg: string }) => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [svg])
  return address === undefined ? null : (
    <img
      src={address}
      width={180}
      height={180}
      alt="Secret of the authenticator as a QR code"
      className="paper"
    />
  )
}
