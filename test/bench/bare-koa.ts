// A program, the baseline of hits: bare Koa, which sends the files of the folder BODIES in turn.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Koa from 'koa'

const { PORT = '', BODIES = '' } = process.env
const bodies = readdirSync(BODIES).map(name => readFileSync(join(BODIES, name)))
let at = 0

const app = new Koa()
app.use(ctx => {
  ctx.type = 'application/json; charset=utf-8'
  at = (at + 1) % bodies.length
  ctx.body = bodies[at]
})
app.listen(Number(PORT), '127.0.0.1')
