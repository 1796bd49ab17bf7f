import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { PLACEHOLDERS } from '../../src/definitions/definition.ts'
import {
  CLOCK_STRINGS,
  CLOCK_WORDS,
  FLOAT_TYPES,
  REFUSED_FUNCTIONS,
  SESSION_WORDS,
} from '../../src/definitions/refused.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import {
  DEFAULTS,
  MAX_TIMEOUT,
  METRICS_SCHEMA,
  REPORT_SCHEMA,
} from '../../src/definitions/schemas.ts'
import { BUILT_INS } from '../../src/definitions/summary-arguments.ts'
import { COLUMN_TYPES, METRIC_FORMATS } from '../../src/model/terms.ts'
import { load } from './sql-folder.ts'

const reference = readFileSync('sql/README.md', 'utf8')

function section(heading: string): string {
  const [, text = ''] = reference.split(`\n${heading}\n`)
  return text.split(/\n#+ /)[0] ?? ''
}

/** What stands in code type in the first column of a section's table. */
function documented(heading: string): string[] {
  const rows = section(heading).match(/^\| `.*$/gm) ?? []
  return rows.flatMap(row =>
    Array.from(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [], ([, name = '']) => name),
  )
}

/** A report's key in its table. */
function row(key: string): string {
  const [, text = ''] = section('### Keys of a report').split(`| \`${key}\` |`)
  return text.split('\n')[0] ?? ''
}

/** `columns.*.title` and the like, of every key that a schema knows. */
function keysOf(schema: object): string[] {
  const { properties = {}, additionalProperties } = Object(schema)
  const nested: Array<[string, unknown]> = Object.entries(properties)
  const keys = nested.map(([key]) => key)
  if (typeof additionalProperties === 'object') nested.push(['*', additionalProperties])
  const inner = nested.flatMap(([key, value]) =>
    keysOf(Object(value)).map(innerKey => `${key}.${innerKey}`),
  )
  return keys.concat(inner)
}

/** The SQL of a section's example. */
function example(heading: string): string {
  const [, sql = ''] = /```sql\n([^]*?)```/.exec(section(heading)) ?? []
  return sql
}

describe('sql/README.md', () => {
  const shipped = loadCatalog('sql')
  const tables: Array<[heading: string, known: readonly string[]]> = [
    ['### Keys of a report', keysOf(REPORT_SCHEMA)],
    ['### Keys of a metrics file', keysOf(METRICS_SCHEMA)],
    ['### Column types', COLUMN_TYPES],
    ['### Metric formats', METRIC_FORMATS],
    ['### Summaries', Object.keys(BUILT_INS)],
    ['### Our reports', [...shipped.reports.keys()]],
    ['### Our metrics', [...shipped.metricsFiles.keys()].map(area => `metrics/${area}`)],
    ['## Placeholders', PLACEHOLDERS.map(name => `:${name}`)],
    [
      '## Refused',
      [
        ...CLOCK_WORDS,
        ...SESSION_WORDS,
        ...CLOCK_STRINGS.map(text => `'${text}'`),
        ...REFUSED_FUNCTIONS.flatMap(({ names }) => names),
        ...FLOAT_TYPES,
      ],
    ],
  ]
  for (const [heading, known] of tables) {
    it(`has in "${heading}" all that there is and nothing else`, () => {
      expect(known.length).to.be.above(0)
      const there = documented(heading)
      expect({
        missing: known.filter(name => !there.includes(name)),
        unknown: there.filter(name => !known.includes(name)),
        twice: there.filter((name, at) => there.indexOf(name) !== at),
      }).to.deep.equal({ missing: [], unknown: [], twice: [] })
    })
  }

  it('tells the defaults', () => {
    expect(row('fresh.open')).to.contain(DEFAULTS.fresh.open)
    expect(row('fresh.closed')).to.contain(DEFAULTS.fresh.closed)
    expect(row('stale')).to.contain(DEFAULTS.stale)
    expect(row('timeout')).to.contain(DEFAULTS.timeout).and.contain(MAX_TIMEOUT)
    expect(row('maxRows')).to.contain(String(DEFAULTS.maxRows))
    expect(row('emptySummary')).to.contain(DEFAULTS.emptySummary)
  })

  it('has an example of every kind of file, all of which load', () => {
    const catalog = load({
      'access/organization_by_key.sql': example('## Key look-up'),
      'replica/heartbeat.sql': example('## Heartbeat'),
      'reports/finance/income_and_expenses.sql': example('## A report'),
      'reports/requests/requests_by_channel.sql': example('### Totals'),
      'metrics/tasks.sql': example('## Metrics'),
    })
    expect(catalog.reports.size).to.equal(2)
    expect(catalog.heartbeat?.file).to.equal('sql/replica/heartbeat.sql')
    expect([...catalog.metrics.keys()]).to.deep.equal(['tasks_open', 'tasks_overdue'])
    expect(example('## Key look-up').trim()).to.equal(
      readFileSync('sql/access/organization_by_key.sql', 'utf8')
        .replace(/^--.*\n/, '')
        .trim(),
    )
  })

  it('has an example whose sentence is the one that it promises', () => {
    const catalog = load({ 'reports/requests/requests_by_channel.sql': example('### Totals') })
    const totals = {
      fields: new Map(Object.entries({ received: '342', channels: '3', median: '1.4' })),
      rowCount: 2,
      period: { start: '2026-05-01', end: '2026-06-01' },
      today: '2026-11-21',
    }
    expect(catalog.reports.get('requests_by_channel')?.summarize(totals)).to.equal(
      'За май 2026 года поступило 342 обращения по 3 каналам, медиана первого ответа — 1,4 часа.',
    )
  })
})
