/** Texts about a report: the lines above its table, and the sheet that describes it. */
import { localDate, utcOffsetOf } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { dateWords, numberWords, periodDates } from '../../../definitions/words.ts'
import { DATE_BASES } from '../../../model/terms.ts'
import type { Column, ColumnType, Instant } from '../../../model/terms.ts'
import { byteTextOf, type ByteText } from '../byte-text.ts'
import type { BodySubject, Ending } from '../format.ts'
import type { SharedTexts } from './shared-texts.ts'
import { rowXml, sheetHead, sheetTail, textCells } from './sheet.ts'
import { FACT_NAME_STYLE, LINES_STYLE, TITLE_STYLES } from './styles.ts'

/** A fact about the report and its name. */
type ReportFact = readonly [name: string, value: string]

export const ABOUT_NAME = 'Об отчёте'
const WIDTHS = [28, 100] as const
/** Of a letter, in digits of the default font. */
const LETTER_WIDTH = 1.1

/** The sheet that describes the report. */
export function aboutSheet(subject: BodySubject, ending: Ending, shared: SharedTexts): ByteText {
  const { title } = subject.definition
  const titles = [TITLE_STYLES.text, TITLE_STYLES.text]
  const rows = [
    ...reportFacts(subject, ending).map(fact => [fact, [FACT_NAME_STYLE, LINES_STYLE]] as const),
    [
      ['', ''],
      [LINES_STYLE, LINES_STYLE],
    ] as const,
    [['Столбец', 'Что в нём'], titles] as const,
    ...columnFacts(subject.definition).map(fact => [fact, [LINES_STYLE, LINES_STYLE]] as const),
  ]
  const xml = rows.map(([fact, styles], at) => {
    const lines = fact.map(({ length }, at) => Math.ceil((length * LETTER_WIDTH) / WIDTHS[at]!))
    return rowXml(at + 1, textCells(at + 1, fact, styles, shared), Math.max(...lines))
  })
  return `${sheetHead(WIDTHS, 0)}${xml.join('')}${byteTextOf(sheetTail(title, 1))}`
}

/** Longer names of organizations are shortened. */
const MAX_NAME_LENGTH = 500

/** The lines below the title; the number depends on what is known. */
export function documentLines(subject: BodySubject): string[] {
  const { definition, organization, period, comparison, dataAsOf } = subject
  const compared = comparison === undefined ? '' : `; сравнение: ${periodDates(comparison)}`
  const basis = definition.dateBasis === undefined ? '' : `, ${DATE_BASES[definition.dateBasis]}`
  const { name } = organization
  return [
    ...(name === undefined ? [] : [shortened(name)]),
    `Период: ${periodDates(period)}${basis}${compared}`,
    ...(dataAsOf === undefined ? [] : [`Данные на ${timeWords(dataAsOf, organization.timeZone)}`]),
  ]
}

/** Facts about the report. */
function reportFacts(subject: BodySubject, { rowCount, summary }: Ending): ReportFact[] {
  const { definition, organization, period, comparison, dataAsOf } = subject
  const { title, description, dateBasis } = definition
  const { name, timeZone } = organization
  const facts: ReadonlyArray<readonly [name: string, value: string | undefined]> = [
    ['Отчёт', title],
    ['Описание', description],
    ['Организация', name && shortened(name)],
    ['Период', periodDates(period)],
    ['Сравнение', comparison && periodDates(comparison)],
    ['Даты', dateBasis && DATE_BASES[dateBasis]],
    ['Данные на', dataAsOf && timeWords(dataAsOf, timeZone)],
    ['Часовой пояс', timeZone],
    ['Строк', numberWords(String(rowCount), 'integer')],
    ['Вывод', summary],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

/** The title of each column, its unit and how its values are added. */
function columnFacts(definition: ReportDefinition): ReportFact[] {
  return definition.columns.map(column => [column.title, meaning(definition, column)])
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

function meaning({ source, columns }: ReportDefinition, { key, type }: Column): string {
  const { unit, aggregation } = source.matter.columns[key] ?? {}
  const named = columns.find(column => column.key === unit)
  const unitWords =
    unit === undefined
      ? TYPES[type]
      : named === undefined
        ? (UNITS[unit] ?? unit)
        : `единица указана в столбце «${named.title}»`
  const sums = [
    aggregation?.rows && OVER_ROWS[aggregation.rows],
    aggregation?.periods && OVER_PERIODS[aggregation.periods],
  ]
  return [unitWords, ...sums].filter(words => words !== undefined).join('; ')
}

/** `23 ноября 2026 года, 15:44 (Europe/Moscow)` */
function timeWords(instant: Instant, timeZone: string): string {
  const ms = Date.parse(instant)
  const localMs = ms + utcOffsetOf(ms, timeZone) * 60_000
  const time = new Date(localMs).toISOString().slice(11, 16)
  return `${dateWords(localDate(ms, timeZone))}, ${time} (${timeZone})`
}

function shortened(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= MAX_NAME_LENGTH) return name
  return `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
}
