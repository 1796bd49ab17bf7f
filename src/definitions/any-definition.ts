/** A definition of either kind: a report or a file of metrics. */
import type { Catalog, MetricsDefinition, ReportDefinition } from './definition.ts'

export type AnyDefinition = ReportDefinition | MetricsDefinition

export function isReport(definition: AnyDefinition): definition is ReportDefinition {
  return 'columns' in definition
}

/** Reports, then files of metrics, in the order of the API's lists. */
export function allDefinitions({
  reports,
  metricsFiles,
}: Pick<Catalog, 'reports' | 'metricsFiles'>): AnyDefinition[] {
  return [...reports.values(), ...metricsFiles.values()]
}

/** The area of a file of metrics, by its `Definition.name`. */
export function areaOf(name: string): string {
  return name.replace(/^metrics\//, '')
}
