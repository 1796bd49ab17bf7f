/** Queries and names of the API's paths. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import type { Route } from '../../model/observation.ts'
import { REPORT_FORMATS, type Period } from '../../model/terms.ts'

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
