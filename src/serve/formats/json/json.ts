/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { inclusiveDates } from '../../../definitions/calendar.ts'
import type { BodyWriter, Format, BodySubject } from '../format.ts'
import { writeBytes, writeText } from '../output.ts'
import { pieceOf } from '../four-bytes.ts'
import { perDefinition } from '../per-definition.ts'
import { totalsJson, CLOSING_BRACE, OPENING_BRACE, writeObjectOf } from './json-field.ts'
import { jsonText } from './json-text.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  createWriter: createJsonWriter,
}

const NEXT_OBJECT = pieceOf(',\n{')

/** What follows the period: `"columns":[{"key":...,"title":...,"type":...},...],"rows":[` */
const columnsOf = perDefinition(({ columns }) => {
  const json = jsonText(columns.map(({ key, title, type }) => ({ key, title, type })))
  return Buffer.from(`,"columns":${json},"rows":[`)
})

function createJsonWriter({ definition, period, organization }: BodySubject): BodyWriter {
  const writeObject = writeObjectOf(definition, organization.timeZone)
  let opening = OPENING_BRACE

  return {
    head(output) {
      const head = JSON.stringify({ code: definition.code, period: inclusiveDates(period) })
      writeText(output, head.slice(0, -1))
      writeBytes(output, columnsOf(definition, ''))
    },
    row(output, row, indexes) {
      writeObject(output, row, indexes, opening, CLOSING_BRACE)
      opening = NEXT_OBJECT
    },
    tail(output, { totals, summary }) {
      const json = totalsJson(definition, organization.timeZone, totals)
      writeText(output, `],"totals":${json},"summary":${jsonText(summary)}}\n`)
    },
  }
}
