/** Who acts, as audit rows and decisions name it: a person by e-mail address, a credential by its id, the service. */

/** The actor of what the service does by itself. */
export const serviceActor = 'service'

/** No client id contains `@`. */
export function isPerson(actor: string): boolean {
  return actor.includes('@')
}

/** The letter case of an address or a client id makes no other actor. */
export function isSameActor(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
