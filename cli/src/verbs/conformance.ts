/** `conformance`: checks an implementation against the specification, sentence by sentence. */

import { statements } from '../conformance/statements.ts'
import { Departure, Subject } from '../conformance/subject.ts'
import { checkUrl } from '../connect.ts'
import { chooseProfile } from '../profiles.ts'
import { renderJson } from '../render-json.ts'
import { isSet, textOf, type Verb } from '../verb.ts'

interface Finding {
  readonly section: string
  readonly sentence: string
  readonly holds: boolean
  /** The finding; empty if the statement holds. */
  readonly found: string
}

export const conformanceVerb: Verb = {
  path: ['conformance'],
  group: 'Work',
  summary: 'Check an implementation against the specification, sentence by sentence',
  description:
    'Opens an account and uploads documents, so use a test environment. Each line of the report quotes a sentence of the specification and its heading. With --json, the report has one line of ' +
    'JSON for each sentence. The exit code is 1 if a sentence does not hold.',
  arguments: [],
  flags: [
    { name: 'url', value: 'address', summary: 'the implementation, instead of the address of the profile' },
    {
      name: 'client-id',
      value: 'id',
      summary: 'its client id; the secret is that of the profile or of CLEARING_CLIENT_SECRET',
    },
    { name: 'entity-number', value: 'number', summary: 'an entity number of the client; 301 by default' },
    { name: 'rep-code', value: 'code', summary: 'a rep code of the client; JC01 by default' },
    { name: 'failed', summary: 'only the sentences that do not hold' },
  ],
  async run(given, terminal) {
    const flags = { url: textOf(given, 'url'), clientId: textOf(given, 'client-id') }
    const { url, clientId, clientSecret } = await chooseProfile(
      {
        ...terminal.environment,
        ...(flags.url === undefined ? {} : { CLEARING_URL: flags.url }),
        ...(flags.clientId === undefined ? {} : { CLEARING_CLIENT_ID: flags.clientId }),
      },
      given.profile,
    )
    const subject = new Subject({
      url: checkUrl(url),
      clientId,
      clientSecret,
      entityNumber: textOf(given, 'entity-number') ?? '301',
      repCode: textOf(given, 'rep-code') ?? 'JC01',
    })
    let failed = 0
    for (const { section, sentence, check } of statements) {
      const found = await findDeparture(() => check(subject))
      const finding: Finding = { section, sentence, holds: found === '', found }
      if (!finding.holds) failed += 1
      if (finding.holds && isSet(given, 'failed')) continue
      await terminal.print(given.json ? renderJson(finding) : renderFinding(finding))
    }
    terminal.note(`${statements.length - failed} of ${statements.length} sentences hold.`)
    return failed === 0 ? 0 : 1
  },
}

async function findDeparture(check: () => Promise<void>): Promise<string> {
  try {
    await check()
    return ''
  } catch (error) {
    if (error instanceof Departure) return error.message
    // Another error means that the response was not of an expected form, or that there was none.
    return `the check ended: ${error instanceof Error ? error.message : String(error)}`
  }
}

function renderFinding({ section, sentence, holds, found }: Finding): string {
  const line = `${holds ? 'holds ' : 'DIFFERS'} ${section}: ${sentence}`
  return holds ? line : `${line}\n        found: ${found}`
}
