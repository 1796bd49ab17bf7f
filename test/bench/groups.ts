// All groups, in the order of the table.
import { formats } from './formats/formats.ts'
import { hits } from './hits/hits.ts'
import { misses } from './misses/misses.ts'
import { rivals } from './rivals/rivals.ts'
import type { Group } from './row.ts'
import { sql } from './sql/sql.ts'
import { start } from './start/start.ts'

export const GROUPS: readonly Group[] = [hits, misses, formats, sql, start, rivals]

/** @param only a group's name; all where it is undefined or blank. @throws Error if none has that name. */
export function groupsNamed(groups: readonly Group[], only: string | undefined): readonly Group[] {
  if (only === undefined || only === '') return groups
  const named = groups.filter(({ name }) => name === only)
  if (named.length > 0) return named
  throw new Error(`ONLY is ${only}, expected one of ${groups.map(({ name }) => name).join(', ')}`)
}
