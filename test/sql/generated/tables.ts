/** The tables that a generated organization fills. */
export type Generated = Record<string, string | number | boolean | null>

/** Parents before children, as foreign keys want it. */
export const TABLES = [
  'employees',
  'counterparties',
  'accounts',
  'categories',
  'projects',
  'operations',
  'deal_sources',
  'deal_stages',
  'deals',
  'deal_stage_visits',
  'products',
  'warehouses',
  'sales',
  'sale_lines',
  'stock_movements',
  'tasks',
  'request_channels',
  'requests',
] as const

export type GeneratedTables = Record<(typeof TABLES)[number], Generated[]>

export const NO_ROWS: GeneratedTables = {
  employees: [],
  counterparties: [],
  accounts: [],
  categories: [],
  projects: [],
  operations: [],
  deal_sources: [],
  deal_stages: [],
  deals: [],
  deal_stage_visits: [],
  products: [],
  warehouses: [],
  sales: [],
  sale_lines: [],
  stock_movements: [],
  tasks: [],
  request_channels: [],
  requests: [],
}
