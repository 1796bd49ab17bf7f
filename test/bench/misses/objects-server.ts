// A program, the rival of the byte path: bare Koa, a pg pool, rows as objects, JSON.stringify. The same statement in
// the same session; no key, no cache, no totals of its own.
import Koa from 'koa'
import { Pool, types } from 'pg'
import { SESSION_SETTINGS } from '../../../src/replica/session-settings.ts'
import { sessionOptions } from '../../support/session-options.ts'

/** As JSON in `OBJECTS_SERVER`. */
export interface ObjectsServerOptions {
  readonly port: number
  readonly connectionString: string
  readonly text: string
  readonly values: readonly string[]
}

const { port, connectionString, text, values } = JSON.parse(
  process.env['OBJECTS_SERVER'] ?? '{}',
) as ObjectsServerOptions

// why: the cheapest that is still right: dates stay text, as the answer has them, and numbers become numbers
const { DATE, TIMESTAMPTZ, INT8, NUMERIC } = types.builtins
for (const oid of [DATE, TIMESTAMPTZ]) types.setTypeParser(oid, value => value)
for (const oid of [INT8, NUMERIC]) types.setTypeParser(oid, Number)

const pool = new Pool({ connectionString, options: sessionOptions(SESSION_SETTINGS), max: 8 })

const app = new Koa()
app.use(async ctx => {
  if (ctx.path === '/ready') {
    ctx.body = 'ok'
    return
  }
  const { rows } = await pool.query({ text, values: [...values] })
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ rows })
})
app.listen(port, '127.0.0.1')
