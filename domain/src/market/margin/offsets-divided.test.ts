/**
 * The requirement of combinations against every division of a small account: each contract and each hundred shares in
 * one group, and each group a combination of the rule or uncovered. FINRA Rule 4210(f)(2)(H) names the combinations.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderDecimal, ZERO } from '../../decimal.ts'
import { marginFigures } from './figures.ts'
import { marginLeg } from './sample-legs.ts'

const PRICE = 100
/** The divisions of eight units are few enough. */
const UNITS_MAX = 8
const EXPIRATIONS = ['2026-10-16', '2026-11-20', '2026-12-18'] as const

/** One contract, or a hundred shares held (`stock` 1) or sold short (-1). */
interface Unit {
  readonly stock?: 1 | -1
  readonly isCall: boolean
  readonly strike: number
  /** The place in `EXPIRATIONS`. */
  readonly expires: number
  readonly isShort: boolean
  /** Of one contract. */
  readonly premium: number
}

function inMoney({ isCall, strike }: Unit, at: number): number {
  return Math.max(0, isCall ? at - strike : strike - at) * 100
}

function stockNeeds(side: 1 | -1): number {
  return (side === 1 ? 25 : 30) * PRICE
}

function charge(unit: Unit): number {
  const outOfMoney = Math.max(0, unit.isCall ? unit.strike - PRICE : PRICE - unit.strike) * 100
  return Math.max(20 * PRICE - outOfMoney, 10 * (unit.isCall ? PRICE : unit.strike))
}

/** What a group requires on top of its stock alone and of the premiums, or infinity if it is no combination. */
function requiredOf(group: readonly Unit[]): number {
  const shorts = group.filter(({ isShort }) => isShort)
  const longs = group.filter(({ isShort, stock }) => !isShort && stock === undefined)
  const [stock, ...others] = group.flatMap((unit) => unit.stock ?? [])
  if (stock !== undefined) return others.length === 0 ? requiredWithStock(stock, shorts, longs) : Infinity
  const [first, second] = shorts
  if (first === undefined) return 0
  if (group.length === 1) return charge(first)
  const premiums = shorts.reduce((sum, { premium }) => sum + premium, 0)
  const areAsMany = [true, false].every((side) => sideOf(shorts, side).length === sideOf(longs, side).length)
  if (areAsMany) {
    const last = Math.max(...shorts.map(({ expires }) => expires))
    return longs.every(({ expires }) => expires >= last) ? largestLoss(group) - premiums : Infinity
  }
  if (shorts.length !== 2 || second === undefined || first.isCall === second.isCall) return Infinity
  if (longs.length === 0) return Math.max(charge(first), charge(second))
  return Math.min(besideUncovered(first, second, longs), besideUncovered(second, first, longs)) - premiums
}

function sideOf(units: readonly Unit[], side: boolean) {
  return units.filter(({ isCall }) => isCall === side)
}

function largestLoss(group: readonly Unit[]): number {
  const losses = group.map(({ strike }) =>
    group.reduce((sum, unit) => sum + (unit.isShort ? 1 : -1) * inMoney(unit, strike), 0),
  )
  return Math.max(0, ...losses)
}

/** A spread of one side, and an uncovered option of the other. */
function besideUncovered(ofSpread: Unit, uncovered: Unit, longs: readonly Unit[]): number {
  const [long] = longs
  if (longs.length !== 1 || long?.isCall !== ofSpread.isCall || long.expires < ofSpread.expires)
    return Infinity
  const loss = largestLoss([ofSpread, long])
  const full = charge(uncovered) + uncovered.premium
  const [put, call] = ofSpread.isCall ? [uncovered, ofSpread] : [ofSpread, uncovered]
  const both = (put.strike - call.strike) * 100
  return Math.max(full + Math.max(0, Math.min(loss, both - full)), loss + uncovered.premium)
}

function requiredWithStock(side: 1 | -1, shorts: readonly Unit[], longs: readonly Unit[]): number {
  const [[short], [long]] = [shorts, longs]
  const fits = (unit: Unit | undefined, isCall: boolean) => unit === undefined || unit.isCall === isCall
  if (shorts.length > 1 || longs.length > 1 || !fits(short, side === 1) || !fits(long, side === -1))
    return Infinity
  const ofShort = short === undefined ? 0 : inMoney(short, PRICE) - short.premium
  // Stock held is valued at no more than the exercise price of the call.
  const atExercise = side === 1 && short !== undefined ? 25 * short.strike - stockNeeds(side) : 0
  if (long === undefined) return ofShort + Math.min(0, atExercise)
  const ofLong = 10 * long.strike + Math.max(0, side === 1 ? PRICE - long.strike : long.strike - PRICE) * 100
  if (short === undefined) return Math.min(0, ofLong - stockNeeds(side))
  if (short.expires !== long.expires) return Infinity
  if (short.strike === long.strike) return ofShort + Math.min(0, 10 * short.strike - stockNeeds(side))
  if (side === -1 || long.strike > short.strike) return Infinity
  return ofShort + Math.min(0, ofLong - stockNeeds(side), atExercise)
}

/** The lowest sum over all divisions into groups, by the set of units as a bit mask. */
function lowest(units: readonly Unit[]): number {
  const best = [0]
  const required = new Map<number, number>()
  const ofGroup = (set: number) => {
    const known = required.get(set) ?? requiredOf(units.filter((_, at) => (set >> at) & 1))
    required.set(set, known)
    return known
  }
  for (let set = 1; set < 1 << units.length; set += 1) {
    const first = set & -set
    const rest = set ^ first
    let least = Infinity
    for (let part = rest; ; part = (part - 1) & rest) {
      least = Math.min(least, ofGroup(part | first) + (best[rest ^ part] ?? 0))
      if (part === 0) break
    }
    best.push(least)
  }
  return best.at(-1) ?? 0
}

const optionLines = fc.uniqueArray(
  fc.record({
    isCall: fc.boolean(),
    strike: fc.constantFrom(80, 90, 100, 110, 120),
    expires: fc.nat(2),
    isShort: fc.boolean(),
    contracts: fc.constantFrom(1, 1, 2),
  }),
  { selector: ({ isCall, strike, expires }) => `${isCall} ${strike} ${expires}`, minLength: 2, maxLength: 5 },
)
const stockLines = fc.record({ side: fc.constantFrom(1 as const, -1 as const), hundreds: fc.nat(2) })
const noOption = { isCall: false, strike: 0, expires: 0, isShort: false, premium: 0 }

type Drawn = (typeof optionLines extends fc.Arbitrary<infer T> ? T : never)[number]
type Held = typeof stockLines extends fc.Arbitrary<infer T> ? T : never

/** What the product requires of an account, and what its best division requires. */
function compare(drawn: readonly Drawn[], stock: Held) {
  const units: Unit[] = Array.from({ length: stock.hundreds }, () => ({ stock: stock.side, ...noOption }))
  const legs = stock.hundreds === 0 ? [] : [`abc ${stock.side * stock.hundreds * 100} ${PRICE}`]
  for (const { isCall, strike, expires, isShort, contracts } of drawn) {
    const inside = Math.max(0, isCall ? PRICE - strike : strike - PRICE)
    const each = inside + expires + 1
    for (let at = 0; at < contracts; at += 1)
      units.push({ isCall, strike, expires, isShort, premium: each * 100 })
    const name = `${isCall ? 'C' : 'P'}${strike}`
    legs.push(`${name} ${isShort ? -contracts : contracts} ${each} ${EXPIRATIONS[expires]}`)
  }
  const positions = legs.map((leg) => marginLeg(leg, `${PRICE}`))
  const { maintenanceRequirement, requirements } = marginFigures({ marginCash: ZERO, positions })
  // Long options are paid in full: their value is required beside every combination.
  const ofLongs = requirements
    .filter(({ quantity, symbol }) => quantity > ZERO && symbol !== 'abc')
    .reduce((sum, { marketValue }) => sum + Number(renderDecimal(marketValue, 2)), 0)
  const required = Number(renderDecimal(maintenanceRequirement, 2)) - ofLongs
  return { required, least: lowest(units) + stock.hundreds * stockNeeds(stock.side) }
}

test('the requirement of an account is never less than that of the best division, and nearly always the same', () => {
  let [all, more] = [0, 0]
  fc.assert(
    fc.property(optionLines, stockLines, (drawn, stock) => {
      fc.pre(drawn.reduce((sum, { contracts }) => sum + contracts, stock.hundreds) <= UNITS_MAX)
      const { required, least } = compare(drawn, stock)
      all += 1
      if (required > least + 0.01) more += 1
      assert.ok(required >= least - 0.01, `${required} is less than ${least}`)
    }),
    { numRuns: 1_000 },
  )
  assert.ok(more <= all / 50, `${more} of ${all} accounts require more than the best division`)
})
