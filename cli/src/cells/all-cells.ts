/** The cells of the service, each with a client that calls it. */
import type { Client } from '@clearing/sdk'
import { connect } from '../connect.ts'
import type { Terminal } from '../terminal.ts'
import type { Given } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

export interface ConnectedCell {
  readonly name: string
  readonly client: Client<'string'>
  /** Whether the cell has the account with this number, or assigns such numbers. */
  has(accountNumber: string): boolean
}

/** Connects to every cell; `WrongUsage` for a service without cells. */
export async function connectToCells(given: Given, terminal: Terminal): Promise<ConnectedCell[]> {
  const client = await connect(given, terminal)
  const { cells } = (await client.operations.listCells({ moved: true }, { signal: terminal.signal })).data
  if (cells.length === 0) throw new WrongUsage('The service has no cells')
  const moved = new Map(
    cells.flatMap(({ name, movedAccounts = [] }) => movedAccounts.map((number) => [number, name] as const)),
  )
  return Promise.all(
    cells.map(async ({ name, firstNumber, lastNumber }) => ({
      name,
      client: await connect(given, terminal, name),
      has: (accountNumber: string) => {
        const movedTo = moved.get(accountNumber)
        if (movedTo !== undefined) return movedTo === name
        const beginning = accountNumber.slice(0, 2)
        return /^\d\d$/.test(beginning) && firstNumber <= beginning && beginning <= lastNumber
      },
    })),
  )
}
