/**
 * Untuned definitions: statements of `naive/` with the front matter of the tuned ones, so that columns, totals and
 * placeholders are the same. Not every definition has one. Knows no database.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type {
  Definition,
  MetricsDefinition,
  ReportDefinition,
} from '../../../src/definitions/definition.ts'
import { DefinitionErrors, findingsOf } from '../../../src/definitions/findings.ts'
import type { Parsed } from '../../../src/definitions/findings.ts'
import { parseMetrics } from '../../../src/definitions/metrics.ts'
import { parseReport } from '../../../src/definitions/report.ts'
import type { SourceFile } from '../../../src/definitions/source-file.ts'
import { parseSql } from '../../harness/parse-sql.ts'

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url))
const NAIVE = 'test/bench/sql/naive'
const END_OF_MATTER = '---*/\n'

/** @returns undefined if there is none. @throws DefinitionErrors if it does not load. */
export async function naiveReport(tuned: ReportDefinition): Promise<ReportDefinition | undefined> {
  const { code, group } = tuned
  const source = naiveSource(tuned, `${NAIVE}/reports/${group}/${code}.sql`, code)
  return source && loaded(source, await parseReport(source, parseSql))
}

/** @returns undefined if there is none. @throws DefinitionErrors if it does not load. */
export async function naiveMetrics(
  tuned: MetricsDefinition,
): Promise<MetricsDefinition | undefined> {
  const { area } = tuned
  const source = naiveSource(tuned, `${NAIVE}/metrics/${area}.sql`, area)
  return source && loaded(source, await parseMetrics(source, parseSql))
}

/** @returns undefined if there is no such file. */
function naiveSource(
  { source, version }: Definition,
  file: string,
  code: string,
): SourceFile | undefined {
  if (!existsSync(`${CHECKOUT}${file}`)) return undefined
  const end = source.text.indexOf(END_OF_MATTER) + END_OF_MATTER.length
  const text = `${source.text.slice(0, end)}${readFileSync(`${CHECKOUT}${file}`, 'utf8')}`
  return { file, code, text, version }
}

function loaded<Found>({ file }: SourceFile, { findings, value }: Parsed<Found>): Found {
  if (value === undefined) throw new DefinitionErrors(findingsOf(file, findings))
  return value
}
