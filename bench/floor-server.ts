/** The floor of get-account: a bare Fastify route that runs one named select and sends prepared bytes. */
import Fastify from 'fastify'
import pg from 'pg'

const [url = '', port = '', accountNumber = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const answer = Buffer.from(process.env.FLOOR_ANSWER ?? '{}', 'base64')
const app = Fastify()
app.get('/', async () => 'ready')
app.post('/get-account', async (request, reply) => {
  const { accountNumber: number } = request.body as { accountNumber: string }
  await pool.query({
    name: 'floor',
    text: 'select account_number, firm_id, status, version, record, sealed from clearing.account_version where account_number = $1',
    values: [number],
  })
  reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(answer)
})
if (accountNumber === '') throw new Error('usage: floor-server url port account')
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
