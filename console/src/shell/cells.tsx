/** The cell in which the console works, and links to the others. A single installation shows nothing. */
import { Menu, Text } from '@mantine/core'
import { IconServer2 } from '@tabler/icons-react'
import { Button } from '../design/button.tsx'
import { useRead } from '../reads.ts'

export function Cells() {
  const { data } = useRead('list-cells', {})
  const cells = data?.cells ?? []
  const current = cells.find(({ answers }) => answers)
  if (current === undefined || cells.length < 2) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" px={{ base: 8, sm: 'md' }} aria-label={`Cell: ${current.name}`}>
          <IconServer2 size={15} stroke={1.6} aria-hidden />
          <Text span fz="inherit" ml={8} visibleFrom="sm">
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Cells, each with its own firms and accounts</Menu.Label>
        {cells.map(({ name, firstNumber, lastNumber, answers }) => (
          <Menu.Item key={name} disabled={answers} onClick={() => goTo(name)}>
            {name} · accounts {firstNumber}… to {lastNumber}…
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The router reads the cookie. Each cell has its own sessions, so the first visit asks to sign in. */
function goTo(cell: string) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no Cookie Store
  document.cookie = `clearing-cell=${cell}; Path=/; SameSite=Strict${secure}`
  location.assign('/console/')
}
