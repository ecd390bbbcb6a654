/** The person's own password, second factor and sessions. */
import { Alert, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { tell } from '../design/notices.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import { useSession } from '../session/session.ts'
import { askSession } from './ask-session.ts'
import { OwnSessions } from './own-sessions.tsx'

export function ProfileScreen() {
  return (
    <Page title="Password and second factor">
      <div className="columns">
        <Password />
        <SecondFactor />
      </div>
      <OwnSessions />
    </Page>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const change = async () => {
    const { wrong: found } = await askSession('password', { current, password })
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

function SecondFactor() {
  const { secondFactor, secondFactorDue } = useSession()
  const [offered, setOffered] = useState<Offered>()
  const [current, setCurrent] = useState('')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const offer = async () => {
    const { answer, wrong: found } = await askSession('second-factor', { current })
    setWrong(found === undefined ? undefined : Object.values(found)[0])
    if (answer !== undefined) setOffered(answer as Offered)
  }
  const confirm = async () => {
    const { wrong: found } = await askSession('second-factor/confirm', { code })
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
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void offer()
            }}
          >
            <Stack gap="sm">
              <PasswordInput
                size="xs"
                label="Your password"
                autoComplete="current-password"
                value={current}
                error={wrong}
                onChange={(event) => setCurrent(event.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button type="submit" variant="default" disabled={current === ''}>
                  {secondFactor ? 'Replace it' : 'Set it up'}
                </Button>
              </Group>
            </Stack>
          </form>
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

/** An image, so that nothing in it can be executed. */
function QrCode({ svg }: { readonly svg: string }) {
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
