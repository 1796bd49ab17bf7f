/** Merges the JSON bodies of a report for two periods by the report's `key`, and encodes the rows in any format. */
import { monthNumber, type ComparisonKind } from '../../definitions/comparison-period.ts'
import {
  columnsOfMember,
  compareReport,
  createJoinRows,
  type Row,
} from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType, Period, RawField } from '../../model/terms.ts'
import type { BodySubject, Ending, Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { copyOutput, createOutput } from '../formats/output.ts'
import { IN_ORDER, rowOfTexts } from '../formats/text-row.ts'
import { ResultColumnsError } from './result-columns.ts'
import { inTurns } from './loop-turns.ts'
import { concatExact } from './gzip.ts'
import { createMemoryBody } from './body.ts'
import type { MemoryBody } from './body.ts'
import { rowLimit } from './too-large.ts'

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
  const { definition, period, comparison, dataAsOf, kind } = subject
  const ours = await readReport(definition, requested, period)
  const theirs = await readReport(definition, compared, comparison)
  // why: a set keeps the order: the requested rows, then those that only the comparison period has
  const keys = new Set([...ours.rows.keys(), ...theirs.rows.keys()])
  const rowCount = keys.size
  const limit = rowLimit(definition, format)
  if (rowCount > limit.maxRows) throw limit.problem()
  const join = createJoinRows(definition)
  const totals = new Map(Object.entries(join(ours.totals, theirs.totals)))
  const ending = { totals, rowCount, summary: ours.summary }
  const wide = compareReport(definition, kind)
  const isJson = format === JSON_FORMAT
  const columns = columnsOfMember(definition, wide)
  const written = isJson
    ? { ...subject, period: comparison, definition: { ...wide, columns } }
    : { ...subject, definition: wide }
  const rowOf = (key: string): Row => join(ours.rows.get(key), theirs.rows.get(key))
  const bytes = await encodeRows(format, written, keys, rowOf, ending)
  return createMemoryBody(isJson ? withMember(requested, bytes) : bytes, rowCount, dataAsOf)
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
  await inTurns(from === to ? [] : text.slice(from, to).split(',\n'), line => {
    const row = withUtc(parseNumbersAsText(line) as Row)
    const identity = JSON.stringify(key.map(name => partOf(name, row[name]!)))
    if (rows.has(identity))
      throw new ResultColumnsError(`${code} has several rows of one key, expected one`)
    rows.set(identity, row)
  })
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

async function encodeRows(
  format: Format,
  subject: BodySubject,
  keys: Iterable<string>,
  rowOf: (key: string) => Row,
  ending: Ending,
): Promise<Buffer> {
  const { columns } = subject.definition
  const writer = format.createWriter(subject)
  const output = createOutput(format.isText)
  const hasStep = (): boolean => writer.step?.() === true
  writer.head(output)
  const writeRow = (key: string): void => {
    const row = rowOf(key)
    writer.row(output, rowOfTexts(columns.map(column => row[column.key] ?? null)), IN_ORDER)
  }
  await inTurns(keys, writeRow, hasStep)
  await inTurns([ending], last => writer.tail(output, last), hasStep)
  return copyOutput(output)
}

/** The JSON body of the requested period with the member `compare`. @param compared the JSON body of its rows */
function withMember(requested: Buffer, compared: Buffer): Buffer {
  const [start, end] = [compared.indexOf('"period":'), compared.lastIndexOf(',"summary":')]
  const before = requested.subarray(0, -'}\n'.length)
  return concatExact([
    before,
    Buffer.from(',"compare":{'),
    compared.subarray(start, end),
    Buffer.from('}}\n'),
  ])
}
