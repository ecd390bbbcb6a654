/** Reads a response of the paths of the session, which are not operations. */

/** A failed response, or one that a proxy or another part of the network sent. */
export class ForeignResponse extends Error {
  override readonly name = 'ForeignResponse'
  readonly status: number
  constructor(status: number) {
    super(`The service answered ${status}.`)
    this.status = status
  }
}

/** Throws a `ForeignResponse` for a failure, and for a body that is not JSON. */
export async function readJson<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new ForeignResponse(answer.status)
  try {
    return JSON.parse(await answer.text()) as T
  } catch {
    throw new ForeignResponse(answer.status)
  }
}
