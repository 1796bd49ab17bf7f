/** What the replica is asked to plan before the first client comes. */
import type { Bindings, Catalog, Definition } from '../../definitions/definition.ts'
import { faultOf } from '../replica/fault.ts'
import type { Rehearsal } from '../replica/rehearse.ts'
import { locateMetrics, locateReportColumns } from '../body/result-columns.ts'

/** Bindings for a run that is never made. */
const NOBODY: Bindings = {
  organizationId: '',
  period: { start: '2000-01-01', end: '2000-01-02' },
  today: '2000-01-01',
  now: '2000-01-01T00:00:00Z',
  timeZone: 'UTC',
}

/** @param idType the PostgreSQL type of an organization's id */
export function rehearsalsOf(
  { reports, metricsFiles }: Pick<Catalog, 'reports' | 'metricsFiles'>,
  idType: string,
): Rehearsal[] {
  const rehearsal = (definition: Definition, check: Rehearsal['check']): Rehearsal => ({
    name: definition.name,
    text: definition.statement.text(idType),
    valueCount: definition.statement.values(NOBODY).length,
    check,
    faultOf: error => faultOf(error, definition, idType),
  })
  return [
    ...[...reports.values()].map(report =>
      rehearsal(report, fields => void locateReportColumns(fields, report)),
    ),
    ...[...metricsFiles.values()].map(file =>
      rehearsal(file, fields => void locateMetrics(fields, file)),
    ),
  ]
}
