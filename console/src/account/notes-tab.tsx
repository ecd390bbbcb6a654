/** What the staff wrote about the account; firms do not see it. */
import { Panel } from '../design/panel.tsx'
import type { TabProps } from './account-screen.tsx'
import { Notes } from './notes.tsx'

export const NotesTab = ({ accountNumber }: TabProps) => (
  <Panel title="Notes" note="only the staff sees them">
    <Notes accountNumber={accountNumber} />
  </Panel>
)
