/** Scripts that load reports into other tools. Without Node's modules: the page uses it, too. */
import type { ColumnType, IsoDate } from '../model/terms.ts'
import { plainLine, quoteJson } from './quote.ts'
import { KIT } from './tools.ts'
import type { KitTool, KitToolName } from './tools.ts'

/** The part of a report's schema that scripts contain. */
export interface KitReport {
  readonly code: string
  readonly title: string
  readonly key: readonly string[]
  readonly columns: ReadonlyArray<{ readonly key: string; readonly type: ColumnType }>
}

/** What a script is written for. */
export interface KitSource {
  /** Of the API, as `https://reports.example.com/api/public/v1`. */
  readonly baseUrl: string
  /** One report, or all of the catalog. */
  readonly reports: readonly KitReport[]
  /** First day. */
  readonly from: IsoDate
  /** Last day, inclusive; by default the end of the current year when the script is executed. */
  readonly to?: IsoDate | undefined
}

type Values = Readonly<Record<string, unknown>>

/** @param template text of the tool's template @returns a script for one report, or for several unless `needsCode` */
export function kit(tool: KitToolName, template: string, source: KitSource): string {
  const { quote }: KitTool = KIT[tool]
  const ofEachReport = template.replaceAll(
    /^ *# each report\n([^]*?) *# end\n/gm,
    (_, lines: string) =>
      source.reports.map(report => fill(lines, quote, valuesOfReport(report))).join(''),
  )
  return fill(ofEachReport, quote, valuesOf(source))
}

/** Replaces `__NAME__` in comments by a plain line, and in quotes by a literal. */
function fill(template: string, quote: KitTool['quote'], values: Values): string {
  return template.replaceAll(/(["']?)__([A-Z]+)__\1/g, (_, quoted: string, name: string) => {
    const value = values[name]
    if (typeof value !== 'string') return quoteJson(value)
    return quoted === '' ? plainLine(value) : quote(value)
  })
}

function valuesOf({ baseUrl, reports, from, to = '' }: KitSource): Values {
  const [first] = reports
  const isOne = reports.length === 1
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  const dates = [from, to].filter(Boolean).map(date => `'${date.replaceAll('-', '')}'`)
  return {
    TITLE: isOne ? `Отчёт «${first?.title}» (${first?.code})` : 'Отчёты',
    URL: baseUrl,
    CODE: isOne ? first?.code : '',
    CODES: reports.map(({ code }) => code),
    FIRST: first?.code ?? '',
    FROM: from,
    TO: to,
    // 1C
    HOST: hostname,
    PORT: port || (isSecure ? '443' : '80'),
    PATH: pathname,
    SECURE: isSecure ? 'Истина' : 'Ложь',
    PERIOD: dates.join(', '),
  }
}

function valuesOfReport({ code, key, columns }: KitReport): Values {
  const properties = columns.map(column => [column.key, JSON_SCHEMA[column.type]])
  return {
    CODE: code,
    KEY: key,
    COLUMNS: Object.fromEntries(columns.map(column => [column.key, column.type])),
    SCHEMA: { type: 'object', properties: Object.fromEntries(properties) },
  }
}

const JSON_SCHEMA: Readonly<Record<ColumnType, object>> = {
  text: { type: ['string', 'null'] },
  month: { type: ['string', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  datetime: { type: ['string', 'null'], format: 'date-time' },
  integer: { type: ['integer', 'null'] },
  money: { type: ['integer', 'null'] },
  number: { type: ['number', 'null'] },
  percent: { type: ['number', 'null'] },
}
