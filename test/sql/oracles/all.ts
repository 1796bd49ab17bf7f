/**
 * Every oracle, found by its place: `reports/<group>/<code>.ts` computes again what `sql/reports/<group>/<code>.sql`
 * does, `metrics/<area>.ts` what `sql/metrics/<area>.sql` does. Each exports it as `oracle`.
 */
import { existsSync } from 'node:fs'
import type { Catalog } from '../../../src/definitions/definition.ts'
import type { MetricsOracle, ReportOracle } from './oracle.ts'

export interface Oracles {
  /** By the report's code. */
  readonly reports: ReadonlyMap<string, ReportOracle>
  /** By the area of the metrics. */
  readonly metrics: ReadonlyMap<string, MetricsOracle>
}

/** @throws Error where a definition has no oracle: a new one brings its own. */
export async function oraclesOf(catalog: Catalog): Promise<Oracles> {
  const reports = new Map<string, ReportOracle>()
  for (const { group, code } of catalog.reports.values()) {
    reports.set(code, await oracleAt<ReportOracle>(`reports/${group}/${code}`))
  }
  const metrics = new Map<string, MetricsOracle>()
  for (const { area } of catalog.metricsFiles.values()) {
    metrics.set(area, await oracleAt<MetricsOracle>(`metrics/${area}`))
  }
  return { reports, metrics }
}

async function oracleAt<Oracle>(place: string): Promise<Oracle> {
  const file = `test/sql/oracles/${place}.ts`
  if (!existsSync(file)) throw new Error(`sql/${place}.sql has no oracle, expected ${file}`)
  const { oracle }: { oracle?: Oracle } = await import(`./${place}.js`)
  if (oracle === undefined) throw new Error(`${file} exports no "oracle"`)
  return oracle
}
