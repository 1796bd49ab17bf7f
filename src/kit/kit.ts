/** Scripts that load reports into other tools. Without Node's modules: the page uses it, too. */
import { otherDigits, type Currency } from '../model/currency.ts'
import type { ColumnType, IsoDate } from '../model/terms.ts'
import { plainLine, quoteJson } from './quote.ts'
import { KIT } from './tools.ts'
import type { KitTool, KitToolName } from './tools.ts'

/** The part of a report's schema that scripts contain. */
export interface KitReport {
  readonly code: string
  readonly title: string
  readonly key: readonly string[]
  readonly columns: ReadonlyArray<{
    readonly key: string
    readonly type: ColumnType
    readonly role?: string
    /** Of money: of one currency, or the column with those of the rows. */
    readonly currency?: string | { readonly column: string }
  }>
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
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
  /** Of a report whose figures are those of one day. */
  readonly day?: IsoDate | undefined
  /** `previous` or `year`. */
  readonly compare?: string | undefined
  /** Of the parameters of one report. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** The values in words. */
  readonly selection?: string | undefined
  /** Key of a column, after `-` in descending order. */
  readonly sort?: string | undefined
  /** The text by which a person has filtered the rows, which scripts only name. */
  readonly find?: string | undefined
  /** Of comments and messages. */
  readonly language: string
  /** Of the product. */
  readonly currency: Currency
  /** They by the English ones, which stand for those that are missing. */
  readonly texts: Readonly<Record<string, string>>
}

type Values = Readonly<Record<string, unknown>>

/**
 * Comments and messages of templates are English: `⟦text⟧`.
 * @param template text of the tool's template
 * @returns a script for one report, or for several unless `needsCode`
 */
export function kit(tool: KitToolName, template: string, source: KitSource): string {
  const { quote }: KitTool = KIT[tool]
  const { reports } = source
  // why: a script for all has values for none
  const loaded = reports.filter(one => reports.length === 1 || requiredOf(one).length === 0)
  const say = (english: string): string => source.texts[english] ?? english
  const inLanguage = template.replaceAll(/⟦([^⟧]*)⟧/g, (_, english: string) => say(english))
  const ofEachReport = inLanguage.replaceAll(
    /^ *# each report\n([^]*?) *# end\n/gm,
    (_, lines: string) =>
      loaded.map(report => fill(lines, quote, valuesOfReport(report, source))).join(''),
  )
  return fill(ofEachReport, quote, {
    ...valuesOf(source, loaded, say),
    ...valuesOfTable(source),
  })
}

/** Replaces `__NAME__` in comments by a plain line, and in quotes by a literal. Without its value a line is left out. */
function fill(template: string, quote: KitTool['quote'], values: Values): string {
  const lines = template.split('\n').filter(line => {
    return [...line.matchAll(PLACEHOLDER)].every(([, , name]) => values[name!] !== undefined)
  })
  return lines.join('\n').replaceAll(PLACEHOLDER, (_, quoted: string, name: string) => {
    const value = values[name]
    if (typeof value !== 'string') return quoteJson(value)
    return quoted === '' ? plainLine(value) : quote(value)
  })
}

const PLACEHOLDER = /(["']?)__([A-Z]+)__\1/g

/** Names of the parameters that a request has to have. */
export function requiredOf({ parameters = [] }: KitReport): string[] {
  return parameters.filter(({ required }) => required).map(({ name }) => name)
}

/** What distinguishes tables with rows of some values. PostgreSQL cuts names after 63 bytes. */
function suffixOf({ code }: KitReport, { values = {} }: KitSource): string {
  const words = ['', ...Object.entries(values).flat()].join('_').replaceAll(/[^\p{L}\d]+/gu, '_')
  const bytes = new TextEncoder().encode(words).subarray(0, 63 - code.length)
  return new TextDecoder().decode(bytes).replace(/\uFFFD$/, '')
}

function valuesOf(
  source: KitSource,
  loaded: readonly KitReport[],
  say: (text: string) => string,
): Values {
  const { baseUrl, reports, from, to = '', day, compare, sort, find = '', values = {} } = source
  const [first] = reports
  const isOne = reports.length === 1
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const dates = [from, to].filter(Boolean).map(date => `'${date.replaceAll('-', '')}'`)
  const one = say('Report "{title}"').replace('{title}', () => first?.title ?? '')
  const filter = say('without the filter of the screen')
  const when = day === undefined ? `${from} — ${to || '…'}` : `${say('as of')} ${day}`
  const query = new URLSearchParams(values).toString()
  const { selection = query } = source
  const shown = [when, compare && `compare=${compare}`, selection, find && `${filter}: ${find}`]
  const others = otherDigits(source.currency).map(([code, digits]) => `${code} = ${digits}`)
  const left = reports.filter(report => !loaded.includes(report)).map(({ code }) => code)
  const suffix = first === undefined ? '' : suffixOf(first, source)
  return {
    LANGUAGE: source.language,
    TITLE: isOne ? `${one} (${first?.code})` : say('Reports'),
    SHOWN: shown.filter(Boolean).join('; '),
    URL: baseUrl,
    CODE: isOne ? first?.code : '',
    CODES: loaded.map(({ code }) => code),
    LEFT: left.length === 0 ? undefined : left.join(', '),
    FIRST: loaded[0]?.code ?? '',
    TABLE: `${loaded[0]?.code ?? ''}${suffix}`,
    VALUES: query && `&${query}`,
    SELECTED: values,
    SUFFIX: suffix,
    FROM: from,
    TO: to,
    COMPARE: compare ?? '',
    ORDER: sort,
    // 1C
    HOST: hostname,
    PORT: port || (protocol === 'https:' ? '443' : '80'),
    PATH: pathname,
    SCHEME: protocol.slice(0, -1),
    PERIOD: dates.join(', '),
    DIGITS: source.currency.digits,
    OTHERS: others.join(', '),
  }
}

/** Of the table that the page shows, for pandas and R: columns with types, in whole units of currency and in order. */
function valuesOfTable(source: KitSource): Values {
  const { baseUrl, reports, from, to = '', compare = '', values, sort } = source
  const [first] = reports
  const columns = first?.columns ?? []
  const measures = compare === '' ? [] : columns.filter(({ role }) => role === 'measure')
  const compared = measures.flatMap(({ key, type, currency }) => [
    { key: `${key}_compared`, type, currency },
    { key: `${key}_change`, type, currency },
  ])
  const all = [...columns, ...compared]
  const keysOf = (type: ColumnType) => all.filter(column => column.type === type).map(c => c.key)
  // why: numbers are inferred, but a code such as 007 must not become one
  const texts = all.filter(({ type }) => ['text', 'month', 'datetime'].includes(type))
  const dates = keysOf('date')
  const classes = [
    ...texts.map(({ key }) => `"${key}" = "character"`),
    ...dates.map(key => `"${key}" = "Date"`),
  ]
  const money = all.filter(({ currency }) => typeof currency === 'string').map(({ key }) => key)
  const own = all.flatMap(({ key, currency }) =>
    typeof currency === 'object' ? [[key, currency.column] as const] : [],
  )
  const isDescending = sort?.startsWith('-') === true
  const sorted = all.find(({ key }) => key === (isDescending ? sort?.slice(1) : sort))?.key
  const parameters = Object.entries({ ...values, from, to, compare }).filter(
    ([, value]) => value !== '',
  )
  return {
    QUERIED: `${baseUrl}/reports/${first?.code}.csv?${new URLSearchParams(parameters).toString()}`,
    DTYPES: Object.fromEntries(texts.map(({ key }) => [key, 'str'])),
    DATES: dates,
    CLASSES: classes.join(', '),
    MONEY: money.length === 0 ? undefined : money,
    MONEYS: money.length === 0 ? undefined : money.map(key => `"${key}"`).join(', '),
    OWN: own.length === 0 ? undefined : Object.fromEntries(own),
    OWNS: own.length === 0 ? undefined : own.map(([key, of]) => `"${key}" = "${of}"`).join(', '),
    SORTED: sorted,
    ASCENDING: isDescending ? 'False' : 'True',
    DECREASING: isDescending ? 'TRUE' : 'FALSE',
  }
}

function valuesOfReport(report: KitReport, source: KitSource): Values {
  const { code, key, columns } = report
  const query = new URLSearchParams(source.values).toString()
  const properties = columns.map(column => [column.key, JSON_SCHEMA[column.type]])
  return {
    CODE: code,
    NAME: `${code}${suffixOf(report, source)}`,
    TARGET: `/reports/${code}.json${query && `?${query}`}`,
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
