/** The intraday margin levels of an account at its last closes, and its deposits between them. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { previousMarketDay } from '@clearing/domain/market'
import { withoutCancelled } from '../books/margin/counting-lines.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { readMarginOn } from '../books/positions/held-margin.ts'
import { readLastLedgers, type StoredMarginLedger } from '../store/margin-ledger.ts'
import { type MarginLine, readMarginLines } from '../store/margin-lines.ts'
import type { MarkedAccount } from './intraday-calls.ts'

/** More than the closes of fifteen business days. */
const closesMax = 20
/** Money that the customer brings or takes. */
const deposits = new Set<MarginLine['transType']>([
  'Deposit',
  'DepositReturn',
  'Withdrawal',
  'WithdrawalReturn',
  'Journal',
  'TransferIn',
  'TransferOut',
])

export class LevelsOfCloses {
  readonly #work: PortionWork
  readonly #account: MarkedAccount
  readonly #ledgers: ReadonlyMap<string, StoredMarginLedger>
  /** The lines that the first of the closes did not count, with those that were cancelled and their cancels. */
  readonly #lines: readonly MarginLine[]
  readonly #levels = new Map<string, Decimal>()

  private constructor(
    work: PortionWork,
    account: MarkedAccount,
    ledgers: ReadonlyMap<string, StoredMarginLedger>,
    lines: readonly MarginLine[],
  ) {
    this.#work = work
    this.#account = account
    this.#ledgers = ledgers
    this.#lines = lines
    this.#levels.set(work.close.closeDate, account.maintenanceExcess)
  }

  /** `first` is the earliest day that is asked for. */
  static async read(work: PortionWork, account: MarkedAccount, first: string): Promise<LevelsOfCloses> {
    const { tx, close } = work
    const { closeDate } = close
    if (first >= closeDate) return new LevelsOfCloses(work, account, new Map(), [])
    const { wanted } = account.tail
    const { accountNumber } = wanted
    const before = previousMarketDay(closeDate)
    const last = await readLastLedgers(tx, accountNumber, before, closesMax)
    const ledgers = new Map(last.map((ledger) => [ledger.closeDate, ledger]))
    const after = ledgers.get(first)?.lineCount ?? 0
    const lines = (await readMarginLines(tx, [{ ...wanted, after }])).get(accountNumber) ?? []
    return new LevelsOfCloses(work, account, ledgers, lines)
  }

  /** The level at the close of a day. If lines of the day or before it have arrived since, with these lines. */
  async on(day: string): Promise<Decimal> {
    const known = this.#levels.get(day)
    if (known !== undefined) return known
    const level = await this.#read(day)
    this.#levels.set(day, level)
    return level
  }

  async #read(day: string): Promise<Decimal> {
    const ledger = this.#ledgers.get(day)
    const isLate = ({ sequence, tradeDate, correction }: MarginLine) =>
      ledger !== undefined && sequence > ledger.lineCount && (tradeDate <= day || correction === 'C')
    if (ledger !== undefined && !this.#lines.some(isLate)) return ledger.maintenanceExcess
    const { tx, close, concentration } = this.#work
    const { accountNumber, upTo } = this.#account.tail.wanted
    const known = { on: close.closeDate, lines: upTo }
    return (
      (await readMarginOn(tx, accountNumber, { day, known, concentration }))?.figures.maintenanceExcess ??
      ZERO
    )
  }

  /** The deposits less the withdrawals after a day until another, US dollars. */
  netDeposits(after: string, until: string): Decimal {
    let net = ZERO
    for (const { transType, tradeDate, correction, netAmount, currency } of withoutCancelled(this.#lines)) {
      if (!deposits.has(transType) || correction === 'C' || tradeDate <= after || tradeDate > until) continue
      net += this.#work.facts.inUsd(netAmount, currency)
    }
    return net
  }
}
