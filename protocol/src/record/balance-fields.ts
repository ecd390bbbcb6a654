/** The labels of the amounts of balance-summary. */

export const balanceLabels: Readonly<Record<string, string>> = {
  marginBuyingPower: 'Buying power',
  nyseExcess: 'Excess over the exchange’s maintenance requirement',
  dtbp: 'Day-trading buying power at the start of the day',
  marginDebitBalance: 'Margin debit',
  dailyMarginInterest: 'Margin interest a day',
  accruedMarginInterest: 'Accrued margin interest',
  currentMarginRate: 'Margin rate',
  dayTradeBuyingPower: 'Day-trading buying power left',
  equity: 'Equity',
  equityPercentage: 'Equity ratio',
  houseExcess: 'Excess over the house requirement',
  freeCash: 'Free cash',
  moneyMarket: 'Money market',
  marginCashAvailability: 'Cash available on margin',
  pendingMoneyMarketInterest: 'Money market interest to come',
  federalCall: 'Federal (Regulation T) call',
  maintenanceCall: 'Maintenance call',
  dayTradeCall: 'Day-trading call',
  accumFedAmount: 'Federal calls outstanding',
  cashCall: 'Call of the cash account',
}
