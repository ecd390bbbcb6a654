/** The members of an event or of an audit row in one line (`role: viewer, address: 10.0.0.1`), as far as they fit. */
export function Detail({ of: detail }: { readonly of: unknown }) {
  const text = Object.entries((detail ?? {}) as Readonly<Record<string, unknown>>)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
  return (
    <span className="detail" title={text}>
      {text}
    </span>
  )
}
