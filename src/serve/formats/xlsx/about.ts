/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { dateWords, numberWords, periodDates } from '../../../definitions/words.ts'
import { DATE_BASES } from '../../../model/terms.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import type { BodySubject, Ending } from '../format.ts'
import { textHeight } from './layout.ts'
import { sheetHead, sheetTail, textRow } from './sheet.ts'
import { STYLES } from './styles.ts'
import type { Texts } from './texts.ts'
import { shortened } from './xml.ts'

export const ABOUT_NAME = 'Об отчёте'
const WIDTHS = [28, 100] as const
const LINES = [STYLES.row.text, STYLES.row.text]

/** The sheet that describes the report and its columns. */
export function aboutSheet(subject: BodySubject, ending: Ending, texts: Texts): string {
  const { definition } = subject
  const { organization, period, comparison, basis, dataAsOf } = wordsOf(subject)
  const facts = [
    ['Отчёт', definition.title],
    ['Описание', definition.description],
    ['Организация', organization],
    ['Период', period],
    ['Сравнение', comparison],
    ['Даты', basis],
    ['Данные на', dataAsOf],
    ['Часовой пояс', subject.organization.timeZone],
    ['Строк', numberWords(String(ending.rowCount), 'integer')],
    ['Вывод', ending.summary],
  ] as const
  let xml = sheetHead(WIDTHS, 0)
  let number = 0
  function writeRow(name: string, value: string | undefined, styles: readonly number[]): void {
    if (value === undefined) return
    const heights = [textHeight(name, WIDTHS[0]), textHeight(value, WIDTHS[1])]
    xml += textRow((number += 1), Math.max(...heights), [name, value], styles, texts)
  }
  for (const [name, value] of facts) writeRow(name, value, [STYLES.grey, STYLES.row.text])
  writeRow('', '', LINES)
  writeRow('Столбец', 'Что в нём', [STYLES.textTitle, STYLES.textTitle])
  for (const column of definition.columns) {
    writeRow(column.title, meaning(definition, column), LINES)
  }
  return xml + sheetTail(definition.title, WIDTHS)
}

/** The lines below the title; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { organization, period, comparison, basis, dataAsOf } = wordsOf(subject)
  const dates = [`Период: ${period}`, basis].filter(part => part !== undefined).join(', ')
  const lines = [
    organization,
    comparison ? `${dates}; сравнение: ${comparison}` : dates,
    dataAsOf && `Данные на ${dataAsOf}`,
  ]
  return lines.filter(line => line !== undefined)
}

function wordsOf({ definition, organization, period, comparison, dataAsOf }: BodySubject) {
  const { name, timeZone } = organization
  const { dateBasis } = definition
  return {
    organization:
      name && name.length > MAX_NAME_LENGTH ? `${shortened(name, MAX_NAME_LENGTH - 1)}…` : name,
    period: periodDates(period),
    comparison: comparison && periodDates(comparison),
    basis: dateBasis && DATE_BASES[dateBasis],
    dataAsOf: dataAsOf && timeWords(Date.parse(dataAsOf), timeZone),
  }
}

/** `23 ноября 2026 года, 15:44 (Europe/Moscow)` */
function timeWords(ms: number, timeZone: string): string {
  const local = new Date(ms + utcOffsetOf(ms, timeZone) * 60_000).toISOString()
  return `${dateWords(localDate(ms, timeZone))}, ${local.slice(11, 16)} (${timeZone})`
}

/** Longer names of organizations are shortened. */
const MAX_NAME_LENGTH = 500

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'текст',
  date: 'дата',
  month: 'месяц',
  datetime: 'дата и время',
  integer: 'целое число',
  number: 'число',
  percent: 'проценты',
  money: 'рубли',
}

/** Usual names of units; others are Russian themselves. */
const UNITS: Readonly<Record<string, string>> = {
  hour: 'часы',
  day: 'дни',
  month: 'месяцы',
  percent: 'проценты',
  percentage_point: 'процентные пункты',
}

const OVER_ROWS = { sum: 'строки складываются', none: undefined } as const
const OVER_PERIODS = {
  sum: 'периоды складываются',
  first: 'на начало периода',
  last: 'на конец периода',
  none: undefined,
} as const

/** The unit of a column and how its values are added. */
function meaning({ source, columns }: ReportDefinition, { key, type }: Column): string {
  const { unit = '', aggregation: { rows, periods } = {} } = source.matter.columns[key] ?? {}
  const named = columns.find(column => column.key === unit)
  const unitWords = named ? `единица указана в столбце «${named.title}»` : (UNITS[unit] ?? unit)
  const words = [
    unitWords || TYPES[type],
    rows && OVER_ROWS[rows],
    periods && OVER_PERIODS[periods],
  ]
  return words.filter(part => part !== undefined).join('; ')
}
