// The files of config/prometheus, and a copy of them whose times are divided.
import { parse } from 'yaml'

export const PACK = 'config/prometheus'
export const RUNBOOKS = 'config/runbooks'

export interface Alert {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 }

/** @param text svodka.alerts.yml */
export function alertsOf(text: string): Alert[] {
  const { groups } = parse(text) as { groups: { rules: Alert[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/**
 * Divides all durations of a configuration: `for: 1m`, `[5m]`, `group_wait: 30s`, and the seconds that make a count of
 * a mean rate: `* 21600 >= 10`. Names of metrics stay.
 */
export function divideTimes(text: string, by: number): string {
  return text
    .replaceAll(
      /(?<=\[|: )(\d+)([smhd])(?=\]|$)/gm,
      (_, count: string, unit: keyof typeof SECONDS) =>
        `${Math.round((Number(count) * SECONDS[unit] * 1000) / by)}ms`,
    )
    .replaceAll(/(?<=\* )\d+(?= >= )/g, seconds => String(Number(seconds) / by))
}
