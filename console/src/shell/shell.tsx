/** The frame of every screen: navigation, signed-in person, theme, and problems of the session or the connection. */
import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Group,
  Kbd,
  Menu,
  Modal,
  NavLink,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMoon, IconSearch, IconSun, IconUserCircle } from '@tabler/icons-react'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { useFilters } from '../address.ts'
import { Button } from '../design/button.tsx'
import { countOf } from '../design/count.ts'
import { tell, undoNewest } from '../design/notices.tsx'
import { Status } from '../design/status.tsx'
import { draftCount } from '../drafts.ts'
import { loadAllWhenIdle, loadLater } from '../load-later.tsx'
import { reachable, signOut, useSession } from '../session/session.ts'
import { useKeys } from '../work/keys.ts'
import { queueInTurn } from '../work/queues.ts'
import { Bell } from './bell.tsx'
import { Cells } from './cells.tsx'
import { useChanges } from './changes.ts'
import { Interrupted } from './interrupted.tsx'
import { places } from './places.ts'

const Palette = loadLater(() => import('./palette.tsx').then((file) => file.Palette), {
  // Keys that are typed before the palette is there must not act on the screen behind it.
  waiting: <div role="dialog" aria-label="Go to" aria-busy />,
  failed: (failure, { onClose }) => (
    <Modal opened onClose={onClose} title="Go to" closeButtonProps={{ 'aria-label': 'Close' }}>
      {failure}
    </Modal>
  ),
})
const QueueRail = loadLater(() => import('../work/queue-rail.tsx').then((file) => file.QueueRail), {
  waiting: <div />,
})

export function Shell() {
  const [opened, { toggle, close }] = useDisclosure()
  const session = useSession()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useChanges()
  useKeys([{ key: 'z', does: 'Undo', act: undoNewest }])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu of a narrow window
  useEffect(close, [path])
  const isReachable = reachable.use()
  return (
    <AppShell
      header={{ height: 48 }}
      transitionDuration={0}
      navbar={{ width: { base: 208, sm: 56, lg: 208 }, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#screen">
        Skip to the screen
      </a>
      <AppShell.Header bg="var(--raised)">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <img className="mark" src="/console/mark.svg" width={22} height={22} alt="" />
            <Text fw={600} visibleFrom="xs">
              Clearing operations
            </Text>
            {session.sandbox && <Status of="Sandbox" tone="attention" />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <GoTo />
            <Cells />
            <Bell />
            <Scheme />
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      {/* Outside the window, its links would still take the focus. */}
      <AppShell.Navbar p="xs" bg="var(--raised)" aria-label="Main" {...(opened ? {} : { visibleFrom: 'sm' })}>
        <Navigation path={path} />
      </AppShell.Navbar>
      <AppShell.Main>
        <div id="screen" tabIndex={-1}>
          {!isReachable && (
            <Alert color="yellow" mb="md" role="status" title="The service cannot be reached">
              The screen may be out of date. It is reloaded every few seconds until the service responds. Your
              text is kept.
            </Alert>
          )}
          <BesideQueue path={path} />
        </div>
      </AppShell.Main>
      <Interrupted />
    </AppShell>
  )
}

const roomForQueue = '(min-width: 84em)'

/** The screen, and on a wide window the queue beside an item that was opened from it. */
function BesideQueue({ path }: { readonly path: string }) {
  const [{ queue }] = useFilters()
  const hasRoom = useMediaQuery(roomForQueue, undefined, { getInitialValueInEffect: false })
  const worked = path === '/work' ? undefined : queueInTurn(queue)
  if (worked === undefined || !hasRoom) return <Outlet />
  return (
    <div className="with-rail">
      <QueueRail queue={worked} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}

function Navigation({ path }: { readonly path: string }) {
  const { sandbox, permissions } = useSession()
  const isAt = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
  return places
    .filter(({ operation, sandboxOnly }) => permissions.includes(operation) && (sandbox || !sandboxOnly))
    .map(({ to, label, icon: Icon, parts }) => (
      <div key={to}>
        <NavLink
          className="place"
          title={label}
          component={Link}
          to={to}
          activeOptions={{ exact: true }}
          label={label}
          active={isAt(to) && parts === undefined}
          fw={isAt(to) ? 600 : 400}
          leftSection={<Icon size={17} stroke={1.6} aria-hidden />}
          {...(isAt(to) && parts === undefined ? { 'aria-current': 'page' } : {})}
        />
        {parts !== undefined &&
          isAt(to) &&
          parts.map((part) => (
            <NavLink
              key={part.to}
              className="place part"
              title={part.label}
              component={Link}
              to={part.to}
              label={part.label}
              leftSection={<part.icon size={17} stroke={1.6} aria-hidden />}
              py={4}
              active={isAt(part.to)}
              {...(isAt(part.to) ? { 'aria-current': 'page' } : {})}
            />
          ))}
      </div>
    ))
}

/** After the first screen, so that the palette takes the keys that follow its first Ctrl-K. */
const readPaletteAfterMs = 2_000
const loadAllAfterMs = 10_000

/** The button of the palette, and Ctrl-K from everywhere except an open dialog. */
function GoTo() {
  const [opened, { open: show, close }] = useDisclosure()
  const before = useRef<Element>(null)
  const open = useCallback(() => {
    before.current = document.activeElement
    show()
  }, [show])
  // The dialog takes the focus before it could remember where the focus was. A destination may have taken it since.
  useEffect(() => {
    if (opened || document.activeElement !== document.body) return
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
  }, [opened])
  useEffect(() => {
    const timer = setTimeout(Palette.preload, readPaletteAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const timer = setTimeout(loadAllWhenIdle, loadAllAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (document.querySelector('[role=dialog]') === null) open()
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [open])
  return (
    <>
      <Button variant="default" aria-keyshortcuts="Control+K" px={{ base: 8, sm: 'md' }} onClick={open}>
        <IconSearch size={15} aria-hidden />
        <Text span fz="inherit" ml={8} visibleFrom="sm">
          Go to
        </Text>
        <Box component="span" hiddenFrom="sm">
          <VisuallyHidden>Go to</VisuallyHidden>
        </Box>
        <Kbd size="xs" ml={6} visibleFrom="sm" aria-hidden>
          Ctrl K
        </Kbd>
      </Button>
      {opened && <Palette opened onClose={close} />}
    </>
  )
}

function Scheme() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const Icon = isDark ? IconSun : IconMoon
  return (
    <ActionIcon
      aria-label={isDark ? 'Light colours' : 'Dark colours'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}

function leave(): void {
  signOut().catch(() =>
    tell({
      tone: 'bad',
      title: 'You are still signed in',
      message: 'The service cannot be reached. Try again in a moment.',
    }),
  )
}

function Person() {
  const { name, email, role } = useSession()
  const drafts = draftCount.use()
  const [asks, ask] = useDisclosure()
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="subtle" color="gray" aria-label={name} px={{ base: 8, xs: 'md' }}>
            <IconUserCircle size={18} stroke={1.6} aria-hidden />
            <Text span fz="inherit" ml={8} visibleFrom="xs">
              {name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {email} · {role}
          </Menu.Label>
          <Menu.Item component={Link} to="/profile">
            Password and second factor
          </Menu.Item>
          <Menu.Item onClick={drafts === 0 ? leave : ask.open}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={asks} onClose={ask.close} title="Sign out" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Text size="sm">
            You have text that is not sent, in {countOf(drafts, 'form')}. It is lost when you sign out.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={ask.close}>
              Stay
            </Button>
            <Button onClick={leave}>Sign out and discard it</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
