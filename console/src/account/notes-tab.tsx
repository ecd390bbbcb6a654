/** The staff's notes on the account, which firms do not see. */
import { Panel } from '../design/panel.tsx'
import type { TabProps } from './account-screen.tsx'
import { Notes } from './notes.tsx'

export function NotesTab({ accountNumber }: TabProps) {
  return (
    <Panel title="Notes" note="visible to staff only">
      <Notes accountNumber={accountNumber} />
    </Panel>
  )
}
