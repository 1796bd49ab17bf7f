// A storm: 20 reports of 200 organizations at once, none of them cached. It goes through turns: in each, every report is
// executed for another organization, so that the reports of a large one are far apart.
import { askAll } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { median } from '../statistics.ts'
import { catalog, ID_TYPE, subjectOf } from '../subject.ts'
import type { Subject } from '../subject.ts'
import { fasterFloor, pgbench, refuseVariables, scriptOf } from './floor.ts'
import type { Plans, Timed } from './floor.ts'

/** Of clients: as many requests are in the gateway at a time. */
const CONNECTIONS = 256
/** REPORT_POOL_SIZE. */
const POOL_SIZE = 8

/** Registers, which the other rows are about, and reports that are halves or twins of others: 20 are left. */
const LEFT_OUT = new Set([
  'operations',
  'deals',
  'debts',
  'deals_lost',
  'income_by_category',
  'stock_below_minimum',
])

/** For each report, a subject for each organization, in the same order in all reports. */
export type Storm = readonly (readonly Subject[])[]

export async function storm(bench: Bench): Promise<Row[]> {
  const { product } = bench
  const organizations = [...product.ordinary, ...Object.values(product.named)]
  const codes = [...catalog.reports.keys()].filter(code => !LEFT_OUT.has(code))
  const all = codes.map(code => organizations.map(organization => subjectOf(organization, code)))
  const gateway = await startGateway(bench, {
    REPORT_POOL_SIZE: String(POOL_SIZE),
    QUEUE_TIMEOUT: '30s',
  })
  const requests = inOrder(all).map(({ fresh }) => fresh)
  const floor = (plans: Plans) => async (): Promise<Timed> => {
    const { seconds } = await pgbench(bench, {
      url: product.urls.reports,
      script: stormScript(all, POOL_SIZE),
      variables: { turn: '0' },
      plans,
      connections: POOL_SIZE,
      transactionCount: organizations.length,
    })
    return { ms: seconds * 1000, cpuMs: 0 }
  }
  const measured = await interleaved(bench, 'storm', 3, {
    auto: floor('auto'),
    force_custom_plan: floor('force_custom_plan'),
    async gateway(): Promise<Timed> {
      const [cpuBefore, before] = [gateway.cpuMs(), performance.now()]
      await askAll(gateway.url, requests, { atOnce: CONNECTIONS })
      return { ms: performance.now() - before, cpuMs: gateway.cpuMs() - cpuBefore }
    },
  })
  await gateway.stop()
  const perSecond = (rounds: readonly number[]): number[] =>
    rounds.map(ms => (requests.length * 1000) / ms)
  const ours = perSecond(measured.gateway.map(({ ms }) => ms))
  const floors = perSecond(fasterFloor(measured))
  return [
    ratioRow({
      name: `storm of ${organizations.length} organizations and ${codes.length} reports, cold, ${CONNECTIONS} requests at once, against pgbench`,
      rounds: ours,
      baseline: { name: 'pgbench', rounds: floors },
      target: { atLeast: 0.85 },
      figures: {
        'gateway, executions/s': median(ours),
        'pgbench, executions/s': median(floors),
        'gateway, CPU ms an execution':
          median(measured.gateway.map(({ cpuMs }) => cpuMs)) / requests.length,
      },
      note: `both on ${POOL_SIZE} connections to PostgreSQL; pgbench takes a statement to pick the values of each organization, and the gateway one to look up its key`,
    }),
  ]
}

/** How many organizations each report is ahead of the one before. */
function strideOf(all: Storm): number {
  return Math.max(1, Math.floor((all[0]?.length ?? 0) / all.length))
}

/** All of it, each once. */
export function inOrder(all: Storm): Subject[] {
  const turns = [...Array(all[0]?.length).keys()]
  return turns.flatMap(turn =>
    all.flatMap(
      (subjects, report) => subjects[(turn + report * strideOf(all)) % subjects.length] ?? [],
    ),
  )
}

/**
 * A transaction is a turn, and every connection goes through all turns and executes its share of each: each report of
 * each organization is executed once, and nearly in the order of `inOrder`.
 */
export function stormScript(all: Storm, connections: number): string {
  const pieces = all.map((subjects, report) =>
    [
      String.raw`\if (:turn + ${report}) % ${connections} = :client_id`,
      String.raw`\set place (:turn + ${report * strideOf(all)}) % ${subjects.length} + 1`,
      pick(subjects),
      `${scriptOf(subjects[0]?.definition.statement.text(ID_TYPE) ?? '')}\\endif`,
    ].join('\n'),
  )
  return [...pieces, String.raw`\set turn :turn + 1`].join('\n')
}

/** Sets `v1`, `v2`, ... to the values of organization `:place`, which counts from 1; without reading any table. */
function pick(subjects: readonly Subject[]): string {
  const rows = subjects.map(({ bound }) => `{${bound.values.map(text => `"${text}"`).join(',')}}`)
  const values = `{${rows.join(',')}}`
  refuseVariables(values)
  const columns = subjects[0]?.bound.values.map(
    (_, at) => `all_values[place][${at + 1}] as v${at + 1}`,
  )
  return String.raw`select ${columns?.join(', ')}
from (select '${values.replaceAll("'", "''")}'::text[] as all_values, :place::integer as place offset 0) as picked
\gset`
}
