/** Asks one organization for reports and metrics, for each period once: oracles and identities share the answers. */
import type { Client } from 'pg'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { Question } from './oracles/oracle.ts'
import { runMetrics, runReport } from './run.ts'
import type { FieldRow, ReportAnswer } from './run.ts'

export interface Ask {
  report(code: string, question: Question): Promise<ReportAnswer>
  metrics(area: string, question: Question): Promise<FieldRow>
}

export function asker(client: Client, catalog: Catalog, organizationId: string): Ask {
  const reports = new Map<string, Promise<ReportAnswer>>()
  const metrics = new Map<string, Promise<FieldRow>>()
  return {
    report(code, question) {
      const definition = catalog.reports.get(code)
      if (definition === undefined) throw new Error(`no report ${code}`)
      return once(reports, `${code} ${JSON.stringify(question)}`, () =>
        runReport(client, definition, organizationId, question),
      )
    },
    metrics(area, question) {
      const definition = catalog.metricsFiles.get(area)
      if (definition === undefined) throw new Error(`no metrics of ${area}`)
      return once(metrics, `${area} ${JSON.stringify(question)}`, () =>
        runMetrics(client, definition, organizationId, question),
      )
    },
  }
}

function once<Found>(known: Map<string, Promise<Found>>, key: string, find: () => Promise<Found>) {
  const found = known.get(key) ?? find()
  known.set(key, found)
  return found
}
