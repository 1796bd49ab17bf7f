// Directus with its REST API for aggregates. It writes tables of its own and wants one column as primary key, so it
// stands in front of the primary and has a copy of the operations in a schema of its own.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { withClient } from '../../../src/demo/connection.ts'
import { freePort } from '../../../src/demo/ports.ts'
import type { Bench } from '../bench.ts'
import { startServer } from '../server-process.ts'
import { sumOf, type Fields, type GatewayAnswer } from './answers.ts'
import { fetched } from './fetched.ts'
import type { Question } from './questions.ts'
import type { RivalKind } from './rival.ts'

const SCHEMA = 'directus'
const TOKEN = 'static-token-of-the-benchmark'

export const directus: RivalKind = {
  name: 'Directus',
  note: 'its aggregate API on operations alone, without names of categories, stock, shares or totals; the register without joins; on the primary',
  async start(bench, questions) {
    const folder = await fetched(bench, {
      name: 'directus',
      versions: { directus: '12.4.0' },
      ignoreScripts: false,
      withinMs: 420_000,
    })
    const ids = [...new Set(questions.map(({ organization }) => organization.id))]
    await createCopy(bench, ids)
    const expenses = await expenseCategories(bench, ids)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = environment(bench, port)
    const program = join(folder, 'node_modules/directus/cli.js')
    const bootstrap = 'directus-bootstrap-and-start'
    const server = await startServer(bench, {
      name: bootstrap,
      command: [
        'sh',
        '-c',
        `"$0" "$1" bootstrap && exec "$0" "$1" start`,
        process.execPath,
        program,
      ],
      env,
      readyUrl: `${url}/server/ping`,
      readyWithinMs: 120_000,
    })
    return {
      server,
      url,
      request: question => ({
        path: pathOf(question),
        headers: { Authorization: `Bearer ${TOKEN}` },
      }),
      compare(question, answer, ours) {
        const { data } = answer as { data: readonly Fields[] }
        if (question.report === 'operations') compareRegister(data, ours)
        else compareSums(data, ours, expenses)
      },
      async stop() {
        await server.stop()
        await dropCopy(bench)
      },
    }
  },
}

function environment({ product }: Bench, port: number): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: 'a secret of thirty-two bytes or more',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-benchmark',
    ADMIN_TOKEN: TOKEN,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: product.urls.primary,
    DB_SEARCH_PATH: `array:${SCHEMA}`,
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
  }
}

function createCopy({ product }: Bench, ids: readonly string[]): Promise<void> {
  return withClient(product.urls.primary, async client => {
    await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`)
    await client.query(`create table ${SCHEMA}.operations (like public.operations)`)
    await client.query(
      `insert into ${SCHEMA}.operations select * from public.operations where organization_id = any ($1)`,
      [ids],
    )
    await client.query(`
      alter table ${SCHEMA}.operations add primary key (id);
      create index on ${SCHEMA}.operations (organization_id, operation_date, id)
        include (kind, category_id, project_id, amount_kopecks) where status = 'posted';
      analyze ${SCHEMA}.operations`)
    await client.query(`vacuum ${SCHEMA}.operations`)
  })
}

function dropCopy({ product }: Bench): Promise<void> {
  return withClient(product.urls.primary, async client => {
    await client.query(`drop schema if exists ${SCHEMA} cascade`)
  })
}

/** It knows no sections of categories: of its sums, those count that are expenses by ours. */
async function expenseCategories(
  { product }: Bench,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  return withClient(product.urls.primary, async client => {
    const { rows } = await client.query<{ id: string }>(
      `select id::text from categories
      where organization_id = any ($1) and section in ('cost_of_goods', 'operating')`,
      [ids],
    )
    return new Set<unknown>([null, ...rows.map(({ id }) => id)])
  })
}

const REGISTER =
  'id,operation_date,paid_on,kind,category_id,account_id,to_account_id,counterparty_id,project_id,description,amount_kopecks,updated_at'

function pathOf({ report, organization, from, to }: Question): string {
  const filters = {
    'filter[organization_id][_eq]': organization.id,
    'filter[status][_eq]': 'posted',
    'filter[operation_date][_gte]': from,
    'filter[operation_date][_lte]': to,
    limit: '-1',
  }
  const asked =
    report === 'operations'
      ? { fields: REGISTER, sort: 'operation_date,id' }
      : {
          'filter[kind][_eq]': 'expense',
          'groupBy[]': 'category_id',
          'aggregate[sum]': 'amount_kopecks',
          'aggregate[count]': '*',
        }
  return `/items/operations?${new URLSearchParams({ ...filters, ...asked }).toString()}`
}

function compareSums(
  data: readonly Fields[],
  ours: GatewayAnswer,
  expenses: ReadonlySet<unknown>,
): void {
  const groups = data.filter(({ category_id: category }) => expenses.has(category))
  const sums = groups.map(({ sum }) => sum as Fields)
  const rows = ours.rows.filter(({ parent }) => parent !== 'Склад')
  assert.equal(groups.length, rows.length, 'number of categories')
  assert.equal(sumOf(sums, 'amount_kopecks'), sumOf(rows, 'amount'), 'sum of amounts')
}

function compareRegister(data: readonly Fields[], ours: GatewayAnswer): void {
  assert.deepEqual(
    data.map(({ id }) => id),
    ours.rows.map(row => row.operation_id),
    'numbers of operations',
  )
  for (const kind of ['income', 'expense', 'transfer']) {
    const sum = sumOf(
      data.filter(row => row.kind === kind),
      'amount_kopecks',
    )
    assert.equal(sum, BigInt(String(ours.totals[kind])), `sum of ${kind}`)
  }
}
