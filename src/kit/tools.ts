/** The tools that `svodka kit` writes scripts for, with names that people know, and the templates of this folder. */
import { quoteJson, quoteM, quoteOneC, quoteShell } from './quote.ts'

export interface KitTool {
  /** In English. */
  readonly title: string
  /** A file of this folder. */
  readonly template: string
  /** Makes a literal of the template's language. */
  readonly quote: (text: string) => string
  /** Whether the script is always for one report. */
  readonly needsCode?: true
}

export const KIT = {
  pandas: {
    title: 'Python, pandas: this table',
    template: 'frame.py',
    quote: quoteJson,
    needsCode: true,
  },
  frame: {
    title: 'R: this table',
    template: 'frame.R',
    quote: quoteJson,
    needsCode: true,
  },
  powerquery: {
    title: 'Excel and Power BI: Power Query',
    template: 'powerquery.pq',
    quote: quoteM,
    needsCode: true,
  },
  appsscript: {
    title: 'Google Sheets: Apps Script',
    template: 'appsscript.gs',
    quote: quoteJson,
  },
  curl: {
    title: 'curl: a file by the command line',
    template: 'curl.sh',
    quote: quoteShell,
  },
  duckdb: { title: 'DuckDB', template: 'duckdb.sh', quote: quoteShell },
  '1c': {
    title: '1C:Enterprise',
    template: '1c.bsl',
    quote: quoteOneC,
  },
  python: {
    title: 'Python: each night into SQLite or PostgreSQL',
    template: 'python.py',
    quote: quoteJson,
  },
  r: {
    title: 'R: each night into SQLite',
    template: 'r.R',
    quote: quoteJson,
  },
  psql: {
    title: 'psql: each night into PostgreSQL',
    template: 'psql.sh',
    quote: quoteShell,
  },
  dlt: { title: 'dlt', template: 'dlt.py', quote: quoteJson },
  airbyte: { title: 'Airbyte', template: 'airbyte.yaml', quote: quoteJson },
} as const satisfies Record<string, KitTool>
export type KitToolName = keyof typeof KIT
export const KIT_TOOLS = Object.keys(KIT) as KitToolName[]
