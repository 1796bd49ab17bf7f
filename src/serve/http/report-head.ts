/** Headers of a report's formats, made once for each definition; only the dates are added. */
import contentDisposition from 'content-disposition'
import { PREFIX } from '../../model/api-prefix.ts'
import type { IsoDate } from '../../model/terms.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { perDefinition } from '../formats/per-definition.ts'

/** What the responses of a report in a format have in common. */
export const reportHead = perDefinition((definition: ReportDefinition, format: Format) => {
  const { code } = definition
  const name = format === JSON_FORMAT ? code : `${code}.${format.extension}`
  return {
    /** For `Content-Location`. */
    path: `${PREFIX}/reports/${name}`,
    lifecycle: lifecycle(definition),
    disposition: createDisposition(definition, format),
  }
})

/** `Deprecation` and `Sunset`. @see https://www.rfc-editor.org/rfc/rfc9745 and https://www.rfc-editor.org/rfc/rfc8594 */
function lifecycle({ deprecated }: ReportDefinition): string[] {
  if (deprecated === undefined) return []
  const { since, sunset } = deprecated
  const head = ['Deprecation', `@${Date.parse(since) / 1000}`]
  return sunset === undefined ? head : [...head, 'Sunset', new Date(sunset).toUTCString()]
}

/** Forbidden in file names on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g

/** Of no title. why: letters and digits only, since all else is encoded */
const [FROM, TO] = ['ZperiodZfromZ', 'ZperiodZtoZ'] as const

/**
 * The file name of a download: title and period, and for clients without UTF-8 the code:
 * `attachment; filename="profit_loss_2026-01-01_2026-12-31.csv"; filename*=UTF-8''...`. JSON is `inline`.
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
function createDisposition({ code, title }: ReportDefinition, { extension }: Format) {
  const name = `${title.replaceAll(FORBIDDEN, '-')} ${FROM} — ${TO}.${extension}`
  const text = contentDisposition(name, {
    type: extension === JSON_FORMAT.extension ? 'inline' : 'attachment',
    fallback: `${code}_${FROM}_${TO}.${extension}`,
  })
  return (from: IsoDate, to: IsoDate): string => text.replaceAll(FROM, from).replaceAll(TO, to)
}
