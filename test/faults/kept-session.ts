/**
 * A session with a database that stays open between queries, because a new session for each look costs more than the
 * look. A session that is lost is opened again at the next query.
 */
import pg from 'pg'

export interface KeptSession {
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  end(): Promise<void>
}

/** `find` returns where the database is now. */
export function keepSession(find: () => Promise<pg.ClientConfig>): KeptSession {
  let kept: Promise<pg.Client> | undefined
  const open = async (): Promise<pg.Client> => {
    const session = new pg.Client(await find())
    session.on('error', () => {})
    await session.connect()
    return session
  }
  const take = (): Promise<pg.Client> => {
    const taken = open()
    const forget = () => {
      if (kept === taken) kept = undefined
    }
    taken.then((session) => session.once('end', forget), forget)
    return taken
  }
  return {
    async query(sql, values) {
      kept ??= take()
      const session = await kept
      return session.query(sql, values)
    },
    async end() {
      const session = await kept?.catch(() => undefined)
      await session?.end()
    },
  }
}
