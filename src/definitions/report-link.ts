/** A link of a column or a report to the report behind its rows: a URI template of RFC 6570 with simple expansions alone. */
import { inEnglish } from '../model/errors.ts'
import { suggest } from '../model/spelling.ts'
import type { ReportDefinition } from './definition.ts'
import type { FileFinding } from './findings.ts'
import { valueFault } from './parameter-values.ts'
import type { ReportMatter } from './schemas.ts'

/** `/reports/invoices?customer={customer_id}&from={from}&to={to}` */
interface Link {
  readonly code: string
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
}

const LINK = /^\/reports\/([a-z_]\w*)\?([a-z]\w*=[^&=]+(?:&[a-z]\w*=[^&=]+)*)$/
const EXPANSION = /^\{([a-z_]\w*)(\.from|\.to)?\}$/
const LITERAL = /^[\w.~-]+$/
const OF_PERIOD = ['from', 'to']
const EXPECTED =
  'expected a link such as /reports/invoices?customer={customer_id}&from={from}&to={to}'

/** Each with its path in the front matter. */
export function linksOf({ link, columns }: ReportMatter): Array<[path: string[], text: string]> {
  const ofColumns = Object.entries(columns).flatMap(([key, column]) =>
    column.link === undefined
      ? []
      : [[['columns', key, 'link'], column.link] as [string[], string]],
  )
  return link === undefined ? ofColumns : [[['link'], link], ...ofColumns]
}

function parseLink(text: string): Link | undefined {
  const [, code = '', query] = LINK.exec(text) ?? []
  if (query === undefined) return undefined
  const pairs = query.split('&').map(pair => pair.split('=') as [string, string])
  return { code, query: pairs }
}

/** The code of the report that a link leads to. */
export const targetOf = (text: string): string | undefined => parseLink(text)?.code

/** What is wrong with a link, whatever it leads to. */
export function linkFaults(text: string, { columns }: ReportMatter): string[] {
  const link = parseLink(text)
  if (link === undefined) return [`found "${text}", ${EXPECTED}`]
  const names = link.query.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  const faults = twice === undefined ? [] : [`found ${twice} twice, expected each parameter once`]
  for (const [, value] of link.query) {
    const [, name = '', end] = EXPANSION.exec(value) ?? []
    const column = columns[name]
    if (name === '') {
      if (!LITERAL.test(value)) faults.push(`found "${value}", ${EXPECTED}`)
    } else if (end === undefined && OF_PERIOD.includes(name)) continue
    else if (column === undefined || column.hidden === true) {
      const visible = Object.keys(columns).filter(key => columns[key]!.hidden !== true)
      faults.push(`no visible column "${name}", ${suggest(name, [...visible, ...OF_PERIOD])}`)
    } else if (end !== undefined && column.type !== 'month')
      faults.push(`{${name}${end}} is of a ${column.type}, expected a month`)
  }
  return faults
}

/** Links to reports or parameters that are not there. @param reports by code; of a report that does not load, null */
export function brokenLinks(
  { file, source }: ReportDefinition,
  reports: ReadonlyMap<string, ReportDefinition | null>,
): FileFinding[] {
  return linksOf(source.matter).flatMap(([path, text]) => {
    const link = parseLink(text)
    if (link === undefined) return []
    const find = (message: string) => ({
      file,
      line: source.lineOf(path),
      message: `${path.join('.')}: ${message}`,
    })
    const target = reports.get(link.code)
    if (target === null) return []
    if (target === undefined)
      return [find(`no report "${link.code}", ${suggest(link.code, reports.keys())}`)]
    const known = [...OF_PERIOD, ...target.parameters.map(({ name }) => name)]
    return link.query.flatMap(([name, value]) => {
      if (!known.includes(name))
        return [find(`${link.code} has no parameter "${name}", ${suggest(name, known)}`)]
      const parameter = target.parameters.find(one => one.name === name)
      const isLiteral = parameter !== undefined && !value.startsWith('{')
      const expected = isLiteral ? valueFault(parameter, value) : undefined
      return expected === undefined
        ? []
        : [find(`found ${name}=${value}, expected ${inEnglish(expected)}`)]
    })
  })
}
