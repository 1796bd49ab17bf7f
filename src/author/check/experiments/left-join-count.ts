/** Without any row of a table that a left join adds, a count of its rows is 0. */
import { lineOfColumn } from '../output-columns.ts'
import { namesOfType } from '../rules/rule.ts'
import { everySelect } from '../statement.ts'
import type { Experiment, Way } from './experiment.ts'
import { wayWith } from './fan-out.ts'
import { figuresOf } from './figures.ts'
import { newKey } from './other-rows.ts'

export const leftJoinCount: Experiment = {
  id: 'left-join-count',
  periods: ['this year'],
  unless: ['fan-out', 'plain-count', 'unordered-pick'],
  find: async ({ definition, draft, execute, question, tables }) => {
    const counts = new Set(namesOfType(draft, 'integer'))
    const figures = async (way: Way) => figuresOf(definition, await execute(way), counts)
    const relations = everySelect(draft.query).flatMap(one => one.relations)
    const added = new Set(relations.flatMap(({ join, name }) => (join === 'left' ? name : [])))
    for (const table of tables.filter(one => added.has(one.declared.name))) {
      if (counts.size === 0 || newKey(table) === undefined) continue
      const none = await figures({ rest: one => (one === table ? ' where false' : '') })
      if (![...none.values()].some(({ value }) => value > 0)) continue
      const [own, twice] = [await figures({}), await figures(wayWith([table], [], 'true'))]
      for (const [cell, { column, row, value }] of own) {
        const without = none.get(cell)?.value ?? 0
        const isCounted = value > 0 && twice.get(cell)?.value === 2 * value
        if (!isCounted || without === 0) continue
        const { name } = table.declared
        const message = `"${column}" counts a row where left join finds none of ${name} (${question.label}: ${row} has ${without} without any of them), expected count(${name}.id) if it counts ${name}, else ${name} aggregated before the join`
        return { line: lineOfColumn(draft, column), message }
      }
    }
    return undefined
  },
}
