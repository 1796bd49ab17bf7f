/** Turns an error of an execution into a finding in the definition's file, with its line. Knows the errors of pg. */
import type { Definition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { DEFAULTS } from '../../definitions/schemas.ts'
import { lineOfName, lineOfPosition } from '../../definitions/source-lines.ts'
import { Problem } from '../../model/errors.ts'
import { classifyError, wordsOf } from '../database/classify-error.ts'

type PostgresError = Partial<Record<'position' | 'code' | 'message', string>>

/**
 * @param error a Problem, or what pg or a check of the result threw
 * @param idType the id type of the statement's text
 */
export function faultOf(error: unknown, definition: Definition, idType: string): FileFinding {
  const cause = error instanceof Problem ? (error.cause ?? error) : error
  const found = (line: number | undefined, message: string): FileFinding => ({
    file: definition.file,
    line,
    message,
  })
  const { lineOf, matter, tables, tenancy, firstLine } = definition.source
  if (classifyError(error).code === 'report_timeout') {
    const { timeout = `${definition.timeoutMs / 1000}s` } = matter as { timeout?: string }
    return found(lineOf(['timeout']), `timed out, expected a result within ${timeout}`)
  }
  if (cause instanceof Problem && cause.code === 'result_too_large') {
    const { maxRows = DEFAULTS.maxRows } = matter as { maxRows?: number }
    return found(lineOf(['maxRows']), `found more rows, expected at most maxRows, ${maxRows}`)
  }
  const { position, code = '', message: words = '' } = cause as PostgresError
  const [, denied] = /^permission denied for .* "?([^"]+?)"?$/.exec(words) ?? []
  // why: the gateway's own SQL selects the rows of tables
  const table =
    position === undefined
      ? tables.find(one => one.table === denied)
      : definition.statement.placeOf(idType, Number(position)).table
  // why: SQLSTATE class 42 rejects the statement itself, not its execution
  const isPlan = position !== undefined || code.startsWith('42')
  const specific = table
    ? TABLE_EXPECTATIONS[code]
    : code === '42703'
      ? columnExpectation(definition)
      : undefined
  const expected = isPlan ? CAN_BE_PLANNED : 'a result for every organization'
  const message = refusedWords(cause, specific ?? expected)
  const line =
    position === undefined ? firstLine : lineOfPosition(definition, idType, Number(position))
  if (table !== undefined)
    return found(line, `${table.name} (${tenancy.file}:${table.line}): ${message}`)
  if (position !== undefined) return found(line, message)
  const [, quoted, before] = /column "(\w+)"|^(\w+): /.exec(message) ?? []
  const name = quoted ?? before
  return found(name === undefined ? undefined : lineOfName(definition, name), message)
}

/** What is expected of a column, if it may be one that its table's line leaves out. */
function columnExpectation({ source: { tables, tenancy } }: Definition): string | undefined {
  const listed = tables.flatMap(({ name, columns, line }) =>
    columns === undefined ? [] : `, of ${name} one in its "columns" (${tenancy.file}:${line})`,
  )
  return listed.length === 0 ? undefined : TABLE_EXPECTATIONS[42703] + listed.join('')
}

/** What is expected of a table of `tenancy.yaml`, by SQLSTATE. */
const TABLE_EXPECTATIONS: Readonly<Record<string, string>> = {
  42501:
    'the privilege to select from it, or the columns that the role may read, as "columns: [id]"',
  42703: 'a column that exists',
  42883: "a column that can equal the organization's id, or the key of its parent",
  '42P01': 'a table that exists',
}

/** The expectation for a statement that PostgreSQL rejects. */
export const CAN_BE_PLANNED = 'what the database can plan'

/** `column "x" does not exist, expected what the database can plan. Perhaps you meant ...` */
export function refusedWords(error: unknown, expected: string): string {
  const { message, detail, hint } = error as Partial<Record<'message' | 'detail' | 'hint', unknown>>
  const words = typeof message === 'string' && message !== '' ? message : wordsOf(error)
  // why: better than PostgreSQL's hints, for what the gateway's own SQL changes
  const [, called] = /^function pg_catalog\.(.+?)\(/.exec(words) ?? []
  if (called !== undefined)
    return `${words.replace('pg_catalog.', '')}, expected a function of pg_catalog for these arguments, or if it reads no rows of organizations its line in tenancy.yaml, as "${called}(): shared"`
  if (words.includes('must appear in the GROUP BY clause'))
    return `${words}, expected it there or in an aggregate: a primary key does not stand for the other columns of its table`
  const advice = [detail, hint].filter(text => typeof text === 'string' && text !== '')
  const found = words.includes(', expected ') ? words : `${words}, expected ${expected}`
  return [found, ...advice].join('. ')
}
