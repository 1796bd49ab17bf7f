/** The statement of a definition, as it is planned on a replica. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Bindings } from '../../definitions/definition.ts'
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
export function dryRunStatement(
  definition: AnyDefinition,
  idType: string,
  isPlanned: boolean,
): DryRunStatement {
  const { name, file, source, statement } = definition
  return {
    name,
    file,
    source,
    isPlanned,
    text: statement.text(idType),
    valueCount: statement.values(SAMPLE_BINDINGS).length,
    check(fields) {
      if (isReport(definition)) locateReportColumns(fields, definition)
      else locateMetrics(fields, definition)
    },
    faultOf: error => faultOf(error, definition, idType),
  }
}
