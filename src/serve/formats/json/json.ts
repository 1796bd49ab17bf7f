/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../../../definitions/calendar.ts'
import type { BodyWriter, Format, Subject } from '../format.ts'
import { jsonLayout, makeRoomFor, totalsJson, writeObject } from './json-row.ts'
import { pieceOf, writePiece, writeText } from '../output.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  createWriter: createJsonWriter,
}

const SEPARATOR = pieceOf(',\n')

/** All that stands before the first row. */
function jsonHead({ definition, organization, period }: Subject): string {
  const { columnsJson } = jsonLayout(definition, organization.timeZone)
  const head = {
    code: definition.code,
    period: { from: period.start, to: addDays(period.end, -1) },
  }
  return `${JSON.stringify(head).slice(0, -1)},"columns":${columnsJson},"rows":[`
}

function createJsonWriter(subject: Subject): BodyWriter {
  const layout = jsonLayout(subject.definition, subject.organization.timeZone)
  let isFirst = true

  return {
    head: output => writeText(output, jsonHead(subject)),
    row(output, row, places) {
      makeRoomFor(layout, output, row)
      let at = output.length
      if (isFirst) isFirst = false
      else at = writePiece(SEPARATOR, output, at)
      output.length = writeObject(layout, output, at, row, places)
    },
    tail(output, { totals, summary }) {
      const sentence = JSON.stringify(summary)
      writeText(output, `],"totals":${totalsJson(layout, totals)},"summary":${sentence}}\n`)
    },
  }
}
