/** The statements that are planned on a replica at start. */
import type { Bindings, Catalog, Definition } from '../../definitions/definition.ts'
import { faultOf } from '../replica/fault.ts'
import type { DryRunStatement } from '../replica/dry-run.ts'
import { locateMetrics, locateReportColumns } from '../body/result-columns.ts'

/** Bindings for statements that are planned but not executed. */
const SAMPLE_BINDINGS: Bindings = {
  organizationId: '',
  period: { start: '2000-01-01', end: '2000-01-02' },
  today: '2000-01-01',
  now: '2000-01-01T00:00:00Z',
  timeZone: 'UTC',
}

/** @param idType the PostgreSQL type of an organization's id */
export function dryRunStatements(
  { reports, metricsFiles }: Pick<Catalog, 'reports' | 'metricsFiles'>,
  idType: string,
): DryRunStatement[] {
  const statement = (definition: Definition, check: DryRunStatement['check']): DryRunStatement => ({
    name: definition.name,
    text: definition.statement.text(idType),
    valueCount: definition.statement.values(SAMPLE_BINDINGS).length,
    check,
    faultOf: error => faultOf(error, definition, idType),
  })
  return [
    ...[...reports.values()].map(report =>
      statement(report, fields => void locateReportColumns(fields, report)),
    ),
    ...[...metricsFiles.values()].map(file =>
      statement(file, fields => void locateMetrics(fields, file)),
    ),
  ]
}
