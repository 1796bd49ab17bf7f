/** Names of the tools that `svodka kit` writes scripts for. */
export const KIT_TOOLS = [
  'curl',
  'python',
  'r',
  'javascript',
  'duckdb',
  'clickhouse',
  'powerquery',
  '1c',
  'appsscript',
  'datalens',
  'airbyte',
  'dlt',
  'meltano',
  'n8n',
  'airflow',
  'psql',
] as const
export type KitToolName = (typeof KIT_TOOLS)[number]
