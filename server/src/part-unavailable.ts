/** The fault of work that needs something which is away: it is answered 503, and the caller may try again. */

/** Something that the service needs is missing now: a full disk, a part that is away. */
export class PartUnavailable extends Error {
  override readonly name = 'PartUnavailable'
}
