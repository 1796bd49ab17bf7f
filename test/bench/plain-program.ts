// A program, the baseline of reports: what a user would write instead of a gateway, with the usual libraries. REPORTS is
// a file with the gateway's statements. It has no admission, deadlines, replicas, validators, metrics or log.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Koa from 'koa'
import { LRUCache } from 'lru-cache'
import { Pool, types } from 'pg'
import type { PlainReports } from './baselines.ts'

const {
  PORT = '',
  REPORTS = '',
  POOL_SIZE = '',
  DATABASE_URL = '',
  KEYS_DATABASE_URL = '',
} = process.env
const { reports, access, options } = JSON.parse(readFileSync(REPORTS, 'utf8')) as PlainReports

// Dates and instants stay text, big integers and numerics become numbers.
const { DATE, TIMESTAMPTZ, INT8, NUMERIC } = types.builtins
for (const oid of [DATE, TIMESTAMPTZ]) types.setTypeParser(oid, value => value)
for (const oid of [INT8, NUMERIC]) types.setTypeParser(oid, Number)

const pool = new Pool({ connectionString: DATABASE_URL, options, max: Number(POOL_SIZE) })
const keys = new Pool({ connectionString: KEYS_DATABASE_URL, max: 2 })
const cache = new LRUCache<string, Buffer>({
  maxSize: 256 * 2 ** 20,
  ttl: 3_600_000,
  sizeCalculation: ({ length }) => length,
})
const compress = promisify(gzip)
const dates = new Map<string, Intl.DateTimeFormat>()

const app = new Koa()
app.use(async ctx => {
  const hash = createHash('sha256').update(ctx.get('X-Api-Key')).digest()
  const { rows: found } = await keys.query({ name: 'key', text: access, values: [[hash]] })
  const organization = found[0]
  if (!organization?.entitled) return ctx.throw(organization ? 402 : 401)
  const code = ctx.path.split('/').at(-1) ?? ''
  const { title, columns, text, parameters } = reports[code] ?? ctx.throw(404)
  const { from = '', to = '' } = ctx.query as Record<string, string>
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const key = `${organization.organization_id} ${code} ${from} ${to} ${isCompressed}`
  ctx.type = 'application/json; charset=utf-8'
  ctx.vary('Accept-Encoding')
  if (isCompressed) ctx.set('Content-Encoding', 'gzip')
  let body = cache.get(key)
  if (body === undefined) {
    const end = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
    const { organization_id, time_zone: timeZone } = organization
    const dateFormat = dates.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone })
    dates.set(timeZone, dateFormat)
    const today = dateFormat.format()
    const given = { organization: organization_id, from, end, asOf: today < to ? today : to }
    const values = parameters.map(name => name && given[name])
    const result = await pool.query({ name: code, text, values, rowMode: 'array' })
    const indexOf = (column: string) => result.fields.findIndex(({ name }) => name === column)
    const fields = columns.map(({ key }) => [key, indexOf(key)] as const)
    const toObject = (row: unknown[]) => {
      const object: Record<string, unknown> = {}
      for (const [key, at] of fields) object[key] = row[at]
      return object
    }
    const isTotal = indexOf('is_total')
    const rows = result.rows.filter(row => row[isTotal] !== true).map(toObject)
    const totals = toObject(result.rows.find(row => row[isTotal] === true) ?? [])
    const summary = `${title}, ${from} - ${to}: ${rows.length}`
    const json = JSON.stringify({ code, period: { from, to }, columns, rows, totals, summary })
    body = isCompressed ? await compress(json) : Buffer.from(json)
    cache.set(key, body)
  }
  ctx.body = body
})
app.listen(Number(PORT), '127.0.0.1')
