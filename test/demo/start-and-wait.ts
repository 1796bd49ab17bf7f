// A program for tests: starts a cluster in the given folder, prints its description as one line, and waits.
import { startCluster } from '../../src/demo/cluster.ts'

const { fresh, primary, replica } = await startCluster({
  directory: process.argv[2]!,
  database: 'shop',
})
process.stdout.write(`${JSON.stringify({ fresh, pids: [primary.pid, replica.pid] })}\n`)
setInterval(() => {}, 1000)
