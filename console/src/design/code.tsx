/** An identifier: as much of it as there is room for, the whole on pointing at it. */

export function Code({ of: text }: { readonly of: string }) {
  return text === '' ? null : (
    <span className="mono cut" title={text}>
      {text}
    </span>
  )
}
