/** The floor of position-summary: a bare Fastify route that selects the same rows and stringifies them. */
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import pg from 'pg'

export const positionFloor = fileURLToPath(import.meta.url)

const selects: readonly string[] = [
  'select * from clearing.holding where account_number = $1 order by sec_no',
  'select * from clearing.cash_balance where account_number = $1',
  'select * from clearing.security where sec_no in (select sec_no from clearing.holding where account_number = $1)',
  `select latest.* from (select sec_no from clearing.holding where account_number = $1) as held
   cross join lateral (select * from clearing.price where price.sec_no = held.sec_no order by priced_at desc limit 1) as latest`,
]

async function serve(url: string, port: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const app = Fastify()
  app.get('/', async () => 'ready')
  app.post('/position-summary', async (request, reply) => {
    const { accountNumber } = request.body as { accountNumber: string }
    const results = await Promise.all(
      selects.map((text, index) =>
        pool.query({ name: `floor ${index}`, text, values: [accountNumber], rowMode: 'array' }),
      ),
    )
    reply.header('content-type', 'application/json; charset=utf-8')
    return reply.send(JSON.stringify(results.map(({ rows }) => rows)))
  })
  await app.listen({ port, host: '127.0.0.1' })
  process.on('SIGTERM', () => process.exit(0))
}

if (process.argv[1] === positionFloor) {
  pg.types.setTypeParser(pg.types.builtins.INT8, String)
  await serve(process.argv[2] ?? '', Number(process.argv[3]))
}
