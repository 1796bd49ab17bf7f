/** A report or a file of metrics, told apart, and all that a catalog has of both. */
import type { Catalog, MetricsDefinition, ReportDefinition } from './definition.ts'

export type AnyDefinition = ReportDefinition | MetricsDefinition

export function isReport(definition: AnyDefinition): definition is ReportDefinition {
  return 'columns' in definition
}

/** Reports, then files of metrics, in the order in which lists are answered. */
export function allDefinitions({
  reports,
  metricsFiles,
}: Pick<Catalog, 'reports' | 'metricsFiles'>): AnyDefinition[] {
  return [...reports.values(), ...metricsFiles.values()]
}
