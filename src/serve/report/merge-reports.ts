/** Merges the JSON bodies of a report for two periods by the report's `key`, and encodes the rows in any format. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { monthNumber, type ComparisonKind } from '../../definitions/comparison-period.ts'
import {
  columnsOfMember,
  compareReport,
  createJoinRows,
  type Row,
} from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Column, ColumnType, Period, RawField } from '../../model/terms.ts'
import type { BodySubject, Format } from '../formats/format.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { NDJSON_FORMAT } from '../formats/json/ndjson.ts'
import { createOutput, takeChunk } from '../formats/output.ts'
import { rowOfTexts } from '../formats/text-row.ts'
import { ResultColumnsError } from '../database/column-types.ts'
import { isTurnOver } from './encode.ts'
import { concatExact } from './gzip.ts'
import { createMemoryBody } from './body.ts'
import type { MemoryBody } from './body.ts'
import { rowLimit, throwSizeProblem } from './too-large.ts'

export interface Comparison extends BodySubject {
  readonly kind: ComparisonKind
  readonly comparison: Period
}

/**
 * @param requested JSON body for `period` @param compared for `comparison`
 * @throws Problem `result_too_large`; ResultColumnsError if a key is not unique
 */
export async function mergeReports(
  subject: Comparison,
  format: Format,
  requested: Buffer,
  compared: Buffer,
): Promise<MemoryBody> {
  const { definition, period, comparison, dataAsOf } = subject
  const ours = await readReport(definition, requested, period)
  const theirs = await readReport(definition, compared, comparison)
  // why: a set keeps the order: the requested rows, then those that only the comparison period has
  const keys = new Set([...ours.rows.keys(), ...theirs.rows.keys()])
  const rowCount = keys.size
  const limit = rowLimit(definition, format)
  if (rowCount > limit.maxRows) throw limit.problem()
  const join = createJoinRows(definition)
  const totals = join(ours.totals, theirs.totals)
  const merged = { rows: joined(), totals, rowCount, summary: ours.summary }
  const wide = { ...subject, definition: compareReport(definition, subject.kind) }
  const bytes =
    format === JSON_FORMAT
      ? await withMember(requested, wide, columnsOfMember(definition, wide.definition), merged)
      : await encodeRows(format, wide, merged).catch(throwSizeProblem)
  return createMemoryBody(bytes, rowCount, dataAsOf)

  function* joined(): Generator<RawField[]> {
    for (const key of keys) yield join(ours.rows.get(key), theirs.rows.get(key))
  }
}

/** Rows by key, with months by their position in the period. Takes turns: a body may have megabytes. */
async function readReport(
  { code, key, columns }: ReportDefinition,
  body: Buffer,
  { start }: Period,
) {
  const keysOf = (type: ColumnType) =>
    columns.filter(column => column.type === type).map(column => column.key)
  const instants = keysOf('datetime')
  const months = new Set(keysOf('month'))
  const withUtc = (row: Row): Row => {
    for (const name of instants) row[name] &&= utcOf(row[name])
    return row
  }
  const partOf = (name: string, value: RawField): RawField | number =>
    value !== null && months.has(name) ? monthNumber(value) - monthNumber(start) : value
  const text = body.toString()
  // why: quotes within texts are escaped, so only the members of the body are written like this
  const [from, to] = [
    text.indexOf('"rows":[') + '"rows":['.length,
    text.lastIndexOf('],"totals":{'),
  ]
  const rows = new Map<string, Row>()
  let turnStartedAt = performance.now()
  for (const line of from === to ? [] : text.slice(from, to).split(',\n')) {
    const row = withUtc(parseNumbersAsText(line) as Row)
    const identity = JSON.stringify(key.map(name => partOf(name, row[name]!)))
    if (rows.has(identity))
      throw new ResultColumnsError(`${code} has several rows of one key, expected one`)
    rows.set(identity, row)
    if (!isTurnOver(turnStartedAt)) continue
    await nextTurn()
    turnStartedAt = performance.now()
  }
  const ending = parseNumbersAsText(`{${text.slice(to + '],'.length)}`)
  const { totals, summary } = ending as { readonly totals: Row; readonly summary: string }
  return { rows, totals: withUtc(totals), summary }
}

/** why: as numbers, values would lose digits; within texts, quotes are escaped */
function parseNumbersAsText(json: string): unknown {
  return JSON.parse(json.replace(/(\w":)(-?[\d.]+)/g, '$1"$2"'))
}

/** An instant with an offset of whole minutes as PostgreSQL prints it. why: `Date` would lose microseconds */
function utcOf(instant: string): string {
  const [, minute, rest, offset] = /^(.{16})(.*)([+-]\d\d:\d\d)$/.exec(instant)!
  const utc = new Date(`${minute}${offset}`).toISOString()
  return `${utc.slice(0, 10)} ${utc.slice(11, 16)}${rest}+00`
}

/** Rows have the values of `compareReport`'s columns. */
interface Merged {
  readonly rows: Iterable<RawField[]>
  readonly totals: RawField[]
  readonly rowCount: number
  readonly summary: string
}

/** @param columns of the body */
async function encodeRows(
  format: Format,
  subject: BodySubject,
  { rows, totals, rowCount, summary }: Merged,
  columns = subject.definition.columns,
): Promise<Buffer> {
  const definition = { ...subject.definition, columns }
  const indexes = columns.map(column => subject.definition.columns.indexOf(column))
  const writer = format.createWriter({ ...subject, definition })
  const output = createOutput(format.isText)
  writer.head(output)
  let turnStartedAt = 0
  for (const row of rows) {
    writer.row(output, rowOfTexts(row), indexes)
    do {
      if (!isTurnOver(turnStartedAt)) continue
      await nextTurn()
      turnStartedAt = performance.now()
    } while (writer.step?.() === true)
  }
  const byKey = new Map(columns.map(({ key }, at) => [key, totals[indexes[at]!]!]))
  writer.tail(output, { totals: byKey, rowCount, summary })
  while (writer.step?.() === true) await nextTurn()
  return concatExact([takeChunk(output)])
}

/** The JSON body of the requested period with the member `compare`, whose objects are lines of NDJSON. */
async function withMember(
  body: Buffer,
  subject: Comparison,
  columns: readonly Column[],
  merged: Merged,
): Promise<Buffer> {
  const linesOf = async (rows: Merged['rows']): Promise<string> => {
    const lines = await encodeRows(NDJSON_FORMAT, subject, { ...merged, rows }, columns)
    return lines.toString().trimEnd()
  }
  const head = jsonText({ period: inclusiveDates(subject.comparison), columns }).slice(0, -1)
  const rows = (await linesOf(merged.rows)).replaceAll('\n', ',\n')
  const totals = await linesOf([merged.totals])
  const member = `,"compare":${head},"rows":[${rows}],"totals":${totals}}}\n`
  return concatExact([body.subarray(0, -'}\n'.length), Buffer.from(member)])
}
