/** The dialogs of a page that may not act: its session ended, or belongs to another person. */
import { Group, getDefaultZIndex, Button as LinkButton, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { discardDrafts, draftCount } from '../drafts.ts'
import { checkSession, interrupted, signInAddress, useSession } from '../session/session.ts'

export function Interrupted() {
  const why = interrupted.use()
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === 'visible') void checkSession()
    }
    addEventListener('focus', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      removeEventListener('focus', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
  return (
    <>
      <Asked opened={why === 'ended'} title="Your session has ended">
        <Ended />
      </Asked>
      <OtherPerson name={typeof why === 'object' ? why.by.name : undefined} />
    </>
  )
}

function Ended() {
  const [notYet, setNotYet] = useState(false)
  const goOn = async () => {
    setNotYet(false)
    setNotYet((await checkSession()) === 'ended')
  }
  return (
    <>
      <Text size="sm">
        Sign in again in a new window, then continue here. Your text on this screen is kept.
      </Text>
      <Text size="sm" role="status">
        {notYet && 'You are not signed in yet.'}
      </Text>
      <Group justify="flex-end">
        <SignIn>Sign in</SignIn>
        <Button variant="default" onClick={() => void goOn()}>
          Go on
        </Button>
      </Group>
    </>
  )
}

/** Another person signed in in the same browser, which ended the session of this page. */
function OtherPerson({ name }: { readonly name: string | undefined }) {
  const shown = useSession()
  const drafts = draftCount.use()
  const goOn = () => {
    discardDrafts()
    location.reload()
  }
  return (
    <Asked opened={name !== undefined} title={`You are now signed in as ${name} in another window`}>
      <Text size="sm">
        This window still shows the work of {shown.name}. It sends nothing until you choose.
        {drafts > 0 && ` If you go on as ${name}, the text that was not sent is lost.`}
      </Text>
      <Group justify="flex-end">
        <Button onClick={goOn}>Go on as {name}</Button>
        <SignIn variant="default">Sign in as {shown.name}</SignIn>
      </Group>
    </Asked>
  )
}

function Asked(props: { readonly opened: boolean; readonly title: string; readonly children: ReactNode }) {
  return (
    <Modal
      opened={props.opened}
      onClose={() => {}}
      withCloseButton={false}
      title={props.title}
      // Above a dialog that was open, and its lists of choices.
      zIndex={getDefaultZIndex('max')}
    >
      <Stack>{props.children}</Stack>
    </Modal>
  )
}

function SignIn(props: { readonly variant?: string; readonly children: ReactNode }) {
  return (
    <LinkButton {...props} component="a" href={signInAddress('/console/')} target="_blank" rel="opener" />
  )
}
