/**
 * Pairs definitions with oracles by path: `oracles/reports/<group>/<code>.ts` recomputes
 * `sql/reports/<group>/<code>.sql`, `oracles/metrics/<area>.ts` recomputes `sql/metrics/<area>.sql`.
 */
import { existsSync } from 'node:fs'
import type { Client } from 'pg'
import type { Catalog, DefinitionSource, Statement } from '../../src/definitions/definition.ts'
import { expectSameMetrics, expectSameReport } from './compare.ts'
import type { MetricsOracle, OrganizationRows, Question, ReportOracle } from './oracles/oracle.ts'
import { runMetrics, runReport } from './run.ts'

export interface Comparison {
  /** `profit_loss`, `metrics/finance` */
  readonly name: string
  readonly statement: Statement
  readonly source: DefinitionSource
  /** Executes a statement instead of the definition's. @throws AssertionError if the oracle has another result. */
  readonly compare: (client: Client, asked: Asked, statement?: Statement) => Promise<void>
}

export interface Asked {
  readonly organizationId: string
  readonly question: Question
  readonly rows: OrganizationRows
}

/** @throws Error if a definition has no oracle. */
export async function comparisonsOf({ reports, metricsFiles }: Catalog): Promise<Comparison[]> {
  const ofReports = [...reports.values()].map(async (report): Promise<Comparison> => {
    const oracle = await oracleAt<ReportOracle>(`reports/${report.group}/${report.code}`)
    return {
      ...report,
      async compare(client, { organizationId, question, rows }, statement = report.statement) {
        const answer = await runReport(client, { ...report, statement }, organizationId, question)
        expectSameReport(report, answer, oracle(rows, question))
      },
    }
  })
  const ofMetrics = [...metricsFiles.values()].map(async (file): Promise<Comparison> => {
    const oracle = await oracleAt<MetricsOracle>(`metrics/${file.area}`)
    return {
      ...file,
      async compare(client, { organizationId, question, rows }, statement = file.statement) {
        const answer = await runMetrics(client, { ...file, statement }, organizationId, question)
        expectSameMetrics(file.metrics, answer, oracle(rows, question))
      },
    }
  })
  return Promise.all([...ofReports, ...ofMetrics])
}

async function oracleAt<Oracle>(path: string): Promise<Oracle> {
  const file = `test/sql/oracles/${path}.ts`
  if (!existsSync(file)) throw new Error(`sql/${path}.sql has no oracle, expected ${file}`)
  const { oracle }: { oracle?: Oracle } = await import(`./oracles/${path}.js`)
  if (oracle === undefined) throw new Error(`${file} exports no "oracle"`)
  return oracle
}
