/**
 * The overview and the help of the verbs that are not operations, as one text. It is committed as `cli/help.txt`, which
 * `node cli/src/write-help.ts` writes.
 */
import { fileURLToPath } from 'node:url'
import { renderHelp, renderOverview } from './help.ts'
import { operationGroups } from './operation-verbs.ts'
import { listVerbs } from './verbs.ts'

export const helpFile = fileURLToPath(new URL('../help.txt', import.meta.url))

const rule = `${'-'.repeat(100)}\n`

export function renderHelpSnapshot(): string {
  const verbs = listVerbs()
  const own = verbs.filter(({ group }) => !operationGroups.includes(group))
  return [renderOverview(own), ...own.map(renderHelp)].join(`\n${rule}`)
}
