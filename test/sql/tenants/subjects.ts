/** Whatever can be asked for an organization, found by the catalogue: definitions, and slips that are planted. */
import type { Client } from 'pg'
import type { Catalog, Definition } from '../../../src/definitions/definition.ts'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Question } from '../oracles/oracle.ts'
import type { FieldRow } from '../run.ts'
import { runMetrics, runReport } from '../run.ts'

export type Sql = Definition['statement']

export interface Subject {
  readonly name: string
  readonly sql: Sql
  /** The rows of a report, the totals first; a metrics file's only row. */
  readonly ask: (
    client: Client,
    sql: Sql,
    organizationId: string,
    question: Question,
  ) => Promise<FieldRow[]>
  /** Whether an answer says that there is something. */
  readonly hasFacts: (answer: readonly FieldRow[], ofEmpty: readonly FieldRow[]) => boolean
}

export function subjectsOf({ reports, metricsFiles }: Catalog): Subject[] {
  const ofReports = [...reports.values()].map((report): Subject => ({
    name: report.name,
    sql: report.statement,
    async ask(client, statement, ...asked) {
      const { totals, rows } = await runReport(client, { ...report, statement }, ...asked)
      return [totals, ...rows]
    },
    hasFacts: answer => answer.length > 1,
  }))
  const ofMetrics = [...metricsFiles.values()].map((file): Subject => ({
    name: file.name,
    sql: file.statement,
    ask: async (client, statement, ...asked) => [
      await runMetrics(client, { ...file, statement }, ...asked),
    ],
    hasFacts: (answer, ofEmpty) => difference(answer, ofEmpty) !== '',
  }))
  return [...ofReports, ...ofMetrics]
}

/** Statements that read what is another's, in the ways that slips have. */
const SLIPS = {
  'sums over everybody': `
    select sum(amount_kopecks) filter (where organization_id is not null or :organization_id is null)
    from operations`,
  'joins a directory by its id alone': `
    select max(employees.full_name)
    from tasks
    join employees on employees.id = tasks.assignee_id
    where tasks.organization_id = :organization_id`,
  'multiplies its rows by a join': `
    select count(*)
    from operations
    left join categories on categories.id = operations.category_id
    where operations.organization_id = :organization_id`,
  'asks whether there is any, of anybody': `
    select count(*)
    from categories
    where categories.organization_id = :organization_id
      and exists (select from categories as children where children.parent_id = categories.id)`,
  'takes the first fact of all': `
    select min(created_at), count(*) filter (where organization_id = :organization_id) from deals`,
}

export function plantedSubjects(): Subject[] {
  return Object.entries(SLIPS).map(([name, sql]) => ({
    name,
    sql: compileStatement(sql),
    async ask(client, statement, organizationId, question) {
      const values = statement.values({ organizationId, ...question })
      return (await client.query<FieldRow>(statement.text('uuid'), values)).rows
    },
    hasFacts: () => true,
  }))
}

const CONDITION =
  /[\w."]*organization_id"?\s*=\s*(?:\(\$\d+::uuid\)|[\w."]*organization_id"?)|\(\$\d+::uuid\)\s*=\s*[\w."]*organization_id"?/g
const ORGANIZATION = /\(\$\d+::uuid\)/g

/**
 * The statement without one of its conditions on the organization, for each of them.
 * @throws Error where the organization stands elsewhere than in such a condition: then it is not known what to take.
 */
export function withoutOneCondition(sql: Sql): { condition: string; sql: Sql }[] {
  const text = sql.text('uuid')
  const bound = text.match(ORGANIZATION) ?? []
  const found = [...text.matchAll(CONDITION)]
  const inConditions = found.flatMap(([condition]) => condition.match(ORGANIZATION) ?? [])
  if (inConditions.length !== bound.length) {
    throw new Error('write each :organization_id as table.organization_id = :organization_id')
  }
  return found.map(({ 0: condition, index }) => {
    const before = text.slice(0, index)
    // A bound value that no text names is an error of its own.
    const changed = `${before}${bound[0]} is not null${text.slice(index + condition.length)}`
    const line = before.split('\n').length
    return { condition: `${condition} in line ${line}`, sql: { ...sql, text: () => changed } }
  })
}

/** The first field that differs; nothing where the answers are the same. */
export function difference(answer: readonly FieldRow[], expected: readonly FieldRow[]): string {
  if (answer.length !== expected.length) return `${answer.length} rows, not ${expected.length}`
  for (const [at, row] of answer.entries()) {
    for (const [key, value] of Object.entries(row)) {
      const other = expected[at]?.[key]
      if (String(value) !== String(other)) return `${key} of row ${at} is ${value}, not ${other}`
    }
  }
  return ''
}
