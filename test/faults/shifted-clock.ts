/** Loaded before the service: a clock that differs from the machine's by CLOCK_AHEAD_MS. */
const RealDate = Date
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)

class ShiftedDate extends RealDate {
  constructor(...words: unknown[]) {
    if (words.length === 0) super(RealDate.now() + aheadMs)
    else super(...(words as [number]))
  }
  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor
