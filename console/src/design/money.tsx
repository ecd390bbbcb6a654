/** Exact decimals as the service wrote them, grouped for reading, without conversion to a float. */

/** `1234567.5` as `1,234,567.50`: digits are grouped, never rounded; at least two places when it is money. */
export function renderDecimal(text: string | number, placesMin = 0): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === '') return String(text)
  const digits = fraction.replace(/0+$/, '').padEnd(placesMin, '0')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign === '' ? '' : '−'}${grouped}${digits === '' ? '' : `.${digits}`}`
}

function isNegative(text: string | number) {
  return String(text).startsWith('-') && /[1-9]/.test(String(text))
}

export function Money({
  amount,
  currency,
}: {
  readonly amount: string | number
  readonly currency?: string
}) {
  return (
    <span className={isNegative(amount) ? 'money negative' : 'money'}>
      {renderDecimal(amount, 2)}
      {currency !== undefined && currency !== 'USD' && <span className="quiet"> {currency}</span>}
    </span>
  )
}

export function Quantity({ of: amount }: { readonly of: string | number }) {
  return <span className={isNegative(amount) ? 'money negative' : 'money'}>{renderDecimal(amount)}</span>
}
