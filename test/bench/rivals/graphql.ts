// A report as a GraphQL query of its SQL function, and the parsed response.
import { strict as assert } from 'node:assert'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import type { LoadRequest } from '../ask.ts'
import type { Subject } from '../subject.ts'
import { argumentsOf } from './sql-function.ts'

type Fields = Readonly<Record<string, unknown>>

export interface GatewayAnswer {
  readonly columns: readonly { readonly key: string; readonly type: string }[]
  readonly rows: readonly Fields[]
  readonly totals: Fields
}

const TYPES = { uuid: 'UUID!', date: 'Date!', text: 'String!' } as const

/** The query text is the same for all organizations, so that it is parsed and planned once; only variables differ. */
export function queryOf({ definition, bound }: Subject): LoadRequest {
  const names = argumentsOf(definition)
  const declared = names.map(({ name, type }) => `$${camel(name)}: ${TYPES[type]}`)
  const passed = names.map(({ name }) => `${camel(name)}: $${camel(name)}`)
  const fields = ['is_total', ...definition.columns.map(({ key }) => key)].map(camel)
  const call = `${fieldOf(definition)}(${passed.join(', ')})`
  const query = `query Report(${declared.join(', ')}) { ${call} { ${fields.join(' ')} } }`
  const variables = Object.fromEntries(names.map(({ name }, at) => [camel(name), bound.values[at]]))
  return {
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  }
}

/** Compares all rows and columns, except instants, whose format differs. @throws Error if they differ. */
export function compareRows(
  { definition }: Pick<Subject, 'definition'>,
  answer: unknown,
  ours: GatewayAnswer,
): void {
  const { data } = answer as { data?: Readonly<Record<string, readonly Fields[]>> }
  const theirs = data?.[fieldOf(definition)]
  assert.ok(theirs, JSON.stringify(answer).slice(0, 600))
  assert.ok(ours.rows.length > 0, `${definition.code} has no rows`)
  const columns = ours.columns.filter(({ type }) => type !== 'datetime')
  const totalled = columns.filter(({ key }) => typeof ours.totals[key] === 'number')
  // GraphQL has big integers and numerics as strings.
  const read = (row: Fields | undefined, { key, type }: (typeof columns)[number]): unknown => {
    const value = row?.[camel(key)]
    return value === null || type === 'text' || type === 'date' ? value : Number(value)
  }
  const rows = theirs.filter(({ isTotal }) => isTotal === false)
  const total = theirs.find(({ isTotal }) => isTotal === true)
  const found = [
    rows.map(row => columns.map(column => read(row, column))),
    totalled.map(column => read(total, column)),
  ]
  const expected = [
    ours.rows.map(row => columns.map(({ key }) => row[key])),
    totalled.map(({ key }) => ours.totals[key]),
  ]
  assert.deepEqual(found[0], expected[0], `${definition.code}: other rows`)
  assert.deepEqual(found[1], expected[1], `${definition.code}: other totals`)
}

function fieldOf({ code }: ReportDefinition): string {
  return `${camel(code)}List`
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
