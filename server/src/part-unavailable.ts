/** A fault of work that needs an unavailable resource: the response is 503, and the caller may try again. */

/** A resource that the service needs is unavailable now: a full disk, or a part that does not answer. */
export class PartUnavailable extends Error {
  override readonly name = 'PartUnavailable'
}
