/** Scripts that load reports into other tools. A pure function without Node's modules: a page may use it, too. */
import { airbyte } from './airbyte.ts'
import { appsscript } from './appsscript.ts'
import { curl } from './curl.ts'
import { dlt } from './dlt.ts'
import { duckdb } from './duckdb.ts'
import type { KitSource } from './kit-source.ts'
import type { KitToolName } from './tools.ts'
import { oneC } from './one-c.ts'
import { powerquery } from './powerquery.ts'
import { psql } from './psql.ts'
import { python } from './python.ts'
import { r } from './r.ts'

interface KitTemplate {
  /** `changes`: loads the months that have changed; `period`: requests a period. */
  readonly loads: 'changes' | 'period'
  /** Whether the script is always for one report. */
  readonly needsCode?: true
  readonly write: (source: KitSource) => string
}

const TEMPLATES: Readonly<Record<KitToolName, KitTemplate>> = {
  curl: { loads: 'period', write: curl },
  python: { loads: 'changes', write: python },
  r: { loads: 'changes', write: r },
  duckdb: { loads: 'period', write: duckdb },
  powerquery: { loads: 'period', needsCode: true, write: powerquery },
  '1c': { loads: 'period', write: oneC },
  appsscript: { loads: 'period', write: appsscript },
  airbyte: { loads: 'period', write: airbyte },
  dlt: { loads: 'period', write: dlt },
  psql: { loads: 'changes', write: psql },
}

/** Whether the script for this tool is always for one report. */
export function needsCode(name: KitToolName): boolean {
  return TEMPLATES[name].needsCode === true
}

/**
 * A script for one report or, unless `needsCode`, for several; it ends with a line feed.
 * @throws Error if it is for one report and the source has none
 */
export function kit(name: KitToolName, source: KitSource): string {
  const { loads, write } = TEMPLATES[name]
  if (needsCode(name) && source.reports.length !== 1) throw new Error(`${name} needs one report`)
  // why: a loader replaces whole months
  const from = loads === 'changes' ? `${source.from.slice(0, 7)}-01` : source.from
  return `${write({ ...source, from }).trim()}\n`
}
