/** A result as values to compare: each cell is its JSON in the API's response. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { rawField } from '../../model/row-bytes.ts'
import { createStop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Execute } from '../../serve/database/execute.ts'
import type { BodyWriter, Format } from '../../serve/formats/format.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'
import { encode } from '../../serve/report/encode.ts'
import { createLoadMetrics } from '../../serve/report/load-metrics.ts'
import { statementOf, type ReportRequest } from '../../serve/report/report-request.ts'
import type { Session } from '../check/session.ts'

export interface ResultTable {
  readonly columns: readonly string[]
  /** Positions of the columns that identify a row; none without a key. */
  readonly key: readonly number[]
  readonly rows: ReadonlyArray<readonly string[]>
  /** Values that belong to no row, by name: totals and the summary, or metrics. */
  readonly others: ReadonlyMap<string, string>
  /** Whether it shows anything of the data. */
  readonly hasData: boolean
}

const observe = () => {}

/**
 * Executes the request.
 * @param maxTimeoutMs if it is shorter than that of the definition
 * @throws as `encode` and `Session.read`
 */
export async function readTable(
  { definition, ...rest }: ReportRequest<AnyDefinition>,
  session: Pick<Session, 'read'>,
  maxTimeoutMs: Milliseconds = Infinity,
): Promise<ResultTable> {
  const stop = createStop()
  const execute: Execute = ({ text, values, timeoutMs }, _stop, read) =>
    session.read({ text, values, timeoutMs: Math.min(timeoutMs, maxTimeoutMs) }, read)
  if (!isReport(definition)) {
    const load = createLoadMetrics({ execute, observe })
    const { values } = await load({ definition, ...rest }, stop)
    const others = new Map([...values].map(([code, value]) => [code, value ?? 'null']))
    const hasData = [...others.values()].some(value => !/^(?:null|0)$/.test(value))
    return { columns: [], key: [], rows: [], others, hasData }
  }
  const rows: string[][] = []
  const others = new Map<string, string>()
  const request = { definition, ...rest, format: cellsInto(rows, others) }
  const options = { maxBytes: 0, createFile: () => undefined, stop, observe }
  await execute(statementOf(request), stop, found => encode(request, found, options))
  const columns = definition.columns.map(({ key }) => key)
  const key = definition.key.map(one => columns.indexOf(one))
  return { columns, key, rows, others, hasData: rows.length > 0 }
}

/** Its body is empty. */
function cellsInto(rows: string[][], others: Map<string, string>): Format {
  function createWriter({
    definition: { columns, labelColumn },
    organization: { timeZone },
  }: Parameters<Format['createWriter']>[0]): BodyWriter {
    const fields = columns.map(({ key, type }) => createJsonField(key, type, timeZone))
    return {
      head() {},
      row(_output, row, indexes) {
        rows.push(fields.map((field, at) => field(rawField(row, indexes[at]!))))
      },
      tail(_output, ending) {
        for (const [at, { key }] of columns.entries())
          if (key !== labelColumn)
            others.set(`total of ${key}`, fields[at]!(ending.totals.get(key) ?? null))
        others.set('summary', JSON.stringify(ending.summary))
      },
    }
  }
  return { name: 'cells', extension: '', contentType: '', isText: true, createWriter }
}
