/** The ways in which an answer is too large, in words for who asked. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import { NoRoomError } from '../formats/format.ts'
import type { BodyWriter, Format } from '../formats/format.ts'

/** @param cause for the log */
export function tooManyBytes(cause: unknown): Problem {
  return new Problem(
    'result_too_large',
    {
      ru: 'Ответ слишком велик. Возьмите период короче.',
      en: 'The answer is too large. Take a shorter period.',
    },
    { cause },
  )
}

/** The writer, with a problem for who asked where it has no room. */
export function refusing(writer: BodyWriter): BodyWriter {
  return {
    ...writer,
    row(output, row, places) {
      try {
        writer.row(output, row, places)
      } catch (error) {
        refuse(error)
      }
    },
    tail(output, ending) {
      try {
        writer.tail(output, ending)
      } catch (error) {
        refuse(error)
      }
    },
  }
}

/** @throws Problem for NoRoomError; the error itself */
function refuse(error: unknown): never {
  if (!(error instanceof NoRoomError)) throw error
  throw new Problem('result_too_large', error.detail, { cause: error })
}

/** The bound of rows in a format, and what is said of an answer beyond. */
export interface RowBound {
  readonly maxRows: number
  readonly problem: () => Problem
}

export function rowBound({ maxRows }: ReportDefinition, format: Format): RowBound {
  const most = format.maxRows ?? Number.POSITIVE_INFINITY
  return most < maxRows
    ? { maxRows: most, problem: () => tooManyRowsForExcel(most) }
    : { maxRows, problem: () => tooManyRows(maxRows) }
}

function tooManyRows(maxRows: number): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк. Возьмите период короче.`,
    en: `The answer has more than ${maxRows} rows. Take a shorter period.`,
  })
}

/** Excel alone has a bound of its own. */
function tooManyRowsForExcel(maxRows: number): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк, столько Excel не откроет. Возьмите период короче или другой формат: .csv без preset, .ndjson, .parquet.`,
    en: `The answer has more than ${maxRows} rows, which Excel cannot open. Take a shorter period, or another format: .csv without preset, .ndjson, .parquet.`,
  })
}
