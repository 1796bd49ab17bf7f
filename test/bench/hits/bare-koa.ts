// The baseline: Koa alone, sending the same bytes to whoever asks. A process of its own; PORT and BODY (a file) say what.
import { readFileSync } from 'node:fs'
import Koa from 'koa'

const { PORT = '', BODY = '' } = process.env
const body = readFileSync(BODY)

const app = new Koa()
app.use(ctx => {
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = body
})
app.listen(Number(PORT), '127.0.0.1')
