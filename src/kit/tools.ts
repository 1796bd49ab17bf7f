/** The tools that `svodka kit` writes scripts for, with names that people know, and the templates of this folder. */
import { quoteJson, quoteM, quoteOneC, quoteShell } from './quote.ts'

export interface KitTool {
  readonly title: { readonly ru: string; readonly en: string }
  /** A file of this folder. */
  readonly template: string
  /** Makes a literal of the template's language. */
  readonly quote: (text: string) => string
  /** Whether the script is always for one report. */
  readonly needsCode?: true
}

export const KIT = {
  pandas: {
    title: { ru: 'Python, pandas: эта таблица', en: 'Python, pandas: this table' },
    template: 'frame.py',
    quote: quoteJson,
    needsCode: true,
  },
  frame: {
    title: { ru: 'R: эта таблица', en: 'R: this table' },
    template: 'frame.R',
    quote: quoteJson,
    needsCode: true,
  },
  powerquery: {
    title: { ru: 'Excel и Power BI: Power Query', en: 'Excel and Power BI: Power Query' },
    template: 'powerquery.pq',
    quote: quoteM,
    needsCode: true,
  },
  appsscript: {
    title: { ru: 'Google Таблицы: Apps Script', en: 'Google Sheets: Apps Script' },
    template: 'appsscript.gs',
    quote: quoteJson,
  },
  curl: {
    title: { ru: 'curl: файл из командной строки', en: 'curl: a file by the command line' },
    template: 'curl.sh',
    quote: quoteShell,
  },
  duckdb: { title: { ru: 'DuckDB', en: 'DuckDB' }, template: 'duckdb.sh', quote: quoteShell },
  '1c': {
    title: { ru: '1С:Предприятие', en: '1C:Enterprise' },
    template: '1c.bsl',
    quote: quoteOneC,
  },
  python: {
    title: {
      ru: 'Python: по ночам в SQLite или PostgreSQL',
      en: 'Python: each night into SQLite or PostgreSQL',
    },
    template: 'python.py',
    quote: quoteJson,
  },
  r: {
    title: { ru: 'R: по ночам в SQLite', en: 'R: each night into SQLite' },
    template: 'r.R',
    quote: quoteJson,
  },
  psql: {
    title: { ru: 'psql: по ночам в PostgreSQL', en: 'psql: each night into PostgreSQL' },
    template: 'psql.sh',
    quote: quoteShell,
  },
  dlt: { title: { ru: 'dlt', en: 'dlt' }, template: 'dlt.py', quote: quoteJson },
  airbyte: { title: { ru: 'Airbyte', en: 'Airbyte' }, template: 'airbyte.yaml', quote: quoteJson },
} as const satisfies Record<string, KitTool>
export type KitToolName = keyof typeof KIT
export const KIT_TOOLS = Object.keys(KIT) as KitToolName[]
