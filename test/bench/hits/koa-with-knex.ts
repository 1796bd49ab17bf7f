// The ordinary way to check a key: a query per request through knex's builder, on Koa alone, and then the same bytes.
// A process of its own; PORT, BODY (a file) and DATABASE_URL say what.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import knex from 'knex'
import Koa from 'koa'

const { PORT = '', BODY = '', DATABASE_URL = '' } = process.env
const body = readFileSync(BODY)
const db = knex({ client: 'pg', connection: DATABASE_URL, pool: { min: 10, max: 10 } })

const app = new Koa()
app.use(async ctx => {
  const hash = createHash('sha256').update(ctx.get('X-Api-Key')).digest()
  const organization = await db('api_keys')
    .join('organizations', 'organizations.id', 'api_keys.organization_id')
    .where('api_keys.key_sha256', hash)
    .whereNull('api_keys.revoked_at')
    .first('organizations.id', 'organizations.time_zone', 'organizations.tier')
  if (organization === undefined) {
    ctx.status = 401
    return
  }
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = body
})
app.listen(Number(PORT), '127.0.0.1')
