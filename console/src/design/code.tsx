/** An identifier: as much of it as there is room for, the whole on pointing at it. */

export const Code = ({ of: text }: { readonly of: string }) =>
  text === '' ? null : (
    <span className="mono cut" title={text}>
      {text}
    </span>
  )
