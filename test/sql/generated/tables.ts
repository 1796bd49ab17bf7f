/** The tables that a generated organization fills. */
import { TABLES } from '../oracles/oracle.ts'

export type Generated = Record<string, string | number | boolean | null>

export type GeneratedTables = Record<(typeof TABLES)[number], Generated[]>

export const NO_ROWS = Object.fromEntries(
  TABLES.map(table => [table, []]),
) as unknown as GeneratedTables
