/** Merges the JSON bodies of a report for two periods by the report's `key`, and writes the rows in any format. */
import { createHash } from 'node:crypto'
import { monthNumber } from '../../definitions/comparison-period.ts'
import { compareReport, createJoin, type Row } from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Instant, IsoDate, RawField } from '../../model/terms.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { CHUNK_BYTES, createOutput, recycleChunk, takeChunk } from '../formats/output.ts'
import { concatExact, createMemoryBody, etagOfHash, type MemoryBody } from './body.ts'
import { rowLimit } from './encode.ts'
import type { ReportRequest } from './report-request.ts'
import { ResultColumnsError } from './result-columns.ts'
import { LoopTime } from './turns.ts'
import { IN_ORDER, rowOfTexts } from '../formats/format.ts'

/** Around the member `compare` of the requested period's JSON. */
const [OPENING, CLOSING] = [Buffer.from(',"compare":{'), Buffer.from('}}\n')]

/**
 * @param report for the requested period, with the compared one
 * @param reported JSON body for that period @param compared for the other
 * @throws Problem `result_too_large`; ResultColumnsError if a key is not unique; the reason of the stop
 */
export async function mergeReports(
  report: ReportRequest<ReportDefinition>,
  requested: Buffer,
  compared: Buffer,
  dataAsOf: Instant | undefined,
  stop: Stop,
): Promise<MemoryBody> {
  const { definition, period } = report
  const [comparison, format] = [report.comparison!, report.format!]
  const loopTime = new LoopTime()
  const pause = async (): Promise<void> => {
    if (!loopTime.isUsedUp()) return
    await loopTime.wait()
    throwIfStopped(stop)
  }
  // why: a set keeps the order: the requested rows, then those that only the comparison period has
  const keys = new Set<string>()
  const ours = await readReport(definition, requested, period.start, keys, pause)
  const theirs = await readReport(definition, compared, comparison.start, keys, pause)
  const limit = rowLimit(definition, format)
  if (keys.size > limit.maxRows) throw limit.problem()
  const isJson = format === JSON_FORMAT
  const wide = compareReport(definition, comparison.kind, isJson)
  const join = createJoin(definition, isJson, { period, comparison })
  const subject = { ...report, definition: wide, dataAsOf, period: isJson ? comparison : period }
  await format.load?.()
  const writer = format.createWriter(subject)
  const output = createOutput(format.isText)
  const finishSteps = async (): Promise<void> => {
    do await pause()
    while (writer.step?.() === true)
  }
  writer.head(output)
  for (const key of keys) {
    const row = join(ours.rows.get(key), theirs.rows.get(key))
    writer.row(output, rowOfTexts(row), IN_ORDER)
    await finishSteps()
  }
  const joined = join(ours.totals, theirs.totals, true)
  const totals = new Map(wide.columns.map(({ key }, at) => [key, joined[at]!]))
  writer.tail(output, { totals, rowCount: keys.size, summary: ours.summary })
  await finishSteps()
  const whole = takeChunk(output)
  const table = whole.subarray(whole.indexOf('"period":'), whole.lastIndexOf(',"summary":'))
  const parts = isJson ? [requested.subarray(0, -'}\n'.length), OPENING, table, CLOSING] : [whole]
  await pause()
  const bytes = concatExact(parts)
  recycleChunk(whole)
  const sha256 = createHash('sha256')
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    sha256.update(bytes.subarray(at, at + CHUNK_BYTES))
    await pause()
  }
  return createMemoryBody(bytes, keys.size, dataAsOf, etagOfHash(sha256.digest('base64url')))
}

/**
 * Rows by key, with months by their position in the period.
 * @param keys theirs are added @param pause called after each row: a body may have megabytes
 */
async function readReport(
  { code, key, columns }: ReportDefinition,
  body: Buffer,
  start: IsoDate,
  keys: Set<string>,
  pause: () => Promise<void>,
): Promise<{ rows: ReadonlyMap<string, Row>; totals: Row; summary: string }> {
  const types = new Map(columns.map(column => [column.key, column.type]))
  const partOf = (name: string, value: RawField): RawField | number =>
    value && types.get(name) === 'month' ? monthNumber(value) - monthNumber(start) : value
  const valueOf = (name: string, value: unknown): unknown =>
    types.get(name) === 'datetime' && typeof value === 'string' ? utcOf(value) : value
  const reviver = [...types.values()].includes('datetime') ? valueOf : undefined
  // why: as numbers, values would lose digits; within texts, quotes are escaped
  const parse = (json: string) => JSON.parse(json.replace(/(\w":)(-?[\d.]+)/g, '$1"$2"'), reviver)
  // why: within texts, quotes are escaped, so only the members of the body are written like this
  const end = body.lastIndexOf('],"totals":{')
  const rows = new Map<string, Row>()
  let at = body.indexOf('"rows":[') + '"rows":['.length
  while (at < end) {
    const next = body.indexOf('\n', at) + 1
    const row: Row = parse(body.toString('utf8', at, Math.min(next - ',\n'.length, end)))
    at = next
    const identity = JSON.stringify(key.map(name => partOf(name, row[name]!)))
    if (rows.has(identity))
      throw new ResultColumnsError(`${code} has several rows of one key, expected one`)
    rows.set(identity, row)
    keys.add(identity)
    await pause()
  }
  return { rows, ...parse(`{${body.toString('utf8', end + '],'.length)}`) }
}

/** An instant with an offset of whole minutes as PostgreSQL prints it. why: `Date` would lose microseconds */
function utcOf(instant: string): string {
  const [, minute, rest, offset] = /^([\d-]{10}T.{5})(.*)([+-]\d\d:\d\d)$/.exec(instant) ?? []
  // why: the body has members of its own, such as the summary, which a column may be named like
  if (minute === undefined) return instant
  const utc = new Date(`${minute}${offset}`).toISOString()
  return `${utc.slice(0, 16).replace('T', ' ')}${rest}+00`
}
