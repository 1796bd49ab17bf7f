/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../definitions/calendar.ts'
import type { Totals } from '../definitions/definition.ts'
import type { RawField } from '../terms.ts'
import { TOTALS_LABEL } from './format.ts'
import type { BodyWriter, Format, Subject } from './format.ts'
import { createJsonField } from './json-field.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  createWriter: createJsonWriter,
}

function createJsonWriter({ definition, organization, period }: Subject): BodyWriter {
  const columns = definition.columns.map(({ key, type }, place) => ({
    key,
    prefix: `${place === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    toJson: createJsonField(key, type, organization.timeZone),
  }))
  let separator = ''

  function object(fields: readonly RawField[]): string {
    let json = ''
    for (let place = 0; place < columns.length; place += 1) {
      const { prefix, toJson } = columns[place]!
      json += prefix + toJson(fields[place] ?? null)
    }
    return `${json}}`
  }

  return {
    head() {
      const head = {
        code: definition.code,
        period: { from: period.start, to: addDays(period.end, -1) },
        columns: definition.columns.map(({ key, title, type }) => ({ key, title, type })),
      }
      return `${JSON.stringify(head).slice(0, -1)},"rows":[`
    },
    row(fields) {
      const json = separator + object(fields)
      separator = ',\n'
      return json
    },
    tail(totals: Totals) {
      const fields = columns.map(({ key }) =>
        key === definition.labelColumn ? TOTALS_LABEL : (totals.fields.get(key) ?? null),
      )
      return `],"totals":${object(fields)},"summary":${JSON.stringify(definition.summarize(totals))}}\n`
    },
  }
}
