/** What a downloaded report is called: by its title and period for people, by its code for whatever reads no Russian. */
import contentDisposition from 'content-disposition'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { IsoDate } from '../../model/terms.ts'

/** No file of Windows may have these in its name. */
const FORBIDDEN = /[\\/:*?"<>|]/g

/**
 * `attachment; filename="profit_loss_2026-01-01_2026-12-31.csv"; filename*=UTF-8''...`; JSON is shown
 * where it is opened.
 * @param to inclusive
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
export function disposition(
  { code, title }: ReportDefinition,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  { extension }: Format,
): string {
  const name = `${title.replaceAll(FORBIDDEN, '-')} ${from} — ${to}.${extension}`
  return contentDisposition(name, {
    type: extension === JSON_FORMAT.extension ? 'inline' : 'attachment',
    fallback: `${code}_${from}_${to}.${extension}`,
  })
}
