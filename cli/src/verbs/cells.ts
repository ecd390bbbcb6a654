/** `cells list|close`: the cells of the service, and their business day. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RequestRejected } from '@clearing/sdk'
import { type ConnectedCell, connectToCells } from '../cells/all-cells.ts'
import { makeOperationVerb } from '../operation-verbs.ts'
import { showRows } from '../show.ts'
import type { Terminal } from '../terminal.ts'
import { textOf, type Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

const group = 'Work'
const askAgainMs = 1_000
/** The close continues. */
const goesOn = 'ERR.2009'

interface CellsDay {
  readonly cell: ConnectedCell
  readonly businessDate: string
}

type Row = {
  readonly cell: string
  readonly businessDate: string
  readonly state: 'Closed' | 'Open' | 'Behind'
  readonly reason: string
}

const close: Verb = {
  path: ['cells', 'close'],
  group,
  summary: 'Close the business day of every cell',
  description:
    'Closes the day in each cell in which it is open. Without --date, the day is the earliest that is open in a cell. No cell is closed while an earlier day is open in another cell. ' +
    'Repeat the command until every cell has closed the day; the exit code is then 0. If a cell has open items, the command names the cell and the items: settle them, or close the cell alone with close-business-day and acceptOpen.',
  arguments: [],
  flags: [{ name: 'date', value: 'date', summary: 'the day to close' }],
  async run(given, terminal) {
    const date = textOf(given, 'date')
    if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date))
      throw new WrongUsage(`--date takes a date, not ${date}`)
    const cells = await connectToCells(given, terminal)
    const days = await Promise.all(cells.map((cell) => readDay(cell, terminal)))
    const day = date ?? days.map(({ businessDate }) => businessDate).sort()[0] ?? ''
    const behind = days.filter(({ businessDate }) => businessDate < day)
    const rows =
      behind.length > 0
        ? days.map((each) => notClosed(each, behind.includes(each) ? 'Behind' : 'Open', ''))
        : await Promise.all(days.map((each) => closeIn(each, day, terminal)))
    await showRows(undefined, rows, given.json, terminal)
    for (const { cell, businessDate } of behind)
      terminal.note(`${cell.name} is behind: its open day is ${businessDate}. Nothing was closed.`)
    return rows.every(({ state }) => state === 'Closed') ? 0 : 1
  },
}

async function readDay(cell: ConnectedCell, { signal }: Terminal): Promise<CellsDay> {
  const { businessDate } = (await cell.client.operations.closeChecklist({}, { signal })).data
  return { cell, businessDate }
}

/** Repeats the call until the close has ended. The call for a closed day returns its result again. */
async function closeIn(each: CellsDay, date: string, { signal }: Terminal): Promise<Row> {
  const { cell } = each
  for (;;) {
    try {
      await cell.client.operations.closeBusinessDay({ date }, { signal })
      const { businessDate } = (await cell.client.operations.closeChecklist({}, { signal })).data
      return { cell: cell.name, businessDate, state: 'Closed', reason: '' }
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error
      const { rejections } = error
      if (!rejections.some(({ code }) => code === goesOn))
        return notClosed(each, 'Open', rejections.map(({ reason }) => reason).join(' '))
      await sleep(askAgainMs, undefined, { signal })
    }
  }
}

function notClosed({ cell, businessDate }: CellsDay, state: Row['state'], reason: string): Row {
  return { cell: cell.name, businessDate, state, reason }
}

export const cellVerbs: readonly Verb[] = [
  makeOperationVerb({ name: 'list-cells', path: ['cells', 'list'], audience: 'operations', group }),
  close,
]
