/** The sandbox's controls: its clock, snapshots, scenarios, and calls that fail. */
import { Stack } from '@mantine/core'
import { Page } from '../design/page.tsx'
import { Clock } from './clock.tsx'
import { Faults } from './faults.tsx'
import { Market } from './market.tsx'
import { Scenarios } from './scenarios.tsx'
import { Snapshots } from './snapshots.tsx'

export function SandboxScreen() {
  return (
    <Page title="Sandbox" note="Actions on this page affect all users of this sandbox.">
      <Stack gap="md">
        <Clock />
        <Scenarios />
        <Market />
        <Snapshots />
        <Faults />
      </Stack>
    </Page>
  )
}
