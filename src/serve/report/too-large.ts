/** Problems `result_too_large` for each limit of a response. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Format } from '../formats/format.ts'

export function tooManyBytes(): Problem {
  return new Problem('result_too_large', {
    ru: 'Ответ слишком велик. Возьмите период короче.',
    en: 'The response is too large. Request a shorter period.',
  })
}

/** The maximum number of rows in a format, and the problem if it is exceeded. */
export function rowLimit({ maxRows }: ReportDefinition, format: Format) {
  const formatMaxRows = format.maxRows ?? Number.POSITIVE_INFINITY
  return formatMaxRows < maxRows
    ? { maxRows: formatMaxRows, problem: () => tooManyRowsForExcel(formatMaxRows) }
    : { maxRows, problem: () => tooManyRows(maxRows) }
}

function tooManyRows(maxRows: number): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк. Возьмите период короче.`,
    en: `The response has more than ${maxRows} rows. Request a shorter period.`,
  })
}

/** Only XLSX and CSV for Excel have a limit. */
function tooManyRowsForExcel(maxRows: number): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк, столько Excel не откроет. Возьмите период короче или другой формат: .csv без preset, .ndjson, .parquet.`,
    en: `The response has more than ${maxRows} rows, which Excel cannot open. Request a shorter period, or another format: .csv without preset, .ndjson, .parquet.`,
  })
}
