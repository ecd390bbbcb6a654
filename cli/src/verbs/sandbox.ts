/** `sandbox create|list|delete`: isolated sandboxes, one for each developer or build. */
import { createSandbox, type Sandbox } from '@clearing/sdk'
import { checkUrl } from '../connect.ts'
import { makeOperationVerb } from '../operation-verbs.ts'
import { chooseProfile } from '../profiles.ts'
import { renderJson } from '../render-json.ts'
import { renderRecord } from '../render-text.ts'
import { isSet, textOf, type Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

const group = 'Work'

const create: Verb = {
  path: ['sandbox', 'create'],
  group,
  summary: 'Create an isolated sandbox, for a developer or a build',
  description:
    'The sandbox has its own data, clock, prices, faults and limits. With --env, the command prints shell variables that make the following commands use it: ' +
    'eval "$(clearing sandbox create --env)".',
  arguments: [{ name: 'name', summary: 'a name for the list', optional: true }],
  flags: [
    { name: 'demonstration', summary: 'with the demonstration accounts' },
    { name: 'idle-minutes', value: 'number', summary: 'minutes without a call after which it is removed' },
    { name: 'env', summary: 'print shell variables instead of a record' },
  ],
  async run(given, terminal) {
    const { url, clientId, clientSecret } = await chooseProfile(terminal.environment, given.profile)
    const [name] = given.arguments
    const minutes = textOf(given, 'idle-minutes')
    if (minutes !== undefined && !/^\d{1,5}$/.test(minutes))
      throw new WrongUsage(`--idle-minutes takes a number, not ${minutes}`)
    const sandbox = await createSandbox({
      baseUrl: checkUrl(url),
      clientId,
      clientSecret,
      demonstration: isSet(given, 'demonstration'),
      ...(name === undefined ? {} : { name }),
      ...(minutes === undefined ? {} : { idleMinutes: Number(minutes) }),
    })
    const { sandboxId, baseUrl, credentials } = sandbox
    if (given.json) await terminal.print(renderJson({ sandboxId, baseUrl, credentials }))
    else
      for (const line of isSet(given, 'env')
        ? renderVariables(sandbox, clientId)
        : renderRecord({ sandboxId, baseUrl, credentials }, terminal))
        await terminal.print(line)
    return 0
  },
}

/** The values have no character that a shell reads. */
function renderVariables({ sandboxId, baseUrl, credentials }: Sandbox, clientId: string): string[] {
  const credential = credentials.find((each) => each.clientId === clientId) ?? credentials[0]
  return [
    `export CLEARING_URL=${baseUrl}`,
    `export CLEARING_CLIENT_ID=${credential?.clientId}`,
    `export CLEARING_CLIENT_SECRET=${credential?.clientSecret}`,
    `export CLEARING_SANDBOX_ID=${sandboxId}`,
  ]
}

export const sandboxVerbs: readonly Verb[] = [
  create,
  makeOperationVerb({ name: 'list-sandboxes', path: ['sandbox', 'list'], audience: 'sandbox', group }),
  makeOperationVerb({ name: 'delete-sandbox', path: ['sandbox', 'delete'], audience: 'sandbox', group }),
]
