/** What the staff wrote about the account; firms do not see it. */
import { Panel } from '../design/panel.tsx'
import type { TabProps } from './account-screen.tsx'
import { Notes } from './notes.tsx'

export function NotesTab({ accountNumber }: TabProps) {
  return (
    <Panel title="Notes" note="only the staff sees them">
      <Notes accountNumber={accountNumber} />
    </Panel>
  )
}
