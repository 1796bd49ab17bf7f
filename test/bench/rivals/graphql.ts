// A definition's report as a GraphQL query of the function that was made of it, and the answer read back.
import { strict as assert } from 'node:assert'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import type { Fields, GatewayAnswer } from './answers.ts'
import { periodEnd, type Question } from './questions.ts'
import { argumentsOf, type Argument } from './sql-function.ts'

const TYPES: Readonly<Record<Argument, string>> = {
  organization_id: 'UUID!',
  period_start: 'Date!',
  period_end: 'Date!',
  today: 'Date!',
  time_zone: 'String!',
}

/** One text for all questions, so that it is parsed and planned once; what differs are its variables. */
export function queryOf(definition: ReportDefinition): string {
  const names = argumentsOf(definition)
  const declared = names.map(name => `$${camel(name)}: ${TYPES[name]}`)
  const passed = names.map(name => `${camel(name)}: $${camel(name)}`)
  const fields = ['is_total', 'row_count', ...definition.columns.map(({ key }) => key)].map(camel)
  const call = `${fieldOf(definition)}(${passed.join(', ')})`
  return `query Report(${declared.join(', ')}) { ${call} { ${fields.join(' ')} } }`
}

export function variablesOf(definition: ReportDefinition, question: Question): Fields {
  const values: Readonly<Record<Argument, string>> = {
    organization_id: question.organization.id,
    period_start: question.from,
    period_end: periodEnd(question),
    today: question.today,
    time_zone: question.organization.timeZone,
  }
  return Object.fromEntries(argumentsOf(definition).map(name => [camel(name), values[name]]))
}

/** Every row and every column, but for instants, which are written in another way. */
export function compareRows(
  definition: ReportDefinition,
  answer: unknown,
  ours: GatewayAnswer,
): void {
  const { data } = answer as { data?: Readonly<Record<string, readonly Fields[]>> }
  const theirs = data?.[fieldOf(definition)]
  assert.ok(theirs, JSON.stringify(answer).slice(0, 600))
  const columns = ours.columns.filter(({ type }) => type !== 'datetime')
  const isText = ({ type }: { readonly type: string }) => type === 'text' || type === 'date'
  const number = (value: unknown) => (value === null ? null : Number(value))
  const rows = theirs.filter(({ isTotal }) => isTotal === false)
  assert.equal(rows.length, ours.rows.length, 'number of rows')
  for (const [place, row] of ours.rows.entries()) {
    for (const column of columns) {
      const value = rows[place]?.[camel(column.key)]
      const found = isText(column) ? value : number(value)
      assert.equal(found, row[column.key], `${column.key} of row ${place + 1}`)
    }
  }
  const total = theirs.find(({ isTotal }) => isTotal === true)
  for (const column of columns) {
    const value = ours.totals[column.key]
    if (isText(column) || value === null) continue
    assert.equal(number(total?.[camel(column.key)]), value, `total of ${column.key}`)
  }
}

function fieldOf({ code }: ReportDefinition): string {
  return `${camel(code)}List`
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
