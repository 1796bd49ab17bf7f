// A program, the baseline of hits: bare Koa, which sends the files of the folder BODIES in turn. With DATABASE_URL it
// checks keys in the usual way, by a query per request through knex's query builder.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import knex from 'knex'
import Koa from 'koa'

const { PORT = '', BODIES = '', DATABASE_URL } = process.env
const bodies = readdirSync(BODIES).map(name => readFileSync(join(BODIES, name)))
let at = 0

const app = new Koa()
if (DATABASE_URL !== undefined) {
  const db = knex({ client: 'pg', connection: DATABASE_URL, pool: { min: 10, max: 10 } })
  app.use(async (ctx, next) => {
    const hash = createHash('sha256').update(ctx.get('X-Api-Key')).digest()
    const organization = await db('api_keys')
      .join('organizations', 'organizations.id', 'api_keys.organization_id')
      .where('api_keys.key_sha256', hash)
      .whereNull('api_keys.revoked_at')
      .first('organizations.id', 'organizations.time_zone', 'organizations.tier')
    if (organization === undefined) ctx.status = 401
    else await next()
  })
}
app.use(ctx => {
  ctx.type = 'application/json; charset=utf-8'
  at = (at + 1) % bodies.length
  ctx.body = bodies[at]
})
app.listen(Number(PORT), '127.0.0.1')
