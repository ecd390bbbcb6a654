/**
 * The activity of the demonstration accounts, as lines of load-activity. Dates are counted back from a day, so that the
 * accounts are always two years old and calls and options are current.
 */
import { addDays, isMarketDay } from '@clearing/domain/market'

export type ActivityLine = Readonly<Record<string, string>>

/**
 * Returns the market day that is the given number of calendar days before `day`, or the market day before it.
 */
function marketDayBefore(day: string, daysBack: number): string {
  let date = addDays(day, -daysBack)
  while (!isMarketDay(date)) date = addDays(date, -1)
  return date
}

class Journal {
  readonly lines: ActivityLine[] = []
  readonly #day: string
  #acctNo = ''
  #acctType = '1'

  constructor(day: string) {
    this.#day = day
  }

  account(acctNo: string, acctType = '1'): this {
    this.#acctNo = acctNo
    this.#acctType = acctType
    return this
  }

  on(daysBack: number, fields: Record<string, string>): this {
    this.lines.push({
      externalId: `DEMO-${this.#acctNo}-${String(this.lines.length + 1).padStart(5, '0')}`,
      acctNo: this.#acctNo,
      acctType: this.#acctType,
      tradeDate: marketDayBefore(this.#day, daysBack),
      ...fields,
    })
    return this
  }

  cash(daysBack: number, transType: string, netAmount: string, fields: Record<string, string> = {}): this {
    return this.on(daysBack, { transType, netAmount, ...fields })
  }

  get lastId(): string {
    return this.lines.at(-1)?.externalId ?? ''
  }

  dayBefore(daysBack: number): string {
    return marketDayBefore(this.#day, daysBack)
  }

  /** `order` is the side and the symbol: `BUY HRBR`. */
  trade(
    daysBack: number,
    order: string,
    quantity: string,
    price: string,
    fields: Record<string, string> = {},
  ): this {
    const [buySell = '', symbol = ''] = order.split(' ')
    return this.on(daysBack, {
      transType: 'Trade',
      buySell,
      symbol,
      quantity,
      price,
      commission: '4.95',
      ...fields,
    })
  }
}

/** Reports of another custodian about an account. */
export function demonstrationHeldAway(day: string): object[] {
  const report = {
    acctNo: '30100005',
    acctType: '1',
    custodian: 'Elsewhere Trust',
    asOfDate: marketDayBefore(day, 10),
  }
  return [
    { ...report, symbol: 'TIDL', quantity: '300', cost: '15600.00', openDate: marketDayBefore(day, 800) },
    { ...report, symbol: 'QUAY', quantity: '40' },
  ]
}

/** Returns all lines in the order of their dates. */
export function demonstrationActivity(day: string): ActivityLine[] {
  const journal = new Journal(day)
  cashAccount(journal.account('30100001'))
  marginAccount(journal.account('30100002', '2'))
  bondAccount(journal.account('30100003'))
  shortAccount(journal)
  currencyAccount(journal.account('30100005'))
  washAccount(journal.account('30100006'))
  optionAccount(journal.account('30100007', '2'))
  manyLots(journal.account('30100009'))
  return [...journal.lines].sort((a, b) => ((a.tradeDate ?? '') < (b.tradeDate ?? '') ? -1 : 1))
}

/** Six US equities, two years of activity with dividends and a split. */
function cashAccount(journal: Journal): void {
  journal
    .cash(728, 'Deposit', '250000.00', { note: 'OPENING DEPOSIT' })
    .trade(720, 'BUY HRBR', '600', '39.80')
    .trade(715, 'BUY QUAY', '200', '188.40')
    .trade(700, 'BUY LUMN8', '300', '64.15')
    .trade(690, 'BUY PIERS', '800', '19.42')
    .trade(660, 'BUY TIDL', '350', '55.70')
    .trade(640, 'BUY ANCR', '250', '81.35')
    .trade(430, 'SEL PIERS', '200', '24.10')
    .trade(300, 'BUY HRBR', '100', '44.05')
    .on(250, { transType: 'Split', symbol: 'QUAY', ratio: '2:1' })
    .trade(200, 'SEL LUMN8', '100', '79.90')
    .trade(120, 'BUY TIDL', '50', '60.20')
    .trade(45, 'SEL ANCR', '50', '93.75')
    .trade(1, 'BUY PIERS', '100', '22.65')
  for (const daysBack of [600, 510, 420, 330, 240, 150, 60]) {
    journal.cash(daysBack, 'Dividend', '210.00', { symbol: 'HRBR' })
    journal.cash(daysBack - 10, 'Dividend', '143.50', { symbol: 'TIDL' })
  }
  journal.cash(30, 'Interest', '61.27', { note: 'CREDIT INTEREST' })
  journal.cash(5, 'Fee', '-35.00', { note: 'WIRE FEE' })
}

/**
 * A security bought on margin that has fallen since causes a maintenance call; a purchase today causes a federal call.
 */
function marginAccount(journal: Journal): void {
  journal
    .cash(400, 'Deposit', '60000.00')
    .trade(380, 'BUY MOOR', '4000', '27.50')
    .trade(370, 'BUY HRBR', '200', '41.00')
    .trade(0, 'BUY ANCR', '150', '95.20')
}

function bondAccount(journal: Journal): void {
  journal
    .cash(500, 'Deposit', '180000.00')
    .trade(480, 'BUY HRBR31', '50000', '97.25', { commission: '0' })
    .trade(470, 'BUY ANCR29', '40000', '100.50', { commission: '0' })
    .trade(460, 'BUY HMPL45', '60000', '95.00', { commission: '0' })
    .cash(200, 'Interest', '1125.00', { symbol: 'HRBR31' })
    .cash(90, 'Interest', '1050.00', { symbol: 'ANCR29' })
    .trade(80, 'BUY HBRMM', '12000', '1.00', { commission: '0' })
    .cash(20, 'Dividend', '46.20', { symbol: 'HBRMM' })
  corrected(journal)
}

/** Optional members of a feed, which are stored and returned unchanged. */
const restOfRecord = {
  description2: 'PRICE CORRECTED',
  description3: 'SEE THE ORDER',
  origin: 'DEMO',
  handle: 'N',
  lookalike: 'N',
  exchId: 'N',
  recCode: 'A',
  sourceCode: 'F',
  sourceType: 'F',
  postage: '0.55',
  principal: 'P',
  offsetAcctNo: '30100009',
  userField: 'DEMONSTRATION',
}

/** A purchase with a wrong price, cancelled and rebilled. */
function corrected(journal: Journal): void {
  const order = { orderId: 'DEMO-ORDER-1' }
  const wrong = journal.trade(15, 'BUY PIERS', '100', '32.40', order).lastId
  journal.trade(15, 'BUY PIERS', '100', '32.40', { ...order, cancelType: 'C', tagNo: wrong })
  const right = { rebill: 'Y', tagNo: wrong, asOfDate: journal.dayBefore(15), note: 'PRICE CORRECTED' }
  journal.trade(15, 'BUY PIERS', '100', '23.40', { ...order, ...right, ...restOfRecord })
}

function shortAccount(journal: Journal): void {
  journal
    .account('30100004', '2')
    .cash(300, 'Deposit', '90000.00')
    .trade(290, 'BUY TIDL', '500', '57.10')
    .account('30100004', '3')
    .trade(200, 'SSL QUAY', '150', '142.30')
    .trade(150, 'SSL MOOR', '1000', '18.75')
    .trade(60, 'BCV QUAY', '50', '128.60')
}

function currencyAccount(journal: Journal): void {
  journal
    .cash(420, 'Deposit', '40000.00')
    .cash(420, 'Deposit', '50000.00', { currency: 'EUR' })
    .cash(420, 'Deposit', '30000.00', { currency: 'CAD' })
    .trade(400, 'BUY ANCR', '120', '79.60')
    .trade(390, 'BUY NRDH', '150', '184.20', { currency: 'EUR' })
    .trade(380, 'BUY MPLE', '500', '33.40', { currency: 'CAD' })
    // The delivering firm did not report the cost of these.
    .on(360, { transType: 'TransferIn', symbol: 'HRBR', quantity: '40', openDate: journal.dayBefore(900) })
    .on(360, {
      transType: 'TransferIn',
      symbol: 'LUMN8',
      quantity: '25.5',
      openDate: journal.dayBefore(950),
      cost: '0',
    })
}

/**
 * A sale at a loss, and a purchase of the same number of shares eleven days later. The loss is disallowed and
 * raises the new lot's cost.
 */
function washAccount(journal: Journal): void {
  journal
    .cash(200, 'Deposit', '50000.00')
    .trade(150, 'BUY LUMN8', '200', '92.00')
    .trade(40, 'SEL LUMN8', '200', '74.00')
    .trade(29, 'BUY LUMN8', '200', '75.50')
}

function optionAccount(journal: Journal): void {
  journal
    .cash(180, 'Deposit', '75000.00')
    .trade(170, 'BUY QUAY', '200', '126.00')
    .trade(30, 'SSL QUAY140C', '2', '7.10')
    .trade(28, 'BUY HRBR45P', '5', '2.35')
}

/** One security in ten thousand lots. */
function manyLots(journal: Journal): void {
  journal.cash(720, 'Deposit', '1000000.00')
  for (let lot = 0; lot < 10_000; lot++) {
    const daysBack = 700 - Math.floor((lot * 690) / 10_000)
    const cents = 4_000 + ((lot * 7_919) % 900)
    journal.trade(
      daysBack,
      'BUY HRBR',
      '2',
      `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
      {
        commission: '0',
      },
    )
  }
}
