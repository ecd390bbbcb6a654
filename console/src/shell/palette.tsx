/**
 * The palette of Ctrl-K: type a name, a number, a tax id or an action, and Enter opens it. The typed text is kept out
 * of the address and of the browser's storage.
 */
import { Combobox, Loader, Modal, ScrollArea, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useGoTo } from '../address.ts'
import { type Destination, useDestinations } from './destinations.ts'

const typedForMs = 150

export function Palette({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Go to"
      centered={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Search onDone={onClose} />
    </Modal>
  )
}

function Search({ onDone }: { readonly onDone: () => void }) {
  const goTo = useGoTo()
  const [text, setText] = useState('')
  const [sought] = useDebouncedValue(text, typedForMs)
  const { destinations, isReading } = useDestinations(sought.trim())
  const isSettled = !isReading && sought === text
  const combobox = useCombobox({ opened: true })
  const go = ({ to, search = {} }: Destination) => {
    onDone()
    goTo(to, search)
  }

  // Enter opens the first result, until another is selected.
  const list = destinations.map(({ key }) => key).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its first
  useEffect(() => {
    combobox.selectFirstOption()
  }, [list])

  // Enter pressed before the results arrive opens the first of them.
  const [isEntered, setEntered] = useState(false)
  const enter = useEffectEvent(() => {
    setEntered(false)
    const [first] = destinations
    if (first !== undefined) go(first)
  })
  useEffect(() => {
    if (isEntered && isSettled) enter()
  }, [isEntered, isSettled])

  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      onOptionSubmit={(key) => {
        const chosen = destinations.find((one) => one.key === key)
        if (chosen !== undefined) go(chosen)
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          // The dialog moves the focus a moment later; keys that are typed at once must not be lost.
          autoFocus
          aria-label="Account, person, tax id, firm, document, screen or action"
          placeholder="Account, person, firm, screen or action"
          size="md"
          autoComplete="off"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isSettled ? null : <Loader size={14} aria-label="Searching" />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setEntered(false)
          }}
          onKeyDownCapture={(event) => {
            if (event.key === 'Escape') return onDone()
            if (event.key !== 'Enter' || isSettled) return
            event.preventDefault()
            event.stopPropagation()
            setEntered(true)
          }}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah="55vh" mt="xs" type="auto">
        <Combobox.Options aria-label="Where to go">
          {groupsOf(destinations).map(([group, inside]) => (
            <Combobox.Group key={group} label={group}>
              {inside.map(({ key, label, note }) => (
                <Combobox.Option key={key} value={key}>
                  {label}
                  {note !== undefined && (
                    <Text span size="xs" className="quiet" ml={8}>
                      {note}
                    </Text>
                  )}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {destinations.length === 0 && (
            <Combobox.Empty>
              {isSettled ? 'No results. Names match by their beginnings.' : 'Searching'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </ScrollArea.Autosize>
    </Combobox>
  )
}

function groupsOf(destinations: readonly Destination[]): [group: string, inside: Destination[]][] {
  const groups = new Map<string, Destination[]>()
  for (const one of destinations) groups.set(one.group, [...(groups.get(one.group) ?? []), one])
  return [...groups]
}
