/**
 * Reads what a path and its query name. An unknown parameter is rejected: ignored, it would give other figures with 200.
 * Each name costs one look-up.
 */
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import { PERIOD_PARAMETERS, type PeriodQuery } from '../../definitions/period.ts'
import { printable, Problem } from '../../model/errors.ts'
import { REPORT_FORMATS, type Period } from '../../model/terms.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import type { Route } from '../../model/observation.ts'

/** The canonical query of a response, with an explicit period. */
export function canonicalQuery(
  period: Period,
  more: Readonly<Record<string, string | undefined>>,
): string {
  const { from, to } = inclusiveDates(period)
  let query = `from=${from}&to=${to}`
  for (const [name, value] of Object.entries(more)) if (value) query += `&${name}=${value}`
  return query
}

const ROUTES: ReadonlyMap<string, Route> = new Map([
  [`${PREFIX}/ping`, 'ping'],
  [`${PREFIX}/reports`, 'reports'],
  [`${PREFIX}/metrics`, 'metrics'],
  [`${PREFIX}/metrics/schema`, 'schema'],
  [`${PREFIX}/openapi.json`, 'schema'],
])
const OF_REPORT = `${PREFIX}/reports/`
const SCHEMA = '/schema'

/** For observations. The report is named only if it exists. */
export function nameOf(path: string, { reports }: Catalog): { route: Route; report?: string } {
  if (!path.startsWith(OF_REPORT)) return { route: ROUTES.get(path) ?? 'other' }
  const name = path.slice(OF_REPORT.length)
  const isSchema = name.endsWith(SCHEMA)
  const report = isSchema ? name.slice(0, -SCHEMA.length) : reportName(name).code
  const route = isSchema ? 'schema' : 'report'
  return reports.has(report) ? { route, report } : { route }
}

/** The last segment of a path: `profit_loss.csv` is a code and an extension. */
export function reportName(text: string) {
  const extension = REPORT_FORMATS.find(format => text.endsWith(`.${format}`))
  return { code: extension ? text.slice(0, -extension.length - 1) : text, extension }
}

/** The values of parameters that have few. */
const CHOICES = {
  compare: COMPARISONS,
  format: REPORT_FORMATS,
  preset: ['excel'],
  end: ['true', 'false'],
} as const

type Choices = { readonly [Name in keyof typeof CHOICES]?: (typeof CHOICES)[Name][number] }

/** Percent-decoded. */
export type ParameterValues = PeriodQuery & Choices & { readonly codes?: string }

const MAX_PARAMETERS = 50

/** What browsers and tools add by themselves, and keys, which are read from headers only; in any case. */
const IGNORED: ReadonlySet<string> = new Set(
  [
    '_ t ts v cb nocache rnd timestamp gclid yclid ysclid fbclid msclkid _openstat',
    'key api_key apikey token access_token',
  ].flatMap(names => names.split(' ')),
)

const PAGING =
  /^\W*(?:after|count|cursor|limit|max_?rows|offset|page|per_?page|size|skip|take|top)/i

/**
 * @param known parameters of this path
 * @returns with whether the query has parameters that are ignored
 * @throws Problem that names the unknown or repeated parameter, or one with a wrong value
 */
export function readParameters(
  queryString: string,
  known: ReadonlyArray<keyof ParameterValues>,
): { values: ParameterValues; hasIgnored: boolean } {
  // why: counted before the parser decodes them
  if (queryString.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw new Problem('bad_request', {
      ru: `В запросе больше ${MAX_PARAMETERS} параметров.`,
      en: `The request has more than ${MAX_PARAMETERS} parameters.`,
    })
  const values: Record<string, string> = {}
  let hasIgnored = false
  for (const [name, value] of new URLSearchParams(queryString)) {
    if (!known.some(one => one === name)) {
      if (!isIgnored(name)) throw unknownParameter(name, known)
      hasIgnored = true
    } else {
      if (Object.hasOwn(values, name)) throw repeated(name)
      values[name] = value
    }
  }
  // why: aliases of the fast path contain what was read, so a value must be one of these even if it has no effect
  for (const [name, choices] of Object.entries<readonly string[]>(CHOICES)) {
    const value = values[name]
    if (value !== undefined && !choices.includes(value)) throw wrongChoice(name, value, choices)
  }
  return { values, hasIgnored }
}

function isIgnored(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return IGNORED.has(lowerCase) || lowerCase.startsWith('utm_')
}

function wrongChoice(name: string, value: string, choices: readonly string[]): Problem {
  const [found, expected] = [printable(value), choices.join(', ')]
  return new Problem(name === 'compare' ? 'bad_request' : 'bad_format', {
    ru: `Параметр ${name} ${found ? `равен «${found}»` : 'пуст'}, а ожидалось одно из: ${expected}.`,
    en: `Parameter ${name} ${found ? `is "${found}"` : 'is empty'}; expected one of ${expected}.`,
  })
}

function repeated(name: string): Problem {
  const isOfPeriod = PERIOD_PARAMETERS.some(one => one === name)
  return new Problem(isOfPeriod ? 'bad_range' : 'bad_request', {
    ru: `Параметр ${name} указан больше одного раза, а ожидался один раз.`,
    en: `Parameter ${name} is given more than once; expected once.`,
  })
}

function unknownParameter(name: string, known: readonly string[]): Problem {
  const [found, list] = [printable(name), known.join(', ')]
  const isPaging = PAGING.test(name)
  return new Problem('bad_request', {
    ru: `Параметра ${found} нет; здесь есть ${list}.${isPaging ? ' Все строки приходят сразу, без страниц.' : ''}`,
    en: `There is no parameter ${found}; expected ${list}.${isPaging ? ' All rows come at once, without pages.' : ''}`,
  })
}
