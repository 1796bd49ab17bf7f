/** All of a folder of SQL, or one error with all that is wrong with it. Reads files once, at the start. */
import { basename, dirname, resolve } from 'node:path'
import { parseAccess } from './access.ts'
import type {
  AccessDefinition,
  Catalog,
  MetricsDefinition,
  ReportDefinition,
} from './definition.ts'
import { DefinitionErrors, describeFindings, type Parsed } from './findings.ts'
import { listFolder, readSource } from './folder.ts'
import { parseMetrics } from './metrics.ts'
import { parseReport } from './report.ts'
import type { SourceFile } from './source-file.ts'

/**
 * @param directory `SQL_DIR`, with `access/`, `reports/` and `metrics/` in it
 * @throws DefinitionErrors with every problem of every file, each as `file:line: what, expected what`
 */
export function loadCatalog(directory: string): Catalog {
  const problems: string[] = []
  const root = resolve(directory)
  const place = { parent: dirname(root), name: basename(root) }
  const folder = listFolder(place, problems)

  const parsed = <T>(source: SourceFile, { findings, value }: Parsed<T>): T | undefined => {
    problems.push(...describeFindings(source.file, findings))
    return value
  }
  const read = (file: string): SourceFile | undefined => readSource(place, file, problems)

  const accessSource = folder.access === undefined ? undefined : read(folder.access)
  const access = accessSource && parsed<AccessDefinition>(accessSource, parseAccess(accessSource))

  const reports = new Map<string, ReportDefinition>()
  const reportFiles = new Map<string, string>()
  for (const { group, file } of folder.reports) {
    const source = read(file)
    if (source === undefined) continue
    const report = parsed(source, parseReport(source, group))
    const other = reportFiles.get(source.code)
    if (other !== undefined) problems.push(`${file}:1: report "${source.code}" is also in ${other}`)
    else reportFiles.set(source.code, file)
    if (report !== undefined) reports.set(report.code, report)
  }

  const metricsFiles = new Map<string, MetricsDefinition>()
  const metrics = new Map<
    string,
    { metric: MetricsDefinition['metrics'][number]; file: MetricsDefinition }
  >()
  for (const file of folder.metrics) {
    const source = read(file)
    if (source === undefined) continue
    const result = parseMetrics(source)
    const definition = parsed(source, result)
    if (definition === undefined) continue
    metricsFiles.set(definition.area, definition)
    for (const metric of definition.metrics) {
      const other = metrics.get(metric.code)?.file.file
      if (other === undefined) metrics.set(metric.code, { metric, file: definition })
      else {
        const line = result.lineOfMetric(metric.code)
        problems.push(`${file}:${line}: metric "${metric.code}" is also in ${other}`)
      }
    }
  }

  if (access === undefined || problems.length > 0) throw new DefinitionErrors(problems)
  return { reports, metricsFiles, metrics, access }
}
