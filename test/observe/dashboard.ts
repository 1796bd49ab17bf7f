// The dashboard of config/grafana, as its tests read it.
import { readFileSync } from 'node:fs'

export interface Target {
  readonly refId: string
  readonly expr: string
  readonly legendFormat: string
  readonly datasource: { readonly uid: string }
}

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly uid: string }
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  readonly targets?: readonly Target[]
}

export interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly {
      readonly name: string
      readonly type: string
      readonly definition?: string
    }[]
  }
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync('config/grafana/svodka.json', 'utf8')) as Dashboard
}

/** Panels with queries. */
export function graphsOf({ panels }: Dashboard): Panel[] {
  return panels.filter(({ type }) => type !== 'row')
}
