// A storm: 23 reports of 200 organizations at once, none of them cached, against as many as PostgreSQL executes at a time.
import { askAll } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { catalog, subjectOf } from '../subject.ts'

const AT_ONCE = 256
/** REPORT_POOL_SIZE. */
const POOL_SIZE = 8

/** Their rows are documents, which the other rows are about. */
const REGISTERS = new Set(['operations', 'deals', 'debts'])

export async function storm(bench: Bench): Promise<Row[]> {
  const { ordinary, named } = bench.product
  const organizations = [...ordinary, ...Object.values(named)]
  const codes = [...catalog.reports.keys()].filter(code => !REGISTERS.has(code))
  const requests = organizations.flatMap((_, turn) =>
    codes.map((code, report) => {
      // why: the reports of a large organization are far apart
      const at = (turn + report * codes.length) % organizations.length
      return subjectOf(organizations[at]!, code).fresh
    }),
  )
  const settings = { REPORT_POOL_SIZE: String(POOL_SIZE), QUEUE_TIMEOUT: '30s' }
  const gateway = await startGateway(bench, settings)
  const timed = (atOnce: number) => async () => {
    const [cpuMs, startedAt] = [gateway.cpuMs(), performance.now()]
    await askAll(gateway.url, requests, { atOnce })
    return { ms: performance.now() - startedAt, cpuMs: gateway.cpuMs() - cpuMs }
  }
  const measured = await interleaved(bench, 'storm', 3, {
    storm: timed(AT_ONCE),
    'one on each connection': timed(POOL_SIZE),
  })
  await gateway.stop()
  return [
    ratioRow(measured, {
      name: `storm of ${organizations.length} organizations and ${codes.length} reports, cold: ${AT_ONCE} at once against ${POOL_SIZE}`,
      ours: 'storm',
      baseline: 'one on each connection',
      of: ({ ms }) => requests.length / ms,
      target: { atLeast: 0.85 },
      note: `both on ${POOL_SIZE} connections to PostgreSQL`,
    }),
  ]
}
