/** Names of the tools that `svodka kit` writes scripts for, with those that people know. */
export const KIT_TITLES = {
  curl: 'curl: файл из командной строки',
  python: 'Python, pandas: SQLite или PostgreSQL',
  r: 'R',
  duckdb: 'DuckDB',
  powerquery: 'Excel и Power BI: Power Query',
  '1c': '1С:Предприятие',
  appsscript: 'Google Таблицы: Apps Script',
  airbyte: 'Airbyte',
  dlt: 'dlt',
  psql: 'PostgreSQL: psql',
} as const
export type KitToolName = keyof typeof KIT_TITLES
export const KIT_TOOLS = Object.keys(KIT_TITLES) as KitToolName[]
