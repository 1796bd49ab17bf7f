// The storm's order, and the storm as pgbench drives it. Both go through turns: in each, every report runs for another
// organization, so that the reports of a large one are far apart.
import { refuseVariables, scriptOf } from './floor.ts'
import { ID_TYPE } from './subject.ts'
import type { Subject } from './subject.ts'

/** A subject for each organization, in the same order in all reports. */
export type Storm = readonly (readonly Subject[])[]

/** From 0 to the number of organizations less one: whose turn it is in this report. */
function organizationAt(storm: Storm, turn: number, report: number): number {
  const count = organizationCount(storm)
  return (turn + report * strideOf(storm)) % count
}

function strideOf(storm: Storm): number {
  return Math.max(1, Math.floor(organizationCount(storm) / storm.length))
}

export function organizationCount([first = []]: Storm): number {
  return first.length
}

/** All of it, each once. */
export function inOrder(storm: Storm): Subject[] {
  const turns = [...Array(organizationCount(storm)).keys()]
  return turns.flatMap(turn =>
    storm.flatMap((subjects, report) => subjects[organizationAt(storm, turn, report)] ?? []),
  )
}

/**
 * A transaction is a turn, and every connection goes through all turns and runs its share of each: the connections have
 * as much to do, each report of each organization runs once, and nearly in the order of `inOrder`.
 */
export function stormScript(storm: Storm, connections: number): string {
  return turnScript(storm, connections, ([subject]) =>
    scriptOf(subject?.definition.statement.text(ID_TYPE) ?? ''),
  )
}

/**
 * `stormScript` without its reports: a statement for each that picks the organization's values, which pgbench can do in
 * no other way. The floor is the storm less this.
 */
export function picksScript(storm: Storm, connections: number): string {
  return turnScript(storm, connections, () => '')
}

function turnScript(
  storm: Storm,
  connections: number,
  runOf: (subjects: readonly Subject[]) => string,
): string {
  const pieces = storm.map((subjects, report) =>
    [
      String.raw`\if (:turn + ${report}) % ${connections} = :client_id`,
      String.raw`\set place (:turn + ${report * strideOf(storm)}) % ${subjects.length} + 1`,
      pick(subjects),
      `${runOf(subjects)}\\endif`,
    ].join('\n'),
  )
  return [...pieces, String.raw`\set turn :turn + 1`].join('\n')
}

/** Of both scripts. */
export const FIRST_TURN = { turn: '0' }

/** Sets `v1`, `v2`, ... to the values of organization `:place`, which counts from 1; without reading any table. */
function pick(subjects: readonly Subject[]): string {
  const columns = (subjects[0]?.bound.values ?? []).map((_, index) => {
    const values = subjects.map(({ bound }) => bound.values[index] ?? '')
    const [value = ''] = values
    const constant = values.every(other => other === value)
    const array = `{${values.map(each => `"${each}"`).join(',')}}`
    // why: `:place` may stand once in a statement, pgbench would make another parameter of each
    return constant
      ? `${quoted(value)} as v${index + 1}`
      : `(${quoted(array)}::text[])[place.place] as v${index + 1}`
  })
  const from = 'from (select :place::integer as place) as place'
  return `select\n${columns.join(',\n')}\n${from}\n${String.raw`\gset`}`
}

function quoted(text: string): string {
  refuseVariables(text)
  return `'${text.replaceAll("'", "''")}'`
}
