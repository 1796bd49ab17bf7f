// The baseline: Koa alone, sending the same bytes in turn to whoever asks. A process of its own; PORT and BODIES (a folder)
// say what.
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
