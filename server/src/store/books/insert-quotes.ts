/** Statements that store prices and exchange rates as feeds state them. */
import { statement } from '../../database/statement.ts'
import { openDateOr } from '../business-day.ts'
import { rowsOf } from './bulk.ts'

export const insertPrices = statement<never>(
  'insert-prices',
  `insert into clearing.price select sec_no, priced_at, price_type, price, yield, ${openDateOr('$2')}
   from ${rowsOf('price')} on conflict do nothing`,
)
export const insertRates = statement<never>(
  'insert-fx-rates',
  `insert into clearing.fx_rate select currency, rate_date, rate, ${openDateOr('$2')}
   from ${rowsOf('fx_rate')} on conflict do nothing`,
)
