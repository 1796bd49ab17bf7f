/** Merges the JSON bodies of a report for two periods by the report's `key`, and encodes the rows in any format. */
import { monthNumber } from '../../definitions/comparison-period.ts'
import { compareReport, createJoinRows, type Row } from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType, Instant, Period, RawField } from '../../model/terms.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { rowOfTexts } from '../formats/text-row.ts'
import { createMemoryBody, type MemoryBody } from './body.ts'
import { encode, IN_MEMORY } from './encode.ts'
import { concatExact } from './gzip.ts'
import { Turn } from './loop-turns.ts'
import type { ReportRequest } from './report-request.ts'
import { OID, typeIdFor } from './column-types.ts'
import { ResultColumnsError } from './result-columns.ts'

/**
 * @param request for the requested period, with the compared one
 * @param requested JSON body for that period @param compared for the other
 * @throws Problem `result_too_large`; ResultColumnsError if a key is not unique
 */
export async function mergeReports(
  request: ReportRequest<ReportDefinition>,
  requested: Buffer,
  compared: Buffer,
  dataAsOf: Instant | undefined,
): Promise<MemoryBody> {
  const { definition, period, format } = request
  const comparison = request.comparison!
  const ours = await readReport(definition, requested, period)
  const theirs = await readReport(definition, compared, comparison)
  const join = createJoinRows(definition)
  const isJson = format === JSON_FORMAT
  const wide = compareReport(definition, comparison.kind, isJson)
  const { columns } = wide
  const merged = {
    ...request,
    period: isJson ? comparison : period,
    definition: { ...wide, summaryColumns: new Map(), summarize: () => ours.summary },
  }
  const fields = columns.map(({ key, type }) => ({ name: key, typeId: typeIdFor(type) }))
  fields.push({ name: 'is_total', typeId: OID.BOOL })
  const encoding = encode(merged, { fields, dataAsOf }, IN_MEMORY)
  const add = (row: Row, isTotal: string): Promise<void> =>
    encoding.add(rowOfTexts([...columns.map(({ key }) => row[key] ?? null), isTotal]))
  // why: a set keeps the order: the requested rows, then those that only the comparison period has
  for (const key of new Set([...ours.rows.keys(), ...theirs.rows.keys()])) {
    await add(join(ours.rows.get(key), theirs.rows.get(key)), 'f')
  }
  await add(join(ours.totals, theirs.totals), 't')
  await encoding.end()
  const body = encoding.body as MemoryBody
  if (!isJson) return body
  return createMemoryBody(withMember(requested, body.bytes), body.rowCount, dataAsOf)
}

/** Rows by key, with months by their position in the period. Takes turns: a body may have megabytes. */
async function readReport(
  { code, key, columns }: ReportDefinition,
  body: Buffer,
  { start }: Period,
) {
  const namesOf = (type: ColumnType): string[] =>
    columns.filter(column => column.type === type).map(column => column.key)
  const [instants, months] = [namesOf('datetime'), namesOf('month')]
  const withUtc = (row: Row): Row => {
    for (const name of instants) row[name] &&= utcOf(row[name])
    return row
  }
  const partOf = (name: string, value: RawField): RawField | number =>
    value !== null && months.includes(name) ? monthNumber(value) - monthNumber(start) : value
  const text = body.toString()
  // why: quotes within texts are escaped, so only the members of the body are written like this
  const from = text.indexOf('"rows":[') + '"rows":['.length
  const to = text.lastIndexOf('],"totals":{')
  const rows = new Map<string, Row>()
  const turn = new Turn()
  for (const line of from === to ? [] : text.slice(from, to).split(',\n')) {
    const row = withUtc(parseNumbersAsText(line) as Row)
    const identity = JSON.stringify(key.map(name => partOf(name, row[name]!)))
    if (rows.has(identity))
      throw new ResultColumnsError(`${code} has several rows of one key, expected one`)
    rows.set(identity, row)
    if (turn.isOver()) await turn.next()
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

/** The JSON body of the requested period with the member `compare`. @param compared the JSON body of its rows */
function withMember(requested: Buffer, compared: Buffer): Buffer {
  const [start, end] = [compared.indexOf('"period":'), compared.lastIndexOf(',"summary":')]
  return concatExact([
    requested.subarray(0, -'}\n'.length),
    Buffer.from(',"compare":{'),
    compared.subarray(start, end),
    Buffer.from('}}\n'),
  ])
}
