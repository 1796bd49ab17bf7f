import { RU_BODIES } from '../../src/texts/ru/bodies.ts'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { PLACEHOLDERS } from '../../src/definitions/definition.ts'
import {
  CLOCK_STRINGS,
  CLOCK_WORDS,
  REJECTED_FUNCTIONS,
  rejectionOf,
  SESSION_WORDS,
} from '../../src/definitions/rejected-functions.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import {
  DEFAULTS,
  MAX_TIMEOUT,
  METRICS_SCHEMA,
  REPORT_SCHEMA,
} from '../../src/definitions/schemas.ts'
import { BUILT_INS } from '../../src/definitions/summary.ts'
import { COLUMN_TYPES, METRIC_FORMATS } from '../../src/model/terms.ts'
import { codeOf, proseOf, readDocument, rowsOf, type Section } from '../harness/document.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { load } from './sql-folder.ts'

const PAGES = ['sql/README.md', 'sql/product/README.md'].map(readDocument)

function section(heading: string): Section {
  const [found] = PAGES.flatMap(page => page.sections.filter(each => each.heading === heading))
  if (found === undefined) throw new Error(`no heading "${heading}"`)
  return found
}

/** Code in the first column of a section's table. */
function documented(heading: string): string[] {
  return rowsOf(section(heading)).flatMap(([cell = '']) =>
    cell.startsWith('`') ? codeOf(cell) : [],
  )
}

/** A report's key in its table. */
function row(key: string): string {
  const rows = rowsOf(section('Keys of a report'))
  return rows.find(([cell]) => cell === `\`${key}\``)?.join(' ') ?? ''
}

/** All keys of a schema, such as `columns.*.title`. */
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
  return section(heading).blocks.find(({ language }) => language === 'sql')?.text ?? ''
}

const shipped = await loadCatalog('sql', parseSql)

describe('sql/README.md', () => {
  const tables: Array<[heading: string, known: readonly string[]]> = [
    ['Keys of a report', keysOf(REPORT_SCHEMA)],
    ['Keys of a metrics file', keysOf(METRICS_SCHEMA)],
    ['Column types', COLUMN_TYPES],
    ['Metric formats', METRIC_FORMATS],
    ['Summaries', Object.keys(BUILT_INS)],
    ['Our reports', [...shipped.reports.keys()]],
    ['Our metrics', [...shipped.metricsFiles.keys()].map(area => `metrics/${area}`)],
    ['Placeholders', PLACEHOLDERS.map(name => `:${name}`)],
    [
      'Rejected',
      [
        ...CLOCK_WORDS,
        // why: some words are also functions
        ...SESSION_WORDS.filter(word => rejectionOf(word) === undefined),
        ...CLOCK_STRINGS.map(text => `'${text}'`),
        ...REJECTED_FUNCTIONS.flatMap(({ names }) => names),
        'float4',
        'float8',
        'float',
        'real',
        'double',
      ],
    ],
  ]
  for (const [heading, known] of tables) {
    it(`documents in "${heading}" exactly what exists`, () => {
      expect(known.length).to.be.above(0)
      const there = documented(heading)
      expect({
        missing: known.filter(name => !there.includes(name)),
        unknown: there.filter(name => !known.includes(name)),
        twice: there.filter((name, at) => there.indexOf(name) !== at),
      }).to.deep.equal({ missing: [], unknown: [], twice: [] })
    })
  }

  it('names the functions that are allowed as exceptions', () => {
    const [, text = ''] = proseOf(section('Rejected')).split('Not rejected: ')
    expect(codeOf(text.split('\n\n')[0] ?? '')).to.deep.equal(
      REJECTED_FUNCTIONS.flatMap(({ except = [] }) => except),
    )
  })

  it('is followed by every shipped report: each declares its chart', () => {
    const lacking = [...shipped.reports.values()].filter(({ chart }) => chart === undefined)
    expect(lacking.map(({ code }) => code)).to.deep.equal([])
  })

  it('states the defaults', () => {
    expect(row('fresh.open')).to.contain(DEFAULTS.fresh.open)
    expect(row('fresh.closed')).to.contain(DEFAULTS.fresh.closed)
    expect(row('stale')).to.contain(DEFAULTS.stale)
    expect(row('timeout')).to.contain(DEFAULTS.timeout).and.contain(MAX_TIMEOUT)
    expect(row('maxRows')).to.contain(String(DEFAULTS.maxRows))
    expect(row('emptySummary')).to.contain(RU_BODIES.emptySummary)
  })

  it('has an example of every kind of file, all of which load', async () => {
    const catalog = await load({
      'tenancy.yaml': readFileSync('sql/tenancy.yaml', 'utf8'),
      'access/organization_by_key.sql': example('Key look-up'),
      'replica/heartbeat.sql': example('Heartbeat'),
      'reports/finance/income_and_expenses.sql': example('A report'),
      'reports/requests/requests_by_channel.sql': example('Totals'),
      'metrics/tasks.sql': example('Metrics'),
    })
    expect(catalog.reports.size).to.equal(2)
    expect(catalog.heartbeat?.file).to.equal('sql/replica/heartbeat.sql')
    expect([...catalog.metrics.keys()]).to.deep.equal(['tasks_open', 'tasks_overdue'])
    expect(example('Key look-up').trim()).to.equal(
      readFileSync('sql/access/organization_by_key.sql', 'utf8')
        .replace(/^--.*\n/, '')
        .trim(),
    )
  })

  it('has an example that returns the sentence in the text', async () => {
    const catalog = await load({
      'tenancy.yaml': readFileSync('sql/tenancy.yaml', 'utf8'),
      'product.yaml': 'language: en\ncurrency: { code: EUR }\ntotal: Total\n',
      'reports/requests/requests_by_channel.sql': example('Totals'),
    })
    const totals = {
      fields: new Map(Object.entries({ received: '342', channels: '3', median: '1.4' })),
      rowCount: 2,
      currencyOf: () => undefined,
      period: { start: '2026-05-01', end: '2026-06-01' },
      today: '2026-11-21',
    }
    expect(catalog.reports.get('requests_by_channel')?.summarize(totals)).to.equal(
      'In May 2026, 342 requests came by 3 channels; the median of the first answer was 1.4 hours.',
    )
  })
})
