// PostGraphile 5 as its documentation sets it up for production, on Node's own server; runs from its own folder.
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { DATABASE_URL, PORT, RIVAL_SCHEMA } = process.env
const pool = new Pool({ connectionString: DATABASE_URL })
pool.on('error', () => {})

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: [RIVAL_SCHEMA], pubsub: false })],
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
  grafast: { explain: false },
}

const server = createServer()
await postgraphile(preset).createServ(grafserv).addTo(server)
server.listen(Number(PORT), '127.0.0.1')
