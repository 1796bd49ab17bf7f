/** Where the API stands, and what its paths are called in metrics and the log. */
import { addDays } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Route } from '../../model/observation.ts'
import type { Period } from '../../model/terms.ts'
import { reportName } from './choose-format.ts'

export const PREFIX = '/api/public/v1'

/** Names the period that was used, and the parameters in one order. */
export function contentLocation(
  path: string,
  parameters: ReadonlyArray<readonly [string, string]>,
): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `${PREFIX}${path}?${query}`
}

/** Both inclusive. */
export function periodParameters({
  start,
  end,
}: Period): readonly [readonly ['from', string], readonly ['to', string]] {
  return [
    ['from', start],
    ['to', addDays(end, -1)],
  ]
}

const ROUTES: Readonly<Record<string, Route>> = {
  [`${PREFIX}/ping`]: 'ping',
  [`${PREFIX}/reports`]: 'reports',
  [`${PREFIX}/metrics`]: 'metrics',
}

/** For observations, whatever becomes of the request: a report is named only if it exists. */
export function nameOf(path: string, { reports }: Catalog): { route: Route; report?: string } {
  const name = path.startsWith(`${PREFIX}/reports/`) ? path.slice(PREFIX.length + 9) : ''
  const code = reportName(name)?.code ?? ''
  if (reports.has(code)) return { route: 'report', report: code }
  if (name !== '') return { route: 'report' }
  return { route: (Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined) ?? 'other' }
}
