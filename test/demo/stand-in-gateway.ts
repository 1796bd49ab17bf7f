// Replaces the gateway in tests of the demo: ready after a moment, prints its settings, ends on a signal.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const { DATABASE_URL, OPS_PORT, PGSSLMODE, STAND_IN } = process.env
const readyAt = Date.now() + 200

createServer((_, response) => {
  response.statusCode = Date.now() < readyAt ? 503 : 200
  response.end()
}).listen(Number(OPS_PORT), '127.0.0.1')

process.stdout.write(`stand-in: ${JSON.stringify({ DATABASE_URL, PGSSLMODE })}\n`)
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    process.stdout.write(`stand-in: got ${name}\n`)
    if (STAND_IN !== 'stubborn') void sleep(300).then(() => process.exit(0))
  })
}
process.on('SIGHUP', () => process.stdout.write('stand-in: got SIGHUP\n'))
if (STAND_IN === 'failing') process.exit(7)
