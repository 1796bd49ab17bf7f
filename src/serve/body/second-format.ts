/** A kept answer in another format: the same rows of the same run, a moment at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Format } from '../formats/format.ts'
import { CHUNK_BYTES } from '../formats/output.ts'
import { createJsonRows } from '../formats/json/read-json.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Body } from './body.ts'
import { createGathered } from './gathered.ts'
import type { ReportRequest } from './report-request.ts'
import { refusing, rowBound } from './too-large.ts'
import { createTurns } from './turns.ts'

/** Others wait so long for their turn. */
const TURN_MS: Milliseconds = 5

/**
 * @param json the same request's body in JSON
 * @throws Problem `result_too_large` where the format cannot hold so many rows; the signal's reason.
 */
export type InSecondFormat = (
  request: ReportRequest<ReportDefinition>,
  json: Body,
  format: Format,
  signal: AbortSignal,
) => Promise<Body>

/** One answer after another, of each organization in turn: turns of several at once would add up. */
export function createInSecondFormat(now: Clock): InSecondFormat {
  const inTurn = createTurns()
  return (request, ...rest) => inTurn(request.organization.id, () => make(now, request, ...rest))
}

async function make(
  now: Clock,
  request: ReportRequest<ReportDefinition>,
  json: Body,
  format: Format,
  signal: AbortSignal,
): Promise<Body> {
  signal.throwIfAborted()
  const bound = rowBound(request.definition, format)
  if (json.rowCount > bound.maxRows) throw bound.problem()
  const places = request.definition.columns.map((_, order) => order)
  const writer = refusing(format.createWriter(request))
  const gathered = createGathered(format.isText)
  const { output } = gathered
  const rows = createJsonRows(request, json.bytes)
  writer.head(output)
  let turnEnds = now() + TURN_MS
  const take = (row: Parameters<typeof writer.row>[1]): void => {
    writer.row(output, row, places)
    if (output.length >= CHUNK_BYTES) gathered.gather()
  }
  while (!rows.read(take, () => now() >= turnEnds)) {
    await nextTurn()
    signal.throwIfAborted()
    turnEnds = now() + TURN_MS
  }
  const ending = rows.ending()
  writer.tail(output, ending)
  return gathered.whole(ending.rowCount, json.dataAsOf)
}
