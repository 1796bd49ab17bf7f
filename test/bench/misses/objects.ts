// Starts the server that answers with pg's objects and JSON.stringify, and compares what it says.
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../src/demo/ports.ts'
import type { Bench } from '../bench.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import type { ObjectsServerOptions } from './objects-server.ts'
import type { Bound } from './subject.ts'

const PROGRAM = fileURLToPath(new URL('./objects-server.js', import.meta.url))

export interface ObjectsServer extends ServerProcess {
  readonly url: string
}

export async function startObjectsServer(bench: Bench, bound: Bound): Promise<ObjectsServer> {
  const port = await freePort()
  const options: ObjectsServerOptions = {
    port,
    connectionString: bench.product.urls.reports,
    ...bound,
  }
  const url = `http://127.0.0.1:${port}`
  const server = await startServer(bench, {
    name: 'objects server',
    command: [process.execPath, PROGRAM],
    env: { NODE_ENV: 'production', OBJECTS_SERVER: JSON.stringify(options) },
    readyUrl: `${url}/ready`,
  })
  return { ...server, url }
}
