/** NDJSON: one line per row, with the same objects as in JSON's `rows`. */
import { inclusiveDates } from '../../../definitions/calendar.ts'
import type { BodyWriter, Format, BodySubject } from '../format.ts'
import { writeText } from '../output.ts'
import { pieceOf } from '../four-bytes.ts'
import { totalsJson, OPENING_BRACE, writeObjectOf } from './json-field.ts'
import { jsonText } from './json-text.ts'

const SHARED = {
  extension: 'ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  isText: true,
} as const

/** Only rows: the body of a report without rows is empty. */
export const NDJSON_FORMAT: Format = {
  ...SHARED,
  name: 'ndjson',
  createWriter: subject => createNdjsonWriter(subject, false),
}

/**
 * With a last line `{"_end":true,"rows":2,"totals":{...},"summary":"..."}`, which proves that the body is complete;
 * with a comparison it ends in `"period":{...},"compare":{"period":{...}}`. No column is called `_end`.
 */
export const NDJSON_END_FORMAT: Format = {
  ...SHARED,
  name: 'ndjson-end',
  createWriter: subject => createNdjsonWriter(subject, true),
}

const LINE_END = pieceOf('}\n')

function createNdjsonWriter(subject: BodySubject, hasEnd: boolean): BodyWriter {
  const writeObject = writeObjectOf(subject.definition, subject.organization.timeZone)
  return {
    head() {},
    row: (output, row, indexes) => writeObject(output, row, indexes, OPENING_BRACE, LINE_END),
    tail(output, { totals, rowCount, summary }) {
      if (!hasEnd) return
      const { comparison, definition, organization, period } = subject
      const json = totalsJson(definition, organization.timeZone, totals)
      const periods = comparison && {
        period: inclusiveDates(period),
        compare: { period: inclusiveDates(comparison) },
      }
      const compared = periods === undefined ? '' : `,${JSON.stringify(periods).slice(1, -1)}`
      writeText(
        output,
        `{"_end":true,"rows":${rowCount},"totals":${json},"summary":${jsonText(summary)}${compared}}\n`,
      )
    },
  }
}
