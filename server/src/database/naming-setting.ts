/** Puts the setting that holds the address of a database before the messages of faults about that database. */

/** The beginning of a message that names a setting already, perhaps after the name of a cell. */
const named = /^(\S+, )?[A-Z_]+_URL\b/

export async function namingSetting<T>(setting: string | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (fault) {
    // The fault keeps its class, by which callers decide.
    if (fault instanceof Error && setting !== undefined && !named.test(fault.message))
      fault.message = `${setting}: ${fault.message}`
    throw fault
  }
}
