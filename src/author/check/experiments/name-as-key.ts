/** Keys must be unique even if all names are equal. */
import { isReport } from '../../../definitions/any-definition.ts'
import { splitTotals } from '../result-faults.ts'
import { sharedValues } from '../row-identity.ts'
import type { Experiment } from './experiment.ts'
import { asItIs } from './other-rows.ts'
import { alike } from './row-order.ts'

export const nameAsKey: Experiment = {
  id: 'name-as-key',
  periods: ['twelve years'],
  unless: ['key', 'row-order', 'unordered-pick'],
  find: async ({ definition, question: { label }, execute }) => {
    if (!isReport(definition)) return undefined
    const { key, source } = definition
    const result = await execute({
      columnOf: column => (column.kind === 'text' ? alike(column) : asItIs(column)),
      settings: { enable_nestloop: 'off' },
    })
    const { rows } = splitTotals(result)
    if (sharedValues({ ...result, rows }, key) === undefined) return undefined
    const message = `key: rows whose names are the same have one ${key.join(', ')} (${label}), expected columns that make a row unique, as an id does`
    return { line: source.lineOf(['key']), message }
  },
}
