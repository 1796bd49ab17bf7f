// Harmful definitions and schemas: too slow, too large, wrong, or changed while in use; and a pooler in between.
import { eventually } from '../../src/demo/processes.ts'
import { memoryBytes } from '../harness/process-figures.ts'
import { all, atMost, exactly, holds } from '../harness/figures.ts'
import { cold, fresh, hasCode, isOk, slowest } from '../harness/load.ts'
import { Missing, type Scenario } from '../harness/scenario.ts'
import { hasPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts'

export const hostile: readonly Scenario[] = [
  {
    name: 'F27 huge-result',
    hypothesis:
      "300 MB of rows are rejected at the first row above maxRows, and cost neither memory nor others' time",
    async run(stage) {
      const gateway = await stage.gateway()
      const pings = gateway.startLoad(50, () => ({ report: 'ping' }))
      const before = memoryBytes(gateway.pid)
      const responses = await gateway.askMany(8, 4, fresh('huge'))
      const grown = (memoryBytes(gateway.pid) - before) / 2 ** 20
      return [
        all('result_too_large', responses, hasCode('result_too_large')),
        atMost('slowest of these', slowest(responses), 5000, 'ms'),
        atMost('memory growth', grown, 64, 'MiB'),
        atMost('longest wait of others', slowest(await pings.stop()), 250, 'ms'),
      ]
    },
  },
  {
    name: 'F25 spills-to-disk',
    hypothesis:
      'A report that exceeds temp_file_limit is rejected, not retried, and remembered for some seconds',
    async run(stage) {
      await stage.servers.changeAll("alter role svodka_reports set temp_file_limit = '2MB'")
      const gateway = await stage.gateway()
      const same = fresh('spills')()
      const responses = await gateway.askMany(5, 1, () => same)
      return [
        all('result_too_large', responses, hasCode('result_too_large')),
        exactly('executions for five requests', await gateway.executionsOf('spills'), 1),
      ]
    },
  },
  {
    name: 'F46 pgbouncer',
    hypothesis:
      'Behind PgBouncer in transaction mode everything works, and a restarted replica is used again',
    async run(stage) {
      if (!hasPgBouncer()) throw new Missing("pgbouncer (Debian's pgbouncer)")
      const { one, url } = stage.servers
      const roles = ['svodka_reports', 'svodka_keys', 'svodka_probe'] as const
      const serverUrls = roles.map(role => url(role, one.port))
      const pgbouncer = await startPgBouncer({ mode: 'transaction', serverUrls })
      stage.atEnd(() => void pgbouncer.stop())
      const port = Number(new URL(pgbouncer.urlFor(serverUrls[0] ?? '')).port)
      const gateway = await stage.gateway({}, { replicas: [port], keys: port, probes: [one.port] })
      const reports = ['ledger', 'others', 'drifting', 'medium', 'ping']
      const ask = () =>
        gateway.askMany(200, 16, at => ({
          report: reports[at % reports.length] ?? '',
          organization: 1 + (at % 20),
          cold: cold(),
        }))
      const responses = await ask()
      const leave = new AbortController()
      const leaving = Array.from({ length: 6 }, (_, at) =>
        gateway.ask({ ...fresh(at < 2 ? 'busy' : 'sleeping')(), signal: leave.signal }),
      )
      await eventually(async () => (await one.running()) >= 4, 5000)
      leave.abort()
      const idle = one.untilIdle()
      await Promise.all(leaving)
      const idleMs = await idle
      await one.server.stop('fast')
      await one.server.start()
      const foundMs = await gateway.firstFresh(performance.now())
      return [
        all('answered', responses, isOk),
        atMost('until no statement of the six is left', idleMs, 1000, 'ms'),
        atMost('used again after a restart within', foundMs, 5000, 'ms'),
        all('answered then', await ask(), isOk),
        holds('PgBouncer lives', pgbouncer.isAlive()),
      ]
    },
  },
]
