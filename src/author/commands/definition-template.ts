/** Built-in templates of `svodka new`, the files in `templates/`, used if the folder has none. */
import { readFileSync } from 'node:fs'
import { textsIn } from '../../texts/texts.ts'
import type { StartingTable } from './starting-table.ts'

/** Names to fill in, used without a database. */
export const NO_TABLE = {
  name: 'your_table',
  dateColumn: 'created_on',
  day: 'your_table.created_on',
  isInstant: false,
  isShared: false,
  tenancyLine: 'your_table: organization_id\n',
} as const

const FILL_IN =
  '-- Fill in the names of your table and column: your_table, also in tenancy.yaml, and created_on (a date).\n'

/** For key look-up and `--org`, in `access/`. */
export const ACCESS_FILES = ['organization_by_key.sql', 'organizations.sql'] as const

/** @param name of the file */
export function template(name: string): string {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url), 'utf8')
}

/**
 * A definition or its oracle, which counts rows of the table.
 * @param language of its title and summary @param code makes the title unique, or is the prefix of metrics
 */
export function definitionText(
  file: string,
  code: string,
  language: string,
  table: StartingTable = NO_TABLE,
): string {
  const { name, dateColumn, day, isInstant, isShared } = table
  const values: Readonly<Record<string, string>> = {
    ...textsIn(language).bodies.starting,
    code,
    table: name,
    column: `${name}.${dateColumn}`,
    day,
    at: isInstant ? '_at' : '',
    shared: isShared ? '\nshared: true' : '',
    note: table === NO_TABLE ? FILL_IN : '',
  }
  return template(file).replaceAll(/\{(\w+)\}/g, (token, key: string) => values[key] ?? token)
}
