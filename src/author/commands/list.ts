/** `svodka list`: a line for each definition that loads, and the findings of the others. Needs no database. */
import { allDefinitions, isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { BUDGET_DEFAULTS } from '../../definitions/budget.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { DEFAULTS } from '../../definitions/schemas.ts'
import type { IsoDate } from '../../model/terms.ts'
import { EXIT } from '../../model/command-error.ts'
import { print, printLine, displayFile } from '../../command/output.ts'
import { aligned } from '../terminal/columns.ts'
import { loadWhatLoads } from './load-what-loads.ts'

export async function list(
  { json = false }: { readonly json?: boolean | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { sqlDir, catalog, findings } = await loadWhatLoads(environment)
  const definitions = allDefinitions(catalog)
  const all = definitions.map(definition => listed(definition, sqlDir))
  await print(json ? `${JSON.stringify(all, null, 2)}\n` : tables(definitions))
  if (findings.length === 0) return EXIT.ok
  printLine(`Not in the list:\n${findings.map(describeFinding).join('\n')}`)
  return EXIT.findings
}

/** An element of `svodka list --json`; null for fields that do not apply. */
function listed(definition: AnyDefinition, sqlDir: string) {
  const { name, file, freshSeconds, budget = null } = definition
  const ofReport = isReport(definition)
  return {
    kind: ofReport ? 'report' : 'metrics',
    code: name,
    title: titleOf(definition),
    group: ofReport ? definition.group : null,
    metrics: ofReport ? null : definition.metrics.map(({ code }) => code),
    file: displayFile(file, sqlDir),
    freshSeconds,
    budget,
    tuned: tunedOn(definition),
  }
}

const REPORTS_HEAD = ['code', 'title', 'group', 'fresh', 'budget', 'tuned']
const METRICS_HEAD = ['code', 'metrics', 'fresh', 'budget', 'tuned']

/** A table of reports, then a table of files of metrics. */
function tables(definitions: readonly AnyDefinition[]): string {
  const all = [REPORTS_HEAD, METRICS_HEAD].map(head => {
    const ofReports = head === REPORTS_HEAD
    const rows = definitions.filter(each => isReport(each) === ofReports).map(cellsOf)
    return rows.length === 0 ? '' : `${aligned([head, ...rows]).join('\n')}\n`
  })
  return all.filter(table => table !== '').join('\n')
}

/** Fresh times and budget as in front matter, with defaults: `60s/1h`, `45, seq 1MiB, spill none`. */
function cellsOf(definition: AnyDefinition): string[] {
  const { fresh, budget } = definition.source.matter
  const { open, closed } = { ...DEFAULTS.fresh, ...fresh }
  const { buffersPerThousandRows, seqScan, spill } = { ...BUDGET_DEFAULTS, ...budget }
  return [
    definition.name,
    titleOf(definition),
    ...(isReport(definition) ? [definition.group] : []),
    `${open}/${closed}`,
    budget === undefined ? '-' : `${buffersPerThousandRows}, seq ${seqScan}, spill ${spill}`,
    tunedOn(definition) ?? '-',
  ]
}

function titleOf(definition: AnyDefinition): string {
  if (isReport(definition)) return definition.title
  return definition.metrics.map(({ title }) => title).join(', ')
}

/** From the comment `-- Tuned ...`. */
function tunedOn({ source }: AnyDefinition): IsoDate | null {
  return /^-- Tuned (\d{4}-\d\d-\d\d)/m.exec(source.text)?.[1] ?? null
}
