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
export function rowLimit(definition: ReportDefinition, format: Format) {
  const maxRows = Math.min(definition.maxRows, format.maxRows ?? Infinity)
  // why: of the formats, only XLSX and CSV for Excel have a limit
  const detail =
    maxRows === definition.maxRows
      ? {
          ru: `В ответе больше ${maxRows} строк. Возьмите период короче.`,
          en: `The response has more than ${maxRows} rows. Request a shorter period.`,
        }
      : {
          ru: `В ответе больше ${maxRows} строк, столько Excel не откроет. Возьмите период короче или другой формат: .csv без preset, .ndjson, .parquet.`,
          en: `The response has more than ${maxRows} rows, which Excel cannot open. Request a shorter period, or another format: .csv without preset, .ndjson, .parquet.`,
        }
  return { maxRows, problem: () => new Problem('result_too_large', detail) }
}
