/** `svodka list`: all definitions that load on a line each, and what is wrong with the others. Needs no database. */
import { allDefinitions, isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Budget } from '../../definitions/budget.ts'
import { BUDGET_DEFAULTS } from '../../definitions/budget.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { DEFAULTS } from '../../definitions/schemas.ts'
import type { IsoDate, Seconds } from '../../model/terms.ts'
import { alignedLine, columnWidths, fitted } from '../terminal/columns.ts'
import { shortened } from '../terminal/text-width.ts'
import { EXIT } from '../../serve/command-line/exit.ts'
import { loadWhatLoads } from './load-what-loads.ts'
import { print, say, terminalWidth } from '../../serve/command-line/output.ts'
import { shownFile } from '../../serve/command-line/shown-path.ts'

/** An element of `svodka list --json`. */
export interface ListedDefinition {
  readonly kind: 'report' | 'metrics'
  /** As other commands take it: `profit_loss`, `metrics/finance`. */
  readonly code: string
  /** Of metrics the title of each. */
  readonly title: string
  /** Null of metrics. */
  readonly group: string | null
  /** Null of reports. */
  readonly metrics: readonly string[] | null
  /** As it opens from here. */
  readonly file: string
  readonly freshSeconds: { readonly open: Seconds; readonly closed: Seconds }
  /** Null where there is none; in it `seqScanMaxBytes` is null where any table may be read. */
  readonly budget: Budget | null
  readonly tuned: IsoDate | null
}

export async function list(
  { json = false }: { readonly json?: boolean | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { sqlDir, catalog, findings } = loadWhatLoads(environment)
  const definitions = allDefinitions(catalog)
  await print(
    json
      ? `${JSON.stringify(
          definitions.map(each => listed(each, sqlDir)),
          null,
          2,
        )}\n`
      : tables(definitions),
  )
  if (findings.length === 0) return EXIT.ok
  say(`Not in the list:\n${findings.map(describeFinding).join('\n')}`)
  return EXIT.findings
}

function listed(definition: AnyDefinition, sqlDir: string): ListedDefinition {
  const { name, file, freshSeconds, budget = null } = definition
  const ofReport = isReport(definition)
  return {
    kind: ofReport ? 'report' : 'metrics',
    code: name,
    title: titleOf(definition),
    group: ofReport ? definition.group : null,
    metrics: ofReport ? null : definition.metrics.map(({ code }) => code),
    file: shownFile(file, sqlDir),
    freshSeconds,
    budget,
    tuned: tunedOn(definition) ?? null,
  }
}

const REPORTS_HEAD = ['code', 'title', 'group', 'fresh', 'budget', 'tuned']
const METRICS_HEAD = ['code', 'metrics', 'fresh', 'budget', 'tuned']
const LEAST_TITLE_WIDTH = 16

/** Reports, and under them files of metrics, each with columns of their own. */
function tables(definitions: readonly AnyDefinition[]): string {
  const rows = (ofReports: boolean) =>
    definitions.filter(definition => isReport(definition) === ofReports).map(cellsOf)
  const [reports, metrics] = [rows(true), rows(false)]
  return [
    ...(reports.length === 0 ? [] : [table([REPORTS_HEAD, ...reports])]),
    ...(metrics.length === 0 ? [] : [table([METRICS_HEAD, ...metrics])]),
  ].join('\n')
}

/** On a terminal that is too narrow titles are shortened; they are the second column. */
function table(rows: ReadonlyArray<readonly string[]>): string {
  const whole = columnWidths(rows)
  const leasts = whole.map((width, at) => (at === 1 ? LEAST_TITLE_WIDTH : width))
  const widths = fitted(whole, leasts, terminalWidth())
  const fitting = rows.map(row =>
    row.map((cell, at) => (at === 1 ? shortened(cell, widths[at] ?? 0) : cell)),
  )
  return fitting.map(row => `${alignedLine(row, widths)}\n`).join('')
}

function cellsOf(definition: AnyDefinition): string[] {
  const { fresh } = definition.source.matter
  const { open = DEFAULTS.fresh.open, closed = DEFAULTS.fresh.closed } = fresh ?? {}
  return [
    definition.name,
    titleOf(definition),
    ...(isReport(definition) ? [definition.group] : []),
    `${open}/${closed}`,
    budgetWords(definition) ?? '-',
    tunedOn(definition) ?? '-',
  ]
}

function titleOf(definition: AnyDefinition): string {
  if (isReport(definition)) return definition.title
  return definition.metrics.map(({ title }) => title).join(', ')
}

/** As it was written, defaults too: `45, seq 1MiB, spill none`. */
function budgetWords({ source }: AnyDefinition): string | undefined {
  const { budget } = source.matter
  if (budget === undefined) return undefined
  const { seqScan = BUDGET_DEFAULTS.seqScan, spill = BUDGET_DEFAULTS.spill } = budget
  return `${budget.buffersPerThousandRows}, seq ${seqScan}, spill ${spill}`
}

/** From the comment that tells how it was tuned. */
function tunedOn({ source }: AnyDefinition): IsoDate | undefined {
  return /^-- Tuned (\d{4}-\d\d-\d\d)/m.exec(source.text)?.[1]
}
