/** The rows of a report as NDJSON: on each line the object that JSON's `rows` have, and nothing around them. */
import type { BodyWriter, Format, Subject } from '../format.ts'
import { jsonLayout, makeRoomFor, totalsJson, writeObject } from './json-row.ts'
import { writeText } from '../output.ts'

const SHARED = {
  extension: 'ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  isText: true,
} as const

/** Rows alone: a report without rows has an empty body. */
export const NDJSON_FORMAT: Format = {
  ...SHARED,
  name: 'ndjson',
  createWriter: createRowsWriter,
}

/**
 * With a last line `{"_end":true,"rows":2,"totals":{...},"summary":"..."}`: whoever reads it has them all. No
 * column is called `_end`.
 */
export const NDJSON_END_FORMAT: Format = {
  ...SHARED,
  name: 'ndjson-end',
  createWriter: createEndedWriter,
}

const LINE_FEED = 0x0a

function createRowsWriter({ definition, organization }: Subject): BodyWriter {
  const layout = jsonLayout(definition, organization.timeZone)
  return {
    head() {},
    row(output, row, places) {
      makeRoomFor(layout, output, row)
      const end = writeObject(layout, output, output.length, row, places)
      output.bytes[end] = LINE_FEED
      output.length = end + 1
    },
    tail() {},
  }
}

function createEndedWriter(subject: Subject): BodyWriter {
  const layout = jsonLayout(subject.definition, subject.organization.timeZone)
  return {
    ...createRowsWriter(subject),
    tail(output, { totals, rowCount, summary }) {
      const end = `"rows":${rowCount},"totals":${totalsJson(layout, totals)}`
      writeText(output, `{"_end":true,${end},"summary":${JSON.stringify(summary)}}\n`)
    },
  }
}
