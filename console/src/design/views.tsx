/**
 * The saved views of a screen, own and shared: its filters, order, columns and density under a name. The service stores
 * them. Opening a view opens an ordinary address.
 */
import { limits } from '@clearing/protocol'
import { Menu, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { ActForm } from '../act/act-form.tsx'
import { forgetPlaces, useFilters, useGoTo } from '../address.ts'
import type { Answered } from '../client.ts'
import { useRead, useWrite } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { Button } from './button.tsx'
import { plainFault } from './fault.ts'
import { tell } from './notices.tsx'

type View = Answered<'list-views'>['views'][number]

export function Views() {
  const screen = useRouterState({ select: ({ location }) => location.pathname })
  const search = useSearch()
  const goTo = useGoTo()
  const { email } = useSession()
  const { data } = useRead('list-views', { screen })
  const [saves, save] = useDisclosure()
  const remove = useRemove()
  const views = data?.views ?? []
  const current = views.find((view) => view.search === search)
  const own = views.filter(({ ownedBy }) => ownedBy === email)
  const shared = views.filter(({ ownedBy }) => ownedBy !== email)
  const itemOf = (view: View) => (
    <Menu.Item
      key={view.viewId}
      {...(view === current ? { 'aria-current': 'true', fw: 600 } : {})}
      onClick={() => goTo(screen, Object.fromEntries(new URLSearchParams(view.search)))}
    >
      {view.name}
      {noteOf(view, email) !== '' && (
        <Text span size="xs" className="quiet" ml={8}>
          {noteOf(view, email)}
        </Text>
      )}
    </Menu.Item>
  )
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={13} aria-hidden />}>
            {current === undefined ? 'Views' : `View: ${current.name}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {own.length > 0 && <Menu.Label>Yours</Menu.Label>}
          {own.map(itemOf)}
          {shared.length > 0 && <Menu.Label>Of others</Menu.Label>}
          {shared.map(itemOf)}
          {views.length > 0 && <Menu.Divider />}
          <SaveItem notNow={search === '' ? nothingToSave : undefined} onSave={save.open} />
          {current?.ownedBy === email && (
            <Menu.Item onClick={() => remove(current)}>Delete “{current.name}”</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={saves}
        onClose={save.close}
        title="Save as a view"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack gap="sm">
          <Text size="sm">
            Keeps the filters, the order, the columns and the density of this screen. Your view of the same
            name is replaced.
          </Text>
          <ActForm
            operation="save-view"
            fields={[
              {
                name: 'name',
                label: 'Name',
                kind: 'text',
                required: true,
                hint: `At most ${limits.viewNameLengthMax} characters, without personal data.`,
              },
              { name: 'shared', label: 'Show it to all staff', kind: 'flag' },
            ]}
            fixed={{ screen, search }}
            submit="Save"
            onCancel={save.close}
            onDone={({ data: { name } }) => {
              save.close()
              tell({ tone: 'good', message: `The view “${name}” is saved.` })
            }}
          />
        </Stack>
      </Modal>
    </>
  )
}

const nothingToSave = 'Choose filters, an order or columns first.'

/** Keys reach the entry while it cannot be used, so that its reason is read. */
function SaveItem({ notNow, onSave }: { readonly notNow: string | undefined; readonly onSave: () => void }) {
  const save = 'Save as a view…'
  if (notNow === undefined) return <Menu.Item onClick={onSave}>{save}</Menu.Item>
  return (
    <Menu.Item aria-disabled closeMenuOnClick={false}>
      <span className="quiet">{save}</span>
      <Text size="xs" className="quiet">
        {notNow}
      </Text>
    </Menu.Item>
  )
}

function noteOf({ ownedBy, shared }: View, email: string): string {
  if (ownedBy !== email) return `by ${ownedBy}`
  return shared ? 'shared' : ''
}

/** The part of the address that a view stores; the position in a list is not part of it. */
function useSearch(): string {
  const [filters] = useFilters()
  const kept = Object.entries({ ...filters, ...forgetPlaces(filters) }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  return new URLSearchParams(kept.sort()).toString()
}

/** Deletes a view, and saves it again on Undo. */
function useRemove(): (view: View) => void {
  const remove = useWrite('delete-view')
  const save = useWrite('save-view')
  const onError = (fault: unknown) => {
    const { title, text = '' } = plainFault(fault)
    tell({ tone: 'bad', title, message: text })
  }
  return ({ viewId, screen, name, shared, search }) =>
    remove.mutate(
      { viewId },
      {
        onError,
        onSuccess: () =>
          tell({
            tone: 'good',
            message: `The view “${name}” is deleted.`,
            undo: () => save.mutate({ screen, name, shared, search }, { onError }),
          }),
      },
    )
}
