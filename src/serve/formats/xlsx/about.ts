/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { dateWords, numberWords, periodDates } from '../../../definitions/words.ts'
import { DATE_BASES } from '../../../model/terms.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import type { BodySubject, Ending } from '../format.ts'
import { writeText, type Output } from '../output.ts'
import { LINE_HEIGHT, sheetHead, sheetTail, writeTextRow } from './sheet.ts'
import { STYLES } from './styles.ts'
import type { Texts } from './texts.ts'

export const ABOUT_NAME = 'Об отчёте'
const WIDTHS = [28, 100] as const
/** Of a letter, in digits of the default font. */
const LETTER_WIDTH = 1.1

/** Writes the sheet that describes the report and its columns. */
export function writeAboutSheet(
  output: Output,
  subject: BodySubject,
  ending: Ending,
  texts: Texts,
): void {
  const { definition } = subject
  const columnFacts = definition.columns.map(column => [column.title, meaning(definition, column)])
  let number = 0
  function writeRow([name = '', value]: ReadonlyArray<string | undefined>, styles: number[]): void {
    if (value === undefined) return
    const both = [name, value]
    const lines = both.map(({ length }, at) => Math.ceil((length * LETTER_WIDTH) / WIDTHS[at]!))
    const lineCount = Math.max(...lines)
    number += 1
    writeTextRow(output, number, both, styles, texts, lineCount > 1 ? lineCount * LINE_HEIGHT : 0)
  }
  writeText(output, sheetHead(WIDTHS, 0))
  for (const fact of reportFacts(subject, ending)) writeRow(fact, [STYLES.factName, STYLES.lines])
  writeRow(['', ''], [STYLES.lines, STYLES.lines])
  writeRow(['Столбец', 'Что в нём'], [STYLES.textTitle, STYLES.textTitle])
  for (const fact of columnFacts) writeRow(fact, [STYLES.lines, STYLES.lines])
  writeText(output, sheetTail(definition.title, 1))
}

/** The lines below the title; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { organization, period, comparison, basis, dataAsOf } = wordsOf(subject)
  const compared = comparison && `; сравнение: ${comparison}`
  const lines = [
    organization,
    `Период: ${period}${basis === undefined ? '' : `, ${basis}`}${compared ?? ''}`,
    dataAsOf && `Данные на ${dataAsOf}`,
  ]
  return lines.filter(line => line !== undefined)
}

/** Facts about the report; undefined for those that are unknown. */
function reportFacts(
  subject: BodySubject,
  { rowCount, summary }: Ending,
): Array<[name: string, value: string | undefined]> {
  const { organization, period, comparison, basis, dataAsOf } = wordsOf(subject)
  const { title, description } = subject.definition
  return [
    ['Отчёт', title],
    ['Описание', description],
    ['Организация', organization],
    ['Период', period],
    ['Сравнение', comparison],
    ['Даты', basis],
    ['Данные на', dataAsOf],
    ['Часовой пояс', subject.organization.timeZone],
    ['Строк', numberWords(String(rowCount), 'integer')],
    ['Вывод', summary],
  ]
}

function wordsOf({ definition, organization, period, comparison, dataAsOf }: BodySubject) {
  const { name, timeZone } = organization
  const { dateBasis } = definition
  return {
    organization: name && shortened(name),
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

function shortened(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= MAX_NAME_LENGTH) return name
  return `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
}

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
