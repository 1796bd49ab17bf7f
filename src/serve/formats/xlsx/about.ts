/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { addDays, asOf, localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import { dateWords, periodDates } from '../../../definitions/date-words.ts'
import { selectionWords } from '../../../definitions/selection-words.ts'
import { numberWords } from '../../../definitions/words.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { cutText } from '../../../model/cut-text.ts'
import type { Column, Period } from '../../../model/terms.ts'
import { hasSeveralCurrencies } from '../../../definitions/units.ts'
import { capitalized } from '../../../definitions/summary.ts'
import type { BodySubject, Ending } from '../format.ts'
import type { Notes } from './cell.ts'
import { sheetHead, sheetTail, textHeight, textRow } from './sheet.ts'
import type { Styles } from './styles.ts'
import type { Texts } from './texts.ts'
import { textsIn } from '../../../texts/texts.ts'

const WIDTHS = [28, 100] as const

/** The sheet that describes the report. */
export function aboutSheet(
  subject: BodySubject,
  ending: Ending,
  texts: Texts,
  notes: Notes,
  { row: { text } }: Styles,
) {
  const { definition } = subject
  const { product } = definition
  const { bodies, formats } = textsIn(product.language)
  const { workbook } = bodies
  const { organization, period, day, selection, dataAsOf } = wordsOf(subject)
  const noted = Array.from(notes, ([note, titles]) => [
    workbook[note],
    `${workbook.columns}: ${[...titles].join(', ')}`,
  ])
  const facts = [
    [workbook.report, definition.title],
    [workbook.description, definition.description],
    [workbook.organization, organization],
    [workbook.period, period],
    [workbook.state, day],
    [workbook.selection, selection],
    [workbook.dataAsOf, dataAsOf],
    [workbook.timeZone, subject.organization.timeZone],
    [workbook.rows, numberWords(String(ending.rowCount), 'integer', product.language)],
    [workbook.summary, ending.summary],
    [product.total, hasSeveralCurrencies(definition) ? formats.severalCurrencies : undefined],
    ...noted,
  ].filter((fact): fact is [string, string] => fact[1] !== undefined)
  const rows = facts.map(([name, value], at) =>
    textRow(at + 1, textHeight(value, WIDTHS[1]), [name, value], [text, text], texts),
  )
  return sheetHead(WIDTHS, 1) + rows.join('') + sheetTail(formats.pageOf, WIDTHS)
}

/** The report's title and what follows it; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { organization, period, day, selection, dataAsOf } = wordsOf(subject)
  const { workbook } = textsIn(subject.definition.product.language).bodies
  const dataLine = dataAsOf && `${workbook.dataAsOf} ${dataAsOf}`
  const periodLine = period && `${workbook.period}: ${period}`
  const selectionLine = selection && `${workbook.selection}: ${selection}`
  const lines = [subject.definition.title, organization, periodLine, day, selectionLine, dataLine]
  return lines.filter(line => line !== undefined)
}

/** Longer names of organizations are cut. */
const MAX_NAME_LENGTH = 500

function wordsOf(subject: BodySubject) {
  const { definition, organization, period, comparison, dataAsOf, today } = subject
  const { dateBasis, product } = definition
  const { language } = product
  const { bodies, formats } = textsIn(language)
  const basis = dateBasis ? `, ${formats.dateBases[dateBasis]}` : ''
  const isDay = isOfDay(definition)
  const onDay = (date: string): string => bodies.onDay(dateWords(date, language))
  const words = (of: Period): string =>
    isDay ? onDay(addDays(of.end, -1)) : periodDates(of, language)
  const compared = comparison ? `; ${bodies.workbook.compared}: ${words(comparison)}` : ''
  return {
    organization: organization.name && cutText(organization.name, MAX_NAME_LENGTH),
    period: isDay ? undefined : periodDates(period, language) + basis + compared,
    day: isDay ? capitalized(onDay(asOf(period, today))) + compared : undefined,
    selection: selectionWords(subject),
    dataAsOf: dataAsOf && timeWords(Date.parse(dataAsOf), organization.timeZone, language),
  }
}

/** Whether its figures are those of one day, the end of the period or today. */
function isOfDay({ dateBasis, columns, source }: ReportDefinition): boolean {
  const periodsOf = ({ key }: Column) => source.matter.columns[key]!.aggregation?.periods ?? ''
  return dateBasis === 'state' && !columns.some(one => /first|sum/.test(periodsOf(one)))
}

/** `23 November 2026, 15:44 (Europe/London)` */
function timeWords(ms: number, timeZone: string, language: string): string {
  const local = new Date(ms + utcOffsetOf(ms, timeZone) * 60_000).toISOString()
  return `${dateWords(localDate(ms, timeZone), language)}, ${local.slice(11, 16)} (${timeZone})`
}
