/** JSON of a report: `{code, parameters, period, columns, rows, totals, summary}`, or a line for each row. */
import { inclusiveDates } from '../../../definitions/calendar.ts'
import { currencyFields } from '../../../definitions/units.ts'
import { onceFor, type BodyWriter, type Format, type BodySubject } from '../format.ts'
import { writeBytes, writeText } from '../output.ts'
import { CLOSING_BRACE, OPENING_BRACE, jsonText, parametersJson } from './json-field.ts'
import { writeObjectOf, writeTotals } from './json-field.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  createWriter: createJsonWriter,
}

const NEXT_OBJECT = Buffer.from(',\n{')

/** What follows the period: `"columns":[{"key":...,"title":...,"type":...},...],"rows":[` */
const columnsOf = onceFor(({ columns, currency, product }) => {
  // why: to a client of an organization with its own currency, money without a name would be in that
  const known = currency === product.currency ? currency : undefined
  const described = columns.map(column => {
    const { key, title, type } = column
    return { key, title, type, ...currencyFields(column, currency, known) }
  })
  const json = jsonText(described)
  return Buffer.from(`,"columns":${json},"rows":[`)
})

function createJsonWriter(subject: BodySubject): BodyWriter {
  const { definition, period, parameters, organization } = subject
  const writeObject = writeObjectOf(definition, organization.timeZone)
  let opening = OPENING_BRACE

  return {
    head(output) {
      const ofPeriod = JSON.stringify({ period: inclusiveDates(period) }).slice(1, -1)
      writeText(
        output,
        `{"code":"${definition.code}",${parametersJson(definition.parameters, parameters)}${ofPeriod}`,
      )
      writeBytes(output, columnsOf(definition, ''))
    },
    row(output, row, indexes) {
      writeObject(output, row, indexes, opening, CLOSING_BRACE)
      opening = NEXT_OBJECT
    },
    tail(output, { totals, summary }) {
      writeText(output, '],"totals":')
      writeTotals(output, definition, organization.timeZone, totals)
      writeText(output, `,"summary":${jsonText(summary)}}\n`)
    },
  }
}

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

const LINE_END = Buffer.from('}\n')

function createNdjsonWriter(subject: BodySubject, hasEnd: boolean): BodyWriter {
  const writeObject = writeObjectOf(subject.definition, subject.organization.timeZone)
  return {
    head() {},
    row: (output, row, indexes) => writeObject(output, row, indexes, OPENING_BRACE, LINE_END),
    tail(output, { totals, rowCount, summary }) {
      if (!hasEnd) return
      const { comparison, definition, organization, period } = subject
      const periods = comparison && {
        period: inclusiveDates(period),
        compare: { period: inclusiveDates(comparison) },
      }
      const compared = periods === undefined ? '' : `,${JSON.stringify(periods).slice(1, -1)}`
      writeText(output, `{"_end":true,"rows":${rowCount},"totals":`)
      writeTotals(output, definition, organization.timeZone, totals)
      writeText(output, `,"summary":${jsonText(summary)}${compared}}\n`)
    },
  }
}
