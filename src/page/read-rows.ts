/** Reads a report as NDJSON: its first rows, its totals and its sentence, without holding the rest in memory. */
import { offline } from './api-problem.ts'
import type { Row } from './format.ts'
import type { Dates } from './api.ts'
import { sortRows } from './rows.ts'

export interface ReportRows {
  /** At most `MAX_ROWS`. */
  readonly rows: readonly Row[]
  /** Of all rows; undefined with more than `MAX_READ`. */
  readonly end:
    | {
        readonly totals: Row
        readonly summary: string
        /** Only with a comparison, which ends today. */
        readonly period?: Dates
        readonly compare?: { readonly period: Dates }
      }
    | undefined
  readonly rowCount: number
}

/** More are neither sought nor sorted. */
export const MAX_ROWS = 10_000
/** More are not even counted. */
const MAX_READ = 200_000

/**
 * @param newest the order of the rows of which the first are held, if there are too many; undefined for that of the API
 * @throws ApiProblem if the connection breaks, or the last line is missing
 */
export async function readRows(
  response: Response,
  newest: string | undefined,
): Promise<ReportRows> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rows: Row[] = []
  const cut = (): void => {
    rows = sortRows(rows, newest).slice(0, MAX_ROWS)
  }
  let rowCount = 0
  let rest = ''
  try {
    for (;;) {
      const { done, value = '' } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (line.startsWith('{"_end":true,')) {
          if (rowCount > MAX_ROWS) cut()
          return { rows, end: JSON.parse(line), rowCount }
        }
        if (newest !== undefined || rowCount < MAX_ROWS) rows.push(JSON.parse(line) as Row)
        if (rows.length === 2 * MAX_ROWS) cut()
        rowCount += 1
      }
      if (rowCount > MAX_READ) {
        await reader.cancel()
        cut()
        return { rows, end: undefined, rowCount: MAX_READ }
      }
    }
  } catch (error) {
    throw error instanceof SyntaxError ? error : offline(error)
  }
  throw offline('')
}
