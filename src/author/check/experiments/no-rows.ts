/** Over no rows at all, as of a new organization, there is a result without an error, and no figure in it. */
import type { DeclaredTable } from '../../../definitions/tenancy.ts'
import type { RowsOf } from '../../../definitions/tenant-rows.ts'
import { faultsOfExecution } from '../executions.ts'
import { lineOfColumn } from '../output-columns.ts'
import { isRefusal, orRefusal, QUERY_CANCELED } from '../session.ts'
import type { Experiment } from './experiment.ts'
import { figuresOf } from './figures.ts'

export const noRows: Experiment = {
  id: 'no-rows',
  periods: ['this year'],
  unless: ['zero-division', 'plain-count', 'left-join-count'],
  find: async trial => {
    const { definition, draft, execute, question, product, tables } = trial
    // why: a new organization has a row of its own, as in organizations
    const ofEach = tables.filter(({ declared: { tenancy }, uniqueKeys }) =>
      uniqueKeys.some(key => tenancy.kind === 'tenant' && key.join() === tenancy.column),
    )
    const isOfNew = ({ name, tenancy }: DeclaredTable): boolean =>
      tenancy.kind === 'shared' || ofEach.some(({ declared }) => declared.name === name)
    const rowsIf =
      (isKept: (table: DeclaredTable) => boolean): RowsOf =>
      (...of) => [
        'select own.* from (',
        ...product.rowsOf(...of),
        `) as own where ${isKept(of[0])}`,
      ]
    const result = await orRefusal(execute({ sources: rowsIf(isOfNew) }))
    if (isRefusal(result) && result.code === QUERY_CANCELED) throw result
    const [fault] = faultsOfExecution(trial, { ...question, label: 'over no rows' }, result)
    if (fault !== undefined) return fault
    const empty = await execute({ sources: rowsIf(() => false) })
    const figures = [...figuresOf(definition, empty).values()]
    // why: a row without figures is right, as that of a grand total
    const figure = figures.find(({ column, value }) => column !== 'row_count' && value !== 0)
    if (figure === undefined) return undefined
    const { row, column, value } = figure
    const message = `over no rows at all ${row} has ${column} ${value}, expected null or 0, and functions that read no rows`
    return { line: lineOfColumn(draft, column), message }
  },
}
