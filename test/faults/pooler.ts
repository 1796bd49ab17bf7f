// PgBouncer between the gateway and its replica, as Debian ships it: pools of transactions.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount, writeFor } from '../../src/demo/account.ts'
import { valueOf } from '../../src/demo/connection.ts'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import { running } from '../harness/invariants.ts'
import { askMany, cold, count, isOk } from '../harness/load.ts'
import { Missing } from '../harness/scenario.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

interface Pooler {
  readonly port: number
  isGone(): boolean
}

/** @throws Missing where it is not installed. */
async function startPooler(world: World): Promise<Pooler> {
  if (!existsSync(PROGRAM)) throw new Missing(`${PROGRAM} (Debian's pgbouncer)`)
  const { servers } = world
  const account = serverAccount()
  const folder = mkdtempSync(join(world.folder, 'pooler-'))
  account.give(folder)
  const port = await freePort()
  const roles = ['svodka_reports', 'svodka_keys', 'svodka_probe'] as const
  const users = roles.map(role => `"${role}" "${new URL(servers.url(role, port)).password}"`)
  writeFor(account, join(folder, 'users.txt'), `${users.join('\n')}\n`)
  const settings = [
    '[databases]',
    `product = host=127.0.0.1 port=${servers.one.port} dbname=product`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 4',
    'server_login_retry = 1',
  ]
  writeFor(account, join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  const child = spawn(PROGRAM, ['-q', join(folder, 'pgbouncer.ini')], {
    ...account.ids,
    cwd: '/',
    stdio: 'ignore',
  })
  world.atEnd(() => void child.kill('SIGKILL'))
  let crashed = false
  child.once('exit', () => (crashed = true))
  const url = servers.url('svodka_probe', port)
  const answers = (): Promise<boolean> => valueOf(url, 'select 1').then(Boolean, () => false)
  if (!(await eventually(answers, 5000))) throw new Error('PgBouncer does not answer')
  return { port, isGone: () => crashed }
}

export const pooler: Scenario = {
  fault: 'F46',
  name: 'pgbouncer',
  hypothesis:
    'Behind PgBouncer in transaction mode everything works, and a replica that restarts behind it is found again',
  async run(world) {
    const { one } = world.servers
    const pgbouncer = await startPooler(world)
    const { port } = pgbouncer
    const gateway = await world.gateway({ replicas: [port], keys: port, probes: [one.port] })
    const reports = ['ledger', 'others', 'drifting', 'medium', 'ping']
    const ask = () =>
      askMany(gateway, 200, 16, at => ({
        report: reports[at % reports.length] ?? '',
        organization: 1 + (at % 20),
        cold: cold(),
      }))
    const answers = await ask()
    const leave = new AbortController()
    const leaving = Array.from({ length: 6 }, (_, at) =>
      gateway.ask({ report: at < 2 ? 'busy' : 'sleeping', cold: cold(), signal: leave.signal }),
    )
    await eventually(async () => (await running(one)) >= 4, 5000)
    leave.abort()
    const leftAt = performance.now()
    await Promise.all(leaving)
    await eventually(async () => (await running(one)) === 0, 10_000, 10)
    const idleMs = performance.now() - leftAt
    await one.server.stop('fast')
    await one.server.start()
    const sees = async (): Promise<boolean> =>
      (await gateway.ask({ report: 'ledger', cold: cold() })).status === 200
    const found = await eventually(sees, 5000, 50)
    const after = await ask()
    return [
      { name: 'answered', value: count(answers, isOk), exactly: 200 },
      { name: 'until no statement of six who left runs', value: idleMs, unit: 'ms', atMost: 1000 },
      { name: 'found again within 5 s of a restart', value: Number(found), exactly: 1 },
      { name: 'answered then', value: count(after, isOk), exactly: 200 },
      { name: 'PgBouncer crashed', value: Number(pgbouncer.isGone()), exactly: 0 },
    ]
  },
}
