// What isolation costs: planning time, execution time and buffers against the same statements whose tables are selected in
// place (shipped definitions), or joined to the organization's table (children). Prints the ratios; asserts equal rows.
import { expect } from 'chai'
import type { Client } from 'pg'
import { PLACEHOLDERS, type Bindings, type Statement } from '../../src/definitions/definition.ts'
import { cutAtPlaceholders } from '../../src/definitions/sql/sql-pieces.ts'
import { compileStatement } from '../../src/definitions/statement.ts'
import { load } from '../definitions/sql-folder.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { run } from '../harness/shops.ts'
import { connected, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../sql/subject.ts'

const ROUNDS = 7

interface Cost {
  readonly planning: number
  readonly execution: number
  readonly buffers: number
}

interface Comparison {
  readonly name: string
  readonly idType: string
  readonly isolated: Statement
  readonly byHand: Statement
}

interface Asked {
  readonly who: string
  readonly bindings: Bindings
}

async function compiled(text: string): Promise<Statement> {
  const sql = await parseSql({ text, placeholders: PLACEHOLDERS })
  return compileStatement(cutAtPlaceholders(sql, { start: 0, end: text.length }))
}

/** The ratio of each round, so that slow seconds affect both. */
function medianRatio(costs: readonly Cost[], others: readonly Cost[], of: keyof Cost): number {
  const ratios = costs.map((cost, at) => cost[of] / others[at]![of]).toSorted((a, b) => a - b)
  return ratios[Math.floor(ratios.length / 2)]!
}

/** In a session with the settings of the gateway, but for those that a test chooses. Prints the worst planning first. */
async function printRatios(
  client: Client,
  title: string,
  comparisons: readonly Comparison[],
  asked: readonly Asked[],
  plans: ReadonlyArray<'custom' | 'generic'>,
): Promise<void> {
  const lines: Array<{ planning: number; text: string }> = []
  for (const plan of plans) {
    await client.query(`set plan_cache_mode = force_${plan}_plan`)
    for (const { name, idType, isolated, byHand } of comparisons) {
      await client.query(
        `prepare isolated as ${isolated.text(idType)}; prepare by_hand as ${byHand.text(idType)}`,
      )
      for (const { who, bindings } of asked) {
        const valuesOf = (statement: Statement) =>
          statement.values(bindings).map(value => client.escapeLiteral(value))
        const ways = [
          `execute isolated (${valuesOf(isolated).join(', ')})`,
          `execute by_hand (${valuesOf(byHand).join(', ')})`,
        ] as const
        const [{ rows: own }, { rows: expected }] = [
          await client.query(ways[0]),
          await client.query(ways[1]),
        ]
        const what = `${name}, ${who}, ${plan} plan`
        expect(own, what).to.deep.equal(expected)
        const costs: [Cost[], Cost[]] = [[], []]
        for (let round = 0; round < ROUNDS; round++)
          for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
            costs[at].push(await costOf(client, ways[at]))
        const [buffers, buffersByHand] = [costs[0][0]!.buffers, costs[1][0]!.buffers]
        const planning = medianRatio(...costs, 'planning')
        const execution = medianRatio(...costs, 'execution')
        const ms = costs[1][0]!
        lines.push({
          planning,
          text: `${what.padEnd(64)} ${planning.toFixed(2)} of ${ms.planning.toFixed(2)} ms  ${execution.toFixed(2)} of ${ms.execution.toFixed(2)} ms  ${buffersByHand} -> ${buffers}`,
        })
      }
      await client.query('deallocate all')
    }
  }
  const worstFirst = lines.toSorted((a, b) => b.planning - a.planning).map(({ text }) => text)
  process.stdout.write(
    `  ${title}: planning, execution, buffers\n    ${worstFirst.join('\n    ')}\n`,
  )
}

async function costOf(client: Client, execute: string): Promise<Cost> {
  const { rows } = await client.query(
    `explain (analyze, buffers, timing off, format json) ${execute}`,
  )
  const [found] = rows[0]['QUERY PLAN']
  const { 'Planning Time': planning, 'Execution Time': execution, Plan: root } = found
  return { planning, execution, buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'] }
}

/** Its own database with the demo's data, as the owner. */
async function demoCopy(): Promise<Client> {
  const cluster = await sharedCluster()
  await run(cluster.primaryUrl, 'drop database if exists isolation_plans with (force)')
  await run(
    cluster.urlFor('postgres', 'primary', 'postgres'),
    `create database isolation_plans template ${cluster.database}`,
  )
  return connected(cluster.urlFor('postgres', 'primary', 'isolation_plans'))
}

const SHIPPING = `
create schema shipping;
create table shipping.orders (order_id int primary key, shipper int not null, day date not null);
create table shipping.parcels (parcel_id int primary key, order_id int not null references shipping.orders, weight int not null);
create table shipping.scans (scan_id int primary key, parcel_id int not null references shipping.parcels, place int not null);
create table shipping.faults (scan_id int not null references shipping.scans, kind int not null, cents bigint not null);
create table shipping.kinds (kind int primary key, name text not null);
insert into shipping.kinds select n, 'kind ' || n from generate_series(1, 40) as n;
-- shipper 1 has a third of the orders
insert into shipping.orders select n, case when n % 3 = 0 then 1 else 2 + n % 200 end, date '2026-01-01' + n % 365 from generate_series(1, 20000) as n;
insert into shipping.parcels select n, 1 + n % 20000, n % 50 from generate_series(1, 60000) as n;
insert into shipping.scans select n, 1 + n % 60000, n % 90 from generate_series(1, 240000) as n;
insert into shipping.faults select 1 + (n * 7) % 240000, 1 + n % 40, n from generate_series(1, 300000) as n;
create index on shipping.orders (shipper, day);
create index on shipping.parcels (order_id);
create index on shipping.scans (parcel_id);
create index on shipping.faults (scan_id);
vacuum (analyze);`

const SHIPPING_TENANCY = `
shipping.orders: shipper
shipping.parcels: via orders (order_id = order_id)
shipping.scans: via parcels (parcel_id = parcel_id)
shipping.faults: via scans (scan_id = scan_id)
shipping.kinds: shared
`

const JOINS = `join shipping.scans on scans.scan_id = faults.scan_id
  join shipping.parcels on parcels.parcel_id = scans.parcel_id
  join shipping.orders on orders.order_id = parcels.order_id and orders.shipper = :organization_id`
const IN_PERIOD = 'orders.day >= :period_start and orders.day < :period_end'
const OF_FAULTS = 'sum(faults.cents) as cents from shipping.faults'
const OF_KINDS = `kinds.name, ${OF_FAULTS} join shipping.kinds on kinds.kind = faults.kind`

/** By hand; isolated, they lose the schema and the condition. */
const OF_SHIPPERS: Readonly<Record<string, string>> = {
  orders: `select count(*) as orders from shipping.orders where orders.shipper = :organization_id and ${IN_PERIOD}`,
  'orders and parcels': `select sum(parcels.weight) as weight from shipping.parcels join shipping.orders on orders.order_id = parcels.order_id and orders.shipper = :organization_id where ${IN_PERIOD}`,
  'three levels of joins': `select ${OF_FAULTS} ${JOINS} where ${IN_PERIOD}`,
  'and a shared table': `select ${OF_KINDS} ${JOINS} where ${IN_PERIOD} group by 1 order by 1`,
}

/** Isolated without joins of their own. */
const BARE: Readonly<Record<string, readonly [isolated: string, byHand: string]>> = {
  'three levels, no join': [
    'select sum(cents) as cents from faults',
    `select ${OF_FAULTS} ${JOINS}`,
  ],
  'a shared table, no join': [
    'select kinds.name, sum(cents) as cents from faults join kinds using (kind) group by 1 order by 1',
    `select ${OF_KINDS} ${JOINS} group by 1 order by 1`,
  ],
}

describe('plans of isolated statements', function () {
  this.timeout(600_000)
  let client: Client

  before(async () => {
    client = await demoCopy()
    await client.query('vacuum (analyze)')
  })

  after(() => client?.end())

  it('are those of conditions written by hand: shipped definitions', async () => {
    const { reports, metricsFiles } = ourCatalog()
    const comparisons = await Promise.all(
      [...reports.values(), ...metricsFiles.values()].map(async ({ name, source }) => {
        const { text, start, end, tables, statement } = source
        const names = tables.map(table => table.name).join('|')
        const byHand = text
          .slice(start, end)
          .replaceAll(
            new RegExp(String.raw`\b(from|join) (${names})\b(?: as (\w+))?`, 'g'),
            (_, word: string, table: string, alias = table) =>
              `${word} (select * from public.${table} where organization_id = :organization_id) as ${alias}`,
          )
        return { name, idType: 'uuid', isolated: statement, byHand: await compiled(byHand) }
      }),
    )
    const asked = [0, 2, 3].map(at => {
      const { id, name, timeZone } = DEMO_ORGANIZATIONS[at]!
      const { question } = questions(Date.now, timeZone)[0]!
      return { who: name, bindings: { organizationId: id, ...question } }
    })
    await printRatios(client, 'shipped definitions', comparisons, asked, ['custom', 'generic'])
  })

  it('are those of conditions written by hand: children', async () => {
    await client.query(`drop schema if exists shipping cascade`)
    for (const statement of SHIPPING.split(';\n')) await client.query(statement)
    const all = {
      ...BARE,
      ...Object.fromEntries(
        Object.entries(OF_SHIPPERS).map(([name, byHand]) => [
          name,
          [
            byHand
              .replaceAll('shipping.', '')
              .replace(' and orders.shipper = :organization_id', '')
              .replace('orders.shipper = :organization_id and ', ''),
            byHand,
          ] as const,
        ]),
      ),
    }
    const comparisons = await Promise.all(
      Object.entries(all).map(async ([name, [isolated, byHand]]) => {
        const files = {
          'tenancy.yaml': SHIPPING_TENANCY,
          'metrics/m.sql': `/*---\nmetrics: { cents: { title: Копейки, format: money } }\n---*/\n${isolated}`,
        }
        const { metricsFiles } = await load(files)
        const { statement } = [...metricsFiles.values()][0]!
        return { name, idType: 'int', isolated: statement, byHand: await compiled(byHand) }
      }),
    )
    const question = questions(Date.now, 'UTC').find(({ name }) => name === 'a month')!.question
    const bindings = { ...question, period: { start: '2026-03-01', end: '2026-04-01' } }
    const asked = ['1', '50', '999'].map(organizationId => ({
      who: `shipper ${organizationId}`,
      bindings: { organizationId, ...bindings },
    }))
    // why: the gateway executes with custom plans
    await printRatios(client, 'children', comparisons, asked, ['custom'])
  })
})
