// A program, the baseline of sending rows as bytes: bare Koa, a pg pool, rows as objects, JSON.stringify. The statement
// and the session settings are the gateway's; it has no key check, no cache, no separate totals.
import Koa from 'koa'
import { Pool, types } from 'pg'
import { SESSION_SETTINGS } from '../../../src/serve/replica/session-settings.ts'
import { sessionOptions } from '../../harness/session-options.ts'
import type { Bound } from '../subject.ts'

const { PORT = '', DATABASE_URL = '', STATEMENT = '{}' } = process.env
const { text, values } = JSON.parse(STATEMENT) as Bound

// why: the cheapest parsers that are correct: dates stay text, as in the response, and numbers become numbers
const { DATE, TIMESTAMPTZ, INT8, NUMERIC } = types.builtins
for (const oid of [DATE, TIMESTAMPTZ]) types.setTypeParser(oid, value => value)
for (const oid of [INT8, NUMERIC]) types.setTypeParser(oid, Number)

const options = sessionOptions(SESSION_SETTINGS)
const pool = new Pool({ connectionString: DATABASE_URL, options, max: 8 })

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
app.listen(Number(PORT), '127.0.0.1')
