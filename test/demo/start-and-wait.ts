// A program for tests: starts a cluster in the folder named, writes what it is as one line, and waits.
import { startCluster } from '../../src/demo/cluster.ts'

const [directory = ''] = process.argv.slice(2)
const { folder, fresh, primary, replica } = await startCluster({ directory, database: 'shop' })
process.stdout.write(`${JSON.stringify({ folder, fresh, pids: [primary.pid, replica.pid] })}\n`)
setInterval(() => {}, 1000)
