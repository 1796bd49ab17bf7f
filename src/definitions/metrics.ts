/** Parses a file under `sql/metrics/`. */
import { commonOf, readDefinitionFile } from './definition-file.ts'
import type { MetricsDefinition } from './definition.ts'
import type { Parsed } from './findings.ts'
import { DEFAULT_PRODUCT } from './product.ts'
import { METRICS_SCHEMA } from './schemas.ts'
import { NAME, NAME_EXPECTED, type SourceFile } from './source-file.ts'
import type { ParseSql } from './sql/parsed-sql.ts'
import type { Tenancy } from './tenancy.ts'

/** The area is the file's name. */
export async function parseMetrics(
  file: SourceFile,
  parse: ParseSql,
  tenancy: Tenancy,
  product = DEFAULT_PRODUCT,
): Promise<Parsed<MetricsDefinition>> {
  const name = `metrics/${file.code}`
  const read = await readDefinitionFile(file, name, METRICS_SCHEMA, false, parse, tenancy)
  const { matter, lineOf } = read
  if (matter === undefined) return { findings: read.findings }
  const metrics = Object.entries(matter.metrics).map(([code, metric]) => ({
    code,
    title: metric.title,
    format: metric.format,
  }))
  const badCodes = metrics.flatMap(({ code }) => {
    const message = `metrics.${code}: bad code "${code}", ${NAME_EXPECTED}`
    return NAME.test(code) ? [] : [{ line: lineOf(['metrics', code]), message }]
  })
  const required = read.parameters.parameters.filter(parameter => parameter.required)
  const badParameters = required.map(({ name: parameter }) => {
    const path = ['parameters', parameter, 'required']
    const message = `${path.join('.')}: found true, expected no required parameter of metrics`
    return { line: lineOf(path), message }
  })
  const findings = [...read.findings, ...badCodes, ...badParameters]
  if (findings.length > 0) return { findings }
  return {
    findings,
    value: { ...commonOf(file, matter, read, tenancy, product), name, area: file.code, metrics },
  }
}
