/** The tools that `svodka kit` writes scripts for, with names that people know, and the templates of this folder. */
import { quoteJson, quoteM, quoteOneC, quoteShell } from './quote.ts'

export interface KitTool {
  readonly title: string
  /** A file of this folder. */
  readonly template: string
  /** Makes a literal of the template's language. */
  readonly quote: (text: string) => string
  /** Whether the script is always for one report. */
  readonly needsCode?: true
}

export const KIT = {
  curl: { title: 'curl: файл из командной строки', template: 'curl.sh', quote: quoteShell },
  python: {
    title: 'Python, pandas: SQLite или PostgreSQL',
    template: 'python.py',
    quote: quoteJson,
  },
  r: { title: 'R', template: 'r.R', quote: quoteJson },
  duckdb: { title: 'DuckDB', template: 'duckdb.sh', quote: quoteShell },
  psql: { title: 'PostgreSQL: psql', template: 'psql.sh', quote: quoteShell },
  powerquery: {
    title: 'Excel и Power BI: Power Query',
    template: 'powerquery.pq',
    quote: quoteM,
    needsCode: true,
  },
  '1c': { title: '1С:Предприятие', template: '1c.bsl', quote: quoteOneC },
  appsscript: { title: 'Google Таблицы: Apps Script', template: 'appsscript.gs', quote: quoteJson },
  dlt: { title: 'dlt', template: 'dlt.py', quote: quoteJson },
  airbyte: { title: 'Airbyte', template: 'airbyte.yaml', quote: quoteJson },
} as const satisfies Record<string, KitTool>
export type KitToolName = keyof typeof KIT
export const KIT_TOOLS = Object.keys(KIT) as KitToolName[]
