/** Parameters and request headers, as OpenAPI components. */
import { COMPARISONS } from '../../definitions/comparison-period.ts'

const date = { type: 'string', examples: ['2026-01-31', '20260131', '2026-01-31T00:00:00+03:00'] }
const text = { type: 'string' }

const PARAMETERS = {
  from: parameter(
    'First day, in the time zone of the organization; by default 1 January of the current year.',
    date,
  ),
  to: parameter('Last day, inclusive; by default 31 December of the current year.', date),
  codes: parameter('At most 50 codes of metrics, such as income,expenses; by default all.', text),
  preset: parameter('Of CSV, for a Russian Excel: roubles, Russian titles.', { enum: ['excel'] }),
  end: parameter('Of NDJSON: true adds a last line with the totals.', { enum: ['true', 'false'] }),
  compare: parameter(
    'Adds the comparison with an earlier period: previous is the one before, year the same dates a year before. An unfinished period is compared by its days until today, and the rows, totals and summary are of these days, too: see period. A row has changes only if both periods have the same days of its month. Formats other than JSON have the columns of the comparison at the end.',
    { enum: COMPARISONS },
  ),
  'If-None-Match': parameter('An ETag: 304 if it is current.', text, 'header'),
  'Accept-Language': parameter('The language of errors: ru or en.', text, 'header'),
}

function parameter(description: string, schema: object, place = 'query') {
  return { in: place, description, schema }
}

export type ParameterName = keyof typeof PARAMETERS

export const PARAMETER_COMPONENTS = Object.fromEntries(
  Object.entries(PARAMETERS).map(([name, parameter]) => [name, { name, ...parameter }]),
)

export function parameterRefs(names: readonly ParameterName[]): object[] {
  const all: readonly ParameterName[] = [...names, 'If-None-Match', 'Accept-Language']
  return all.map(name => ({ $ref: `#/components/parameters/${name}` }))
}
