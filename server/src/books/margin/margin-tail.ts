/** The tail of a margin ledger: the lines of an account that its last ledger does not include. */
import type { Tx } from '../../database/transaction.ts'
import type { StoredMarginLedger } from '../../store/margin-ledger.ts'
import { type LinesWanted, type MarginLine, readMarginLines } from '../../store/margin-lines.ts'

export interface MarginTail {
  /** Undefined for an account that no close has seen. */
  readonly kept: StoredMarginLedger | undefined
  readonly wanted: LinesWanted
  readonly lines: readonly MarginLine[]
}

/** Whose tail is read: the last ledger of an account, and the sequence up to which lines count; absent for all. */
interface TailWanted extends Pick<MarginTail, 'kept'> {
  readonly accountNumber: string
  readonly upTo?: number | undefined
}

/** The tails of accounts, in the order given. `until`: the latest trade date of lines. */
export async function readMarginTails<Account extends TailWanted>(
  tx: Tx,
  accounts: readonly Account[],
  until?: string,
): Promise<(Account & MarginTail)[]> {
  const wanted = accounts.map(({ accountNumber, kept, upTo = Number.MAX_SAFE_INTEGER }) => {
    return { accountNumber, after: kept?.lineCount ?? 0, upTo }
  })
  const grown = wanted.filter(({ after, upTo }) => upTo > after)
  const lines = await readMarginLines(tx, grown, { until })
  return accounts.map((account, at) => {
    return { ...account, wanted: wanted[at] as LinesWanted, lines: lines.get(account.accountNumber) ?? [] }
  })
}

export async function readMarginTail(tx: Tx, account: TailWanted, until?: string): Promise<MarginTail> {
  const [tail] = await readMarginTails(tx, [account], until)
  return tail as MarginTail
}
