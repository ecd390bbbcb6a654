/** The fictitious securities of the demonstration accounts. Their identifiers have valid check digits. */
import { checkCusip, isinOfCusip, sedolCheckDigit } from '@clearing/domain/market'

export interface DemonstrationSecurity {
  readonly symbol: string
  readonly price: string
  readonly line: Readonly<Record<string, unknown>>
}

/** Appends the check digit that makes the first eight characters a CUSIP. */
function cusipOf(base: string): string {
  for (let digit = 0; digit <= 9; digit++) {
    if (checkCusip(base + digit).valid) return base + digit
  }
  throw new Error(`${base} cannot be the base of a CUSIP`)
}

function sedolOf(base: string): string {
  return `${base}${sedolCheckDigit(base)}`
}

function security(
  symbol: string,
  base: string,
  price: string,
  facts: Record<string, unknown>,
): DemonstrationSecurity {
  const cusip = cusipOf(base)
  const isin = isinOfCusip(cusip, 'US')
  return { symbol, price, line: { symbol, cusip, ...(isin ? { isin } : {}), ...facts } }
}

const industries = {
  energy: [110, 'Energy'],
  technology: [220, 'Technology'],
  health: [330, 'Health Care'],
  consumer: [440, 'Consumer Goods'],
  utilities: [550, 'Utilities'],
  finance: [660, 'Financials'],
} as const

function equity(
  symbol: string,
  base: string,
  price: string,
  description: string,
  { industry, ...facts }: { industry: keyof typeof industries } & Record<string, string>,
): DemonstrationSecurity {
  return security(symbol, base, price, {
    description,
    secTypeCode: 'C',
    secTypeName: 'Common Stock',
    typeClassCode: 'COM',
    newSecCode: 'CS',
    industryGroupCode: industries[industry][0],
    industryGroupName: industries[industry][1],
    ...facts,
  })
}

function bond(
  symbol: string,
  base: string,
  price: string,
  description: string,
  facts: Record<string, unknown>,
): DemonstrationSecurity {
  return security(symbol, base, price, {
    description,
    secTypeCode: 'B',
    secTypeName: 'Corporate Bond',
    typeClassCode: 'CRP',
    newSecCode: 'CB',
    industryGroupCode: 700,
    industryGroupName: 'Fixed Income',
    priceDivisor: '100',
    ...facts,
  })
}

function option(
  symbol: string,
  base: string,
  price: string,
  facts: { putCall: 'Put' | 'Call'; strike: string; expiration: string; underlying: string },
): DemonstrationSecurity {
  return security(symbol, base, price, {
    description: `${facts.putCall} ${facts.underlying} ${facts.strike}`,
    secTypeCode: 'O',
    secTypeName: 'Option',
    typeClassCode: 'OPT',
    newSecCode: 'OP',
    industryGroupCode: 800,
    industryGroupName: 'Options',
    multiplier: '100',
    ...facts,
  })
}

/** `expiration` is a day in the future, used by the options. */
export function demonstrationSecurities(expiration: string): DemonstrationSecurity[] {
  return [
    equity('HRBR', '40411X10', '48.25', 'HARBOR ENERGY CORP', { industry: 'energy' }),
    equity('QUAY', '74730T10', '131.40', 'QUAY SYSTEMS INC', { industry: 'technology' }),
    equity('LUMN8', '55024A10', '77.10', 'LUMEN EIGHT THERAPEUTICS', { industry: 'health' }),
    equity('PIERS', '72086H10', '22.80', 'PIERSON BRANDS INC', { industry: 'consumer' }),
    equity('TIDL', '88636K10', '61.05', 'TIDAL POWER CO', { industry: 'utilities' }),
    equity('ANCR', '03338B10', '95.50', 'ANCHOR BANCORP', { industry: 'finance' }),
    equity('MOOR', '61552C10', '14.20', 'MOORING LOGISTICS', { industry: 'consumer' }),
    equity('NRDH', '65540V10', '212.00', 'NORDHAFEN AG', {
      industry: 'technology',
      currency: 'EUR',
      sedol: sedolOf('B0NRDH'),
      isOffShore: 'true',
      offshoreShareClass: 'B',
    }),
    equity('MPLE', '56551M10', '38.90', 'MAPLE COVE RESOURCES', {
      industry: 'energy',
      currency: 'CAD',
      sedol: sedolOf('B0MPLC'),
    }),
    bond('HRBR31', '40411XAA', '98.750', 'HARBOR ENERGY 4.50% 2031', {
      couponRate: '4.5',
      couponFrequency: '2',
      dayCount: '30/360',
      issueDate: '2021-03-15',
      maturityDate: '2031-03-15',
    }),
    bond('ANCR29', '03338BAB', '101.125', 'ANCHOR BANCORP 5.25% 2029', {
      couponRate: '5.25',
      couponFrequency: '2',
      dayCount: '30/360',
      issueDate: '2019-09-01',
      maturityDate: '2029-09-01',
    }),
    bond('HMPL45', '43741PAC', '96.500', 'HOME POOL 3.50% 2045', {
      secTypeName: 'Mortgage Pool',
      currentFactor: '0.62500000',
      couponRate: '3.5',
      couponFrequency: '12',
      dayCount: '30/360',
      issueDate: '2015-01-01',
      maturityDate: '2045-01-01',
    }),
    option('QUAY140C', '74730TAD', '6.40', {
      putCall: 'Call',
      strike: '140',
      expiration,
      underlying: 'QUAY',
    }),
    option('HRBR45P', '40411XAE', '1.85', {
      putCall: 'Put',
      strike: '45',
      expiration,
      underlying: 'HRBR',
    }),
    security('HBRMM', '40412F10', '1', {
      description: 'HARBOR MONEY MARKET FUND',
      secTypeCode: 'M',
      secTypeName: 'Money Market Fund',
      typeClassCode: 'MMF',
      newSecCode: 'MM',
      industryGroupCode: 900,
      industryGroupName: 'Cash Equivalents',
      moneyMarket: 'true',
    }),
  ]
}
