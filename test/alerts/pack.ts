// The files of config/prometheus.
import { load as parse } from 'js-yaml'

export const PACK = 'config/prometheus'
export const RUNBOOKS = 'config/runbooks'

interface Alert {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>
}

/** @param text svodka.alerts.yml */
export function alertsOf(text: string): Alert[] {
  const { groups } = parse(text) as { groups: { rules: Alert[] }[] }
  return groups.flatMap(({ rules }) => rules)
}
