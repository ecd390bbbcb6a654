/** An identifier, shortened to the available space; pointing at it shows the whole. */

export function Code({ of: text }: { readonly of: string }) {
  return text === '' ? null : (
    <span className="mono cut" title={text}>
      {text}
    </span>
  )
}
