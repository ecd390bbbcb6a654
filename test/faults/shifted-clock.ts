/** Loaded before the service: a clock that differs from the machine's by CLOCK_AHEAD_MS until SIGUSR2 corrects it. */
const RealDate = Date
let aheadMs = Number(process.env.CLOCK_AHEAD_MS)

process.on('SIGUSR2', () => {
  aheadMs = 0
})

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
