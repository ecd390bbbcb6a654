// A process that migrates a database until a test kills it. Arguments: the owner's address, the folder of
// migrations.
import { migrate, readMigrations } from '../migrate.ts'
import { openPool } from '../pool.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const owner = openPool({ name: 'owner', url })
const migrations = await readMigrations(folder)
console.log('migrating')
await migrate(owner, migrations)
await owner.end()
