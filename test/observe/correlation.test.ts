// What joins a request's log line with other logs: the trace of the client, and the backends of PostgreSQL.
import { expect } from 'chai'
import { coldPath } from '../contract/gateways.ts'
import { run } from '../harness/shops.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { until } from '../harness/until.ts'
import { capture, documentedFields } from './observed.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`

describe('a log line', () => {
  const world = shopsGateway()

  function lines(): Record<string, unknown>[] {
    const log = capture({ level: 'debug' })
    for (const fact of world.gateway.observations) log.observe(fact)
    return log.lines()
  }

  for (const [name, traceparent, expected] of [
    ['has the traceparent of the client', TRACEPARENT, TRACEPARENT],
    ['has no traceparent that is malformed', `00-${TRACE}-${PARENT}`, undefined],
    ['has no traceparent of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
    ['has no traceparent of the version ff', `ff-${TRACE}-${PARENT}-01`, undefined],
    ['has no repeated traceparent', `${TRACEPARENT}, ${TRACEPARENT}`, undefined],
    ['has no traceparent of 12 KB', `00-${TRACE.repeat(375)}-${PARENT}-01`, undefined],
  ] as const) {
    it(name, async () => {
      const { headers } = await world.ask('/ping', { headers: { traceparent } })
      const requestId = headers.get('X-Request-Id')
      const line = await until(() => lines().find(each => each['requestId'] === requestId))
      expect(line['traceparent']).to.equal(expected)
    })
  }

  it('has only fields of config/README.md, which have no URL, header or key', async () => {
    const headers = { 'X-Forwarded-For': '1.1.1.1', 'X-Request-Id': 'of-all-fields' }
    await world.ask('/reports/receipts?from=2026-01-01&to=x', { headers })
    const found = await until(() => {
      const all = lines()
      return all.some(line => line['requestId'] === 'of-all-fields') && all
    })
    expect(documentedFields()).to.include.members(found.flatMap(line => Object.keys(line)))
  })

  it('names the backends of its request, whose statement begins with a constant comment', async () => {
    const asked = [1, 2].map(day => world.ask(coldPath('sleeps', day)))
    const active = `select pid, query from pg_stat_activity where query ~ '^/.definition='`
    let rows: Array<{ readonly pid: number; readonly query: string }> = []
    await until(async () => {
      rows = await run(world.shops.replicaUrl, active)
      return rows.length === 2
    })
    await Promise.all(asked)
    expect(rows[0]!.query).to.match(/^\/\*definition='sleeps',version='[\w-]{16}'\*\/ /)
    expect(rows[0]!.query).to.equal(rows[1]!.query)
    const found = lines().filter(line => line['report'] === 'sleeps')
    expect(found.flatMap(line => line['backendPids'])).to.have.members(rows.map(({ pid }) => pid))
    expect(found.map(line => line['clientAddress'])).to.deep.equal(['127.0.0.1', '127.0.0.1'])
  })
})
