/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import { dateWords, numberWords, periodDates } from '../../../definitions/words.ts'
import { DATE_BASES } from '../../../model/terms.ts'
import type { BodySubject, Ending } from '../format.ts'
import { textHeight } from './layout.ts'
import { sheetHead, sheetTail, textRow } from './sheet.ts'
import { STYLES } from './styles.ts'
import type { Texts } from './texts.ts'

const WIDTHS = [28, 100] as const
const BOTH = [STYLES.row.text, STYLES.row.text]

/** The sheet that describes the report. */
export function aboutSheet(subject: BodySubject, ending: Ending, texts: Texts): string {
  const { definition } = subject
  const { organization, period, dataAsOf } = wordsOf(subject)
  const facts = Object.entries({
    Отчёт: definition.title,
    Описание: definition.description,
    Организация: organization,
    Период: period,
    'Данные на': dataAsOf,
    'Часовой пояс': subject.organization.timeZone,
    Строк: numberWords(String(ending.rowCount), 'integer'),
    Вывод: ending.summary,
  }).filter((fact): fact is [string, string] => fact[1] !== undefined)
  const rows = facts.map(([name, value], at) =>
    textRow(at + 1, textHeight(value, WIDTHS[1]), [name, value], BOTH, texts),
  )
  return sheetHead(WIDTHS, 1) + rows.join('') + sheetTail(WIDTHS)
}

/** The report's title and what follows it; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { organization, period, dataAsOf } = wordsOf(subject)
  const ofData = dataAsOf && `Данные на ${dataAsOf}`
  const lines = [subject.definition.title, organization, `Период: ${period}`, ofData]
  return lines.filter(line => line !== undefined)
}

/** Longer names of organizations are cut. */
const MAX_NAME_LENGTH = 500

function wordsOf({ definition, organization, period, comparison, dataAsOf }: BodySubject) {
  const { dateBasis } = definition
  const basis = dateBasis ? `, ${DATE_BASES[dateBasis]}` : ''
  const compared = comparison ? `; сравнение: ${periodDates(comparison)}` : ''
  return {
    organization: organization.name?.slice(0, MAX_NAME_LENGTH),
    period: periodDates(period) + basis + compared,
    dataAsOf: dataAsOf && timeWords(Date.parse(dataAsOf), organization.timeZone),
  }
}

/** `23 ноября 2026 года, 15:44 (Europe/Moscow)` */
function timeWords(ms: number, timeZone: string): string {
  const local = new Date(ms + utcOffsetOf(ms, timeZone) * 60_000).toISOString()
  return `${dateWords(localDate(ms, timeZone))}, ${local.slice(11, 16)} (${timeZone})`
}
