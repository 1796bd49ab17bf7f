/** Parameters that a definition declares beside the period: typed values, which are bound and never pasted. */
import { inEnglish } from '../model/errors.ts'
import { PLACEHOLDERS } from './definition.ts'
import type { ChoiceQuery, Parameter } from './definition.ts'
import type { Finding } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import { isolate } from './isolate.ts'
import { namedObjects, type NamedObject } from './named-objects.ts'
import { valueType, type ParameterType } from './parameter-value.ts'
import { rejection } from './parameter-values.ts'
import { isReserved } from './query-names.ts'
import { checkStatement } from './rules/check-sql.ts'
import type { CommonMatter } from './schemas.ts'
import { hashOf } from './source-file.ts'
import type { ParseSql } from './sql/parsed-sql.ts'
import { cutAtPlaceholders, withoutComments } from './sql/sql-pieces.ts'
import { compileStatement } from './statement.ts'
import type { DeclaredTable, Tenancy } from './tenancy.ts'
import { rowsOf } from './tenant-rows.ts'

type ParameterMatter = NonNullable<CommonMatter['parameters']>[string]

/** What a list of values may be selected by. */
const PLACEHOLDERS_OF_VALUES = ['organization_id', 'time_zone']
const NAME = /^[a-z][a-z0-9_]{0,39}$/
const MAX_PARAMETERS = 20
const MAX_LISTED = 500

export interface ReadParameters {
  /** By name. */
  readonly parameters: readonly Parameter[]
  readonly findings: readonly Finding[]
  /** Named in the queries of values. */
  readonly objects: readonly NamedObject[]
  readonly tables: readonly DeclaredTable[]
}

type Find = (message: string, ...keys: readonly string[]) => void

interface ParameterContext {
  /** Names of placeholders in the statement; undefined if it is not known. */
  readonly used: readonly string[] | undefined
  /** That declares them. */
  readonly definition: Omit<ChoiceQuery, 'version' | 'statement' | 'parameters' | 'type'>
  readonly lineOf: (path: MatterPath) => number
  readonly parse: ParseSql
  readonly tenancy: Tenancy
}

export async function parseParameters(
  declared: Readonly<Record<string, ParameterMatter>>,
  context: ParameterContext,
): Promise<ReadParameters> {
  const { used, lineOf } = context
  const findings: Finding[] = []
  const objects: NamedObject[] = []
  const tables: DeclaredTable[] = []
  const parameters: Parameter[] = []
  const findIn =
    (...path: string[]): Find =>
    (message, ...keys) => {
      const whole = [...path, ...keys]
      findings.push({ line: lineOf(whole), message: `${whole.join('.')}: ${message}` })
    }
  const entries = Object.entries(declared).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (entries.length > MAX_PARAMETERS)
    findIn('parameters')(`found ${entries.length}, expected at most ${MAX_PARAMETERS}`)
  for (const [name, matter] of entries) {
    const find = findIn('parameters', name)
    if (!NAME.test(name))
      find(`bad name "${name}", expected a-z, 0-9 and _, at most 40, a letter first`)
    else if (isReserved(name) || PLACEHOLDERS.some(one => one === name))
      find(`"${name}" has a meaning of its own in requests, expected another name`)
    else if (used?.includes(name) === false) find(`the SQL has no :${name}, expected one`)
    const { title, type, required = false, values } = matter
    const stated = statedValues(matter, find)
    const read = isQuery(values)
      ? await parseQuery(name, type, values.sql, context, find)
      : undefined
    objects.push(...(read?.objects ?? []))
    tables.push(...(read?.tables ?? []))
    parameters.push({ name, title, type, required, ...stated, query: read?.query })
  }
  return { parameters, findings, objects, tables }
}

/** The select of a parameter's values. */
async function parseQuery(
  parameter: string,
  type: ParameterType,
  text: string,
  { definition, lineOf, parse, tenancy }: ParameterContext,
  find: Find,
) {
  const sql = await parse({ text, placeholders: PLACEHOLDERS_OF_VALUES })
  const { faults, namesBroken, tables, insertions } = isolate(sql, tenancy)
  const findings = [...checkStatement(sql, { isOrdered: true }), ...faults]
  const messages = new Set(findings.map(({ message }) => message))
  if (type === 'boolean')
    messages.add('found with the type boolean, expected none: it has two values')
  for (const message of messages) find(message, 'values', 'sql')
  const [statement] = sql.statements
  if (messages.size > 0 || statement === undefined || namesBroken) return undefined
  const line = lineOf(['parameters', parameter, 'values', 'sql'])
  const added = insertions(rowsOf(tenancy.tables))
  const compiled = compileStatement(cutAtPlaceholders(sql, statement, added, line))
  const query: ChoiceQuery = {
    ...definition,
    name: `${definition.name}.${parameter}`,
    version: hashOf(type, withoutComments(sql, added)),
    statement: compiled,
    parameters: [],
    type,
  }
  return { query, objects: namedObjects(sql, () => line), tables }
}

function isQuery(values: ParameterMatter['values']): values is { readonly sql: string } {
  return values !== undefined && Object.keys(values).join() === 'sql'
}

type Scalar = string | number | boolean

/** The values that the front matter states. */
function statedValues(
  matter: ParameterMatter,
  find: Find,
): Pick<Parameter, 'default' | 'minimum' | 'maximum' | 'choices'> {
  const { type, required = false, values } = matter
  const { canonical, compare, expected } = valueType(type)
  const read = (key: 'default' | 'minimum' | 'maximum'): string | null => {
    const stated = matter[key]
    if (stated === undefined) return null
    if (key !== 'default' && compare === undefined) {
      find(`values of the type ${type} have no order, expected no ${key}`, key)
      return null
    }
    const value = canonical(String(stated))
    if (value === undefined)
      find(`found ${JSON.stringify(stated)}, expected ${inEnglish(expected)}`, key)
    else if (isInexact(stated))
      find(`found ${stated}, expected it in quotes: it has more digits than YAML keeps`, key)
    return value ?? null
  }
  const limits = { default: read('default'), minimum: read('minimum'), maximum: read('maximum') }
  const { minimum, maximum } = limits
  if (minimum !== null && maximum !== null && compare!(minimum, maximum) > 0)
    find(`found ${minimum} above the maximum ${maximum}, expected at most that`, 'minimum')
  if (required && limits.default !== null)
    find('required: found with a default, expected one of the two')
  const listed = values === undefined || isQuery(values) ? undefined : Object.entries(values)
  if (listed !== undefined && listed.length > MAX_LISTED)
    find(`found ${listed.length}, expected at most ${MAX_LISTED}`, 'values')
  const choices = listed?.flatMap(([written, label]) => {
    const value = canonical(written)
    if (value !== undefined) return [{ value, label }]
    find(`found "${written}", expected ${inEnglish(expected)}`, 'values', written)
    return []
  })
  const parameter = { ...limits, type, choices }
  const stated = [limits.default, ...(choices ?? []).map(({ value }) => value)]
  for (const value of stated) {
    const accepted = value === null ? undefined : rejection(parameter, value)
    if (accepted !== undefined) find(`found ${value}, expected ${inEnglish(accepted)}`)
  }
  return { ...limits, choices }
}

/** Whether a number of the front matter may have had other digits. */
function isInexact(stated: Scalar): boolean {
  if (typeof stated !== 'number') return false
  return Number.isInteger(stated) ? !Number.isSafeInteger(stated) : String(stated).length > 16
}
