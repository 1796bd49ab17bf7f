/**
 * A definition beside its oracle, found by its place: `oracles/reports/<group>/<code>.ts` computes again what
 * `sql/reports/<group>/<code>.sql` does, `oracles/metrics/<area>.ts` what `sql/metrics/<area>.sql` does.
 */
import { existsSync } from 'node:fs'
import type { Client } from 'pg'
import type { Catalog, Statement } from '../../src/definitions/definition.ts'
import { expectSameMetrics, expectSameReport } from './compare.ts'
import type { MetricsOracle, OrganizationRows, Question, ReportOracle } from './oracles/oracle.ts'
import { runMetrics, runReport } from './run.ts'

export interface Comparison {
  /** `profit_loss`, `metrics/finance` */
  readonly name: string
  readonly statement: Statement
  /** Runs a statement in place of the definition's. @throws AssertionError where the oracle of these rows says else. */
  readonly compare: (client: Client, asked: Asked, statement?: Statement) => Promise<void>
}

export interface Asked {
  readonly organizationId: string
  readonly question: Question
  readonly rows: OrganizationRows
}

/** @throws Error where a definition has no oracle: a new one brings its own. */
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

async function oracleAt<Oracle>(place: string): Promise<Oracle> {
  const file = `test/sql/oracles/${place}.ts`
  if (!existsSync(file)) throw new Error(`sql/${place}.sql has no oracle, expected ${file}`)
  const { oracle }: { oracle?: Oracle } = await import(`./oracles/${place}.js`)
  if (oracle === undefined) throw new Error(`${file} exports no "oracle"`)
  return oracle
}
