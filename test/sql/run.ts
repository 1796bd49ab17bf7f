/** Executes definitions for one organization and reads its raw rows, in a session with time zone UTC. */
import { escapeLiteral, type Client } from 'pg'
import type { MetricsDefinition, ReportDefinition } from '../../src/definitions/definition.ts'
import type { RawField } from '../../src/model/terms.ts'
import { TABLES, type OrganizationRows, type Question } from './oracles/oracle.ts'

export type FieldRow = Readonly<Record<string, RawField>>

export interface ReportAnswer {
  readonly rows: readonly FieldRow[]
  readonly totals: FieldRow
}

/** Fields as text. */
const AS_PRINTED = { getTypeParser: () => (value: string) => value }

const names = new Map<string, string>()

/** Prepared once per client, because it is executed hundreds of times. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `statement ${names.size + 1}`
  names.set(text, name)
  return name
}

async function fields(client: Client, text: string, values: readonly RawField[]) {
  const { rows } = await client.query<FieldRow>({
    name: nameOf(text),
    text,
    values: [...values],
    types: AS_PRINTED,
  })
  return rows
}

export async function runReport(
  client: Client,
  { statement }: ReportDefinition,
  organizationId: string,
  question: Question,
): Promise<ReportAnswer> {
  const values = statement.values({ organizationId, ...question })
  const found = await fields(client, statement.text('uuid'), values)
  const [totals, ...others] = found.filter(row => row['is_total'] === 't')
  if (totals === undefined || others.length > 0) {
    throw new Error(`${others.length + 1} totals rows, expected one`)
  }
  const rows = found.filter(row => row !== totals)
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
  const values = statement.values({ organizationId, ...question })
  const found = await fields(client, statement.text('uuid'), values)
  const [row, ...others] = found
  if (row === undefined || others.length > 0) {
    throw new Error(`${found.length} rows of metrics, expected one`)
  }
  return row
}

/** All tables in one message. */
export async function rawRows(client: Client, organizationId: string): Promise<OrganizationRows> {
  const selects = TABLES.map(
    table => `select * from ${table} where organization_id = ${escapeLiteral(organizationId)}`,
  )
  const answers: unknown = await client.query({ text: selects.join(';\n'), types: AS_PRINTED })
  if (!Array.isArray(answers)) throw new Error('one answer to many selects')
  const tables = TABLES.map((table, at) => [table, answers[at].rows])
  return Object.fromEntries(tables) as Record<(typeof TABLES)[number], FieldRow[]>
}
