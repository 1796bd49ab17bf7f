/** `svodka list`: a line for each definition that loads, and the findings of the others. Needs no database. */
import { allDefinitions, isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { EXIT } from '../../model/command-error.ts'
import { print, printLine, displayFile } from '../../command/output.ts'
import { mebibytes } from '../plans/figures.ts'
import { aligned } from '../terminal/columns.ts'
import { loadWhatLoads } from './load-what-loads.ts'

export async function list(
  { json = false }: { readonly json?: boolean | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { sqlDir, catalog, findings } = await loadWhatLoads(environment)
  const all = allDefinitions(catalog).map(definition => listed(definition, sqlDir))
  const lines = aligned([HEAD, ...all.map(cellsOf)])
  await print(json ? `${JSON.stringify(all, null, 2)}\n` : `${lines.join('\n')}\n`)
  if (findings.length === 0) return EXIT.ok
  printLine(`Not in the list:\n${findings.map(describeFinding).join('\n')}`)
  return EXIT.findings
}

/** An element of `svodka list --json`; null for fields that do not apply. */
function listed(definition: AnyDefinition, sqlDir: string) {
  const { name, file, freshSeconds, budget = null, source } = definition
  const ofReport = isReport(definition)
  return {
    kind: ofReport ? 'report' : 'metrics',
    code: name,
    title: ofReport ? definition.title : definition.metrics.map(({ title }) => title).join(', '),
    group: ofReport ? definition.group : null,
    metrics: ofReport ? null : definition.metrics.map(({ code }) => code),
    file: displayFile(file, sqlDir),
    freshSeconds,
    budget,
    tuned: /^-- Tuned (\d{4}-\d\d-\d\d)/m.exec(source.text)?.[1] ?? null,
  }
}

const HEAD = ['code', 'group', 'fresh', 'budget', 'tuned', 'title']

/** `60s/3600s`, `45, seq 1.0 MiB, spill 0 KiB`. */
function cellsOf({ code, title, group, freshSeconds, budget, tuned }: ReturnType<typeof listed>) {
  const limits =
    budget &&
    `${budget.buffersPerThousandRows}, seq ${mebibytes(budget.seqScanMaxBytes)}, spill ${mebibytes(budget.spillMaxBytes)}`
  const fresh = `${freshSeconds.open}s/${freshSeconds.closed}s`
  return [code, group ?? '-', fresh, limits ?? '-', tuned ?? '-', title]
}
