/**
 * The conditions of a statement that is composed at run time. Each value is bound; no value is written into the text.
 */
import type { Value } from '../database/statement.ts'

export class Conditions {
  readonly values: Value[] = []
  readonly #conditions: string[] = []

  /** The placeholder of the value, such as `$1`. */
  bind(value: Value): string {
    return `$${this.values.push(value)}`
  }

  /** Adds the condition if the value is defined. `condition` gets the placeholder of the value. */
  when<T extends Value>(value: T | undefined, condition: (place: string) => string): this {
    if (value !== undefined && value !== '') this.#conditions.push(condition(this.bind(value)))
    return this
  }

  and(condition: string): this {
    this.#conditions.push(condition)
    return this
  }

  /** ` where … and …`, or an empty text. */
  where(): string {
    return this.#conditions.length === 0 ? '' : ` where ${this.#conditions.join(' and ')}`
  }
}

/** The day in New York of a column or value with a time. */
export function dayOf(time: string): string {
  return `(${time} at time zone 'America/New_York')::date`
}
/** The instant at which a calendar day begins in New York. Indexes contain this expression: keep its form. */
export function startOfDay(day: string): string {
  return `(${day}::date)::timestamp at time zone 'America/New_York'`
}
/** The instant at which it ends. */
export function endOfDay(day: string): string {
  return `(${day}::date + 1)::timestamp at time zone 'America/New_York'`
}
