/** Runs definitions for one organization and reads its raw rows, on a client whose session is in UTC. */
import type { Client } from 'pg'
import type {
  Bindings,
  MetricsDefinition,
  ReportDefinition,
} from '../../src/definitions/definition.ts'
import type { RawField } from '../../src/terms.ts'
import type { OrganizationRows, Question } from './oracles/oracle.ts'

export type FieldRow = Readonly<Record<string, RawField>>

export interface ReportAnswer {
  readonly rows: readonly FieldRow[]
  readonly totals: FieldRow
}

/** Every field as PostgreSQL prints it. */
async function fields(client: Client, text: string, values: readonly string[]) {
  const { rows } = await client.query<FieldRow>({
    text,
    values: [...values],
    types: { getTypeParser: () => (value: string) => value },
  })
  return rows
}

function bindings(organizationId: string, question: Question): Bindings {
  return { organizationId, ...question }
}

export async function runReport(
  client: Client,
  { statement }: ReportDefinition,
  organizationId: string,
  question: Question,
): Promise<ReportAnswer> {
  const values = statement.values(bindings(organizationId, question))
  const found = await fields(client, statement.text('uuid'), values)
  const [totals, ...others] = found.filter(row => row['is_total'] === 't')
  if (totals === undefined || others.length > 0) {
    throw new Error(`${others.length + 1} totals rows, expected one`)
  }
  if (found[0] !== totals) throw new Error('the totals row is not the first')
  const rows = found.slice(1)
  const count = totals['row_count']
  if (count !== undefined && count !== null && count !== String(rows.length)) {
    throw new Error(`row_count is ${count}, and there are ${rows.length} rows`)
  }
  return { rows, totals }
}

export async function runMetrics(
  client: Client,
  { statement }: MetricsDefinition,
  organizationId: string,
  question: Question,
): Promise<FieldRow> {
  const values = statement.values(bindings(organizationId, question))
  const found = await fields(client, statement.text('uuid'), values)
  const [row, ...others] = found
  if (row === undefined || others.length > 0) {
    throw new Error(`${found.length} rows of metrics, expected one`)
  }
  return row
}

export async function rawRows(client: Client, organizationId: string): Promise<OrganizationRows> {
  const read = (table: keyof OrganizationRows) =>
    fields(client, `select * from ${table} where organization_id = $1`, [organizationId])
  return {
    accounts: await read('accounts'),
    categories: await read('categories'),
    counterparties: await read('counterparties'),
    deal_sources: await read('deal_sources'),
    deal_stage_visits: await read('deal_stage_visits'),
    deal_stages: await read('deal_stages'),
    deals: await read('deals'),
    employees: await read('employees'),
    operations: await read('operations'),
    products: await read('products'),
    projects: await read('projects'),
    request_channels: await read('request_channels'),
    requests: await read('requests'),
    sale_lines: await read('sale_lines'),
    sales: await read('sales'),
    stock_movements: await read('stock_movements'),
    tasks: await read('tasks'),
    warehouses: await read('warehouses'),
  }
}
