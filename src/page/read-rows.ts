/** Reads a report as NDJSON: its first rows, its totals and its sentence, without holding the rest in memory. */
import { ApiProblem } from './api.ts'
import type { CellValue } from './format.ts'
import type { Dates } from './periods.ts'
import { TEXTS } from './texts.ts'

export type Row = Readonly<Record<string, CellValue>>

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

/** More are not shown. */
export const MAX_ROWS = 10_000
/** More are not even counted. */
const MAX_READ = 200_000

/** @throws ApiProblem if the connection breaks, or the last line is missing */
export async function readRows(response: Response): Promise<ReportRows> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const rows: Row[] = []
  let rowCount = 0
  let rest = ''
  try {
    for (;;) {
      const { done, value = '' } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (line.startsWith('{"_end":true,')) return { rows, end: JSON.parse(line), rowCount }
        if (rowCount < MAX_ROWS) rows.push(JSON.parse(line) as Row)
        rowCount += 1
      }
      if (rowCount > MAX_READ) {
        await reader.cancel()
        return { rows, end: undefined, rowCount: MAX_READ }
      }
    }
  } catch (error) {
    throw error instanceof SyntaxError ? error : broken(String(error))
  }
  throw broken('')
}

function broken(detail: string): ApiProblem {
  return new ApiProblem({ code: 'offline', title: TEXTS.offline, detail }, 0, undefined)
}
