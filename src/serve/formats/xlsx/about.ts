/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { addDays, asOf, localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import type { ParameterType } from '../../../definitions/parameter-value.ts'
import { dateWords, fieldWords, numberWords, periodDates } from '../../../definitions/words.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import type { Currency } from '../../../model/currency.ts'
import { DATE_BASES, type Column, type Period } from '../../../model/terms.ts'
import type { BodySubject, Ending } from '../format.ts'
import type { Notes } from './cell.ts'
import { sheetHead, sheetTail, textHeight, textRow } from './sheet.ts'
import type { Styles } from './styles.ts'
import type { Texts } from './texts.ts'

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
  const { organization, period, day, selection, dataAsOf } = wordsOf(subject)
  const noted = Array.from(notes, ([name, titles]) => [name, `столбцы: ${[...titles].join(', ')}`])
  const facts = Object.entries({
    Отчёт: definition.title,
    Описание: definition.description,
    Организация: organization,
    Период: period,
    Состояние: day,
    Отбор: selection,
    'Данные на': dataAsOf,
    'Часовой пояс': subject.organization.timeZone,
    Строк: numberWords(String(ending.rowCount), 'integer'),
    Вывод: ending.summary,
    ...(Object.fromEntries(noted) as Record<string, string>),
  }).filter((fact): fact is [string, string] => fact[1] !== undefined)
  const rows = facts.map(([name, value], at) =>
    textRow(at + 1, textHeight(value, WIDTHS[1]), [name, value], [text, text], texts),
  )
  return sheetHead(WIDTHS, 1) + rows.join('') + sheetTail(WIDTHS)
}

/** The report's title and what follows it; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { organization, period, day, selection, dataAsOf } = wordsOf(subject)
  const dataLine = dataAsOf && `Данные на ${dataAsOf}`
  const periodLine = period && `Период: ${period}`
  const selectionLine = selection && `Отбор: ${selection}`
  const lines = [subject.definition.title, organization, periodLine, day, selectionLine, dataLine]
  return lines.filter(line => line !== undefined)
}

/** Longer names of organizations are cut. */
const MAX_NAME_LENGTH = 500

function wordsOf(subject: BodySubject) {
  const { definition, organization, period, comparison, dataAsOf, today } = subject
  const { dateBasis } = definition
  const basis = dateBasis ? `, ${DATE_BASES[dateBasis]}` : ''
  const isDay = isOfDay(definition)
  const words = isDay ? (of: Period) => `на ${dateWords(addDays(of.end, -1))}` : periodDates
  const compared = comparison ? `; сравнение: ${words(comparison)}` : ''
  return {
    organization: organization.name?.slice(0, MAX_NAME_LENGTH),
    period: isDay ? undefined : periodDates(period) + basis + compared,
    day: isDay ? `На ${dateWords(asOf(period, today))}${compared}` : undefined,
    selection: selectionWords(subject),
    dataAsOf: dataAsOf && timeWords(Date.parse(dataAsOf), organization.timeZone),
  }
}

/** `Склад: Центральный; От суммы: 1 000,00 ₽`; undefined if all values are null. */
function selectionWords({ definition, parameters }: BodySubject): string | undefined {
  const selected = definition.parameters.flatMap(({ name, title, type, choices }) => {
    const value = parameters.get(name) ?? null
    if (value === null) return []
    const label = choices?.find(choice => choice.value === value)?.label
    return `${title}: ${label ?? valueWords(type, value, definition.currency)}`
  })
  return selected.length === 0 ? undefined : selected.join('; ')
}

function valueWords(type: ParameterType, value: string, currency: Currency): string {
  if (type === 'boolean') return value === 'true' ? 'да' : 'нет'
  // why: a whole number is mostly an id
  return type === 'uuid' || type === 'integer' ? value : fieldWords(value, type, currency)
}

/** Whether its figures are those of one day, the end of the period or today. */
function isOfDay({ dateBasis, columns, source }: ReportDefinition): boolean {
  const periodsOf = ({ key }: Column) => source.matter.columns[key]!.aggregation?.periods ?? ''
  return dateBasis === 'state' && !columns.some(one => /first|sum/.test(periodsOf(one)))
}

/** `23 ноября 2026 года, 15:44 (Europe/Moscow)` */
function timeWords(ms: number, timeZone: string): string {
  const local = new Date(ms + utcOffsetOf(ms, timeZone) * 60_000).toISOString()
  return `${dateWords(localDate(ms, timeZone))}, ${local.slice(11, 16)} (${timeZone})`
}
