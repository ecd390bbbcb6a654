// A process that uses a test database, reports the address of its server, and waits to be killed.
import { testServer } from '../test-database.ts'
import { createBareDatabase } from './parcels.ts'

await createBareDatabase()
console.log(await testServer())
setInterval(() => {}, 60_000)
