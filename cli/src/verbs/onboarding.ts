/**
 * `onboarding watch`: follows an application stage by stage, until the account is open, the application has ended, or
 * it waits.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { OnboardingResult } from '@clearing/sdk'
import { connect } from '../connect.ts'
import { renderJson } from '../render-json.ts'
import type { Terminal } from '../terminal.ts'
import { isSet, textOf, type Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

const pollEveryMs = 1_000

/** The states that end the watch, and whether the firm or operations can still continue the application. */
const ends: Readonly<Record<string, 'open' | 'over' | 'waits'>> = {
  CreationComplete: 'open',
  Rejected: 'over',
  CreationFailed: 'over',
  ActionRequired: 'waits',
  ManualReview: 'waits',
}

const watch: Verb = {
  path: ['onboarding', 'watch'],
  group: 'Work',
  summary: 'Follow an application until its account is open',
  description:
    'Shows each stage as it ends, and the follow-ups of the application. Ends when the account is open (exit code 0), when the application ' +
    'has ended, or when it waits for the firm or for operations (exit code 1).',
  arguments: [{ name: 'accountNumber', summary: '' }],
  flags: [
    { name: 'wait', summary: 'continue while it waits for the firm or for operations' },
    { name: 'timeout', value: 'seconds', summary: 'stop after this time' },
  ],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const [accountNumber = ''] = given.arguments
    const endsAt = performance.now() + readSeconds(textOf(given, 'timeout')) * 1_000
    const teller = given.json ? tellJson(terminal) : tellPeople(terminal)
    for (;;) {
      const { data } = await client.onboardingResult({ accountNumber }, { signal: terminal.signal })
      await teller(data)
      const end = ends[data.currentState]
      if (end === 'open') return 0
      if (end === 'over' || (end === 'waits' && !isSet(given, 'wait'))) return 1
      if (performance.now() + pollEveryMs > endsAt) {
        terminal.note(`It is still ${data.currentState}.`)
        return 1
      }
      terminal.progress(`${data.currentState} …`)
      await sleep(pollEveryMs, undefined, { signal: terminal.signal })
    }
  },
}

function readSeconds(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^\d{1,9}$/.test(text)) throw new WrongUsage(`--timeout takes seconds, not ${text}`)
  return Number(text)
}

type Teller = (result: OnboardingResult) => Promise<void>

/** Prints each result that differs from the previous one. */
function tellJson(terminal: Terminal): Teller {
  let last = ''
  return async (result) => {
    const line = renderJson(result)
    if (line !== last) await terminal.print(line)
    last = line
  }
}

const colours = { Success: 'green', Failed: 'red' } as const

/** The news of a result: changes of state, ended stages, opened follow-ups. */
function tellPeople(terminal: Terminal): Teller {
  const printed = new Set<string>()
  const tell = async (line: string, style?: 'green' | 'red' | 'yellow' | 'bold') => {
    if (printed.has(line)) return
    printed.add(line)
    await terminal.print(style === undefined ? line : terminal.style(style, line))
  }
  return async ({ accountNumber, currentState, history, state, followUps, remarks, errorResponses }) => {
    for (const { to, at, reason } of history) {
      await tell(`${at}  ${to}${reason === '' ? '' : `  ${reason}`}`, 'bold')
    }
    for (const { code, status, reason } of state) {
      const colour = colours[status as keyof typeof colours]
      if (colour !== undefined || status === 'Failed') {
        await tell(`  ${status.padEnd(8)} ${code}${reason === '' ? '' : `: ${reason}`}`, colour)
      }
    }
    for (const followUp of followUps.filter(({ status }) => status === 'Open')) {
      await tell(renderFollowUp(followUp), 'yellow')
    }
    for (const { code, field, reason } of errorResponses) await tell(`  ${code} ${field} ${reason}`, 'red')
    if (ends[currentState] === undefined) return
    const style = { open: 'green', over: 'red', waits: 'yellow' } as const
    const why = remarks.replace(`${currentState}: `, '')
    await tell(
      `${accountNumber} is ${currentState}${why === '' ? '' : `: ${why}`}`,
      style[ends[currentState]],
    )
  }
}

function renderFollowUp({
  code,
  field,
  reasons,
  acceptedDocuments,
  dueBy,
}: OnboardingResult['followUps'][number]) {
  const where = field === '' ? '' : ` (${field})`
  const reason = reasons.join(' ').replace(/\.$/, '')
  const parts = [
    ...(reason === '' ? [] : [reason]),
    ...(acceptedDocuments.length === 0 ? [] : [`a document of type ${acceptedDocuments.join(' or ')}`]),
    ...(dueBy === null ? [] : [`by ${dueBy}`]),
  ]
  return `  Asked for: ${code}${where}${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`
}

export const onboardingVerbs: readonly Verb[] = [watch]
