/** list-scenarios: the scenarios of the sandbox. */
import { scenarios } from '@clearing/domain'
import type { Handler } from './context.ts'

export const listScenarios: Handler<'list-scenarios'> = async () => ({
  scenarios: scenarios.map(({ name, effect, owner, steps, lookAt }) => ({
    name,
    effect,
    owner: { ...owner },
    steps: steps.map((step) => ({ ...step })),
    lookAt: [...lookAt],
  })),
})
