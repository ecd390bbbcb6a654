// A process that starts the embedded PostgreSQL like the service, reports it on its output, and waits to be killed.
// Arguments: the data folder, then settings of the server as name=value.
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

const [dataDir = '', ...pairs] = process.argv.slice(2)
const serverSettings = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
const server = await startEmbeddedPostgres({ dataDir, serverSettings })
console.log(JSON.stringify({ pid: server.pid, adopted: server.adopted, urls: server.urls }))
setInterval(() => {}, 60_000)
