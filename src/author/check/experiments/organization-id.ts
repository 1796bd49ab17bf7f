/** The rows of an organization give the same result if they are those of another one. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { RowsOf } from '../../../definitions/tenant-rows.ts'
import { lineOfColumn } from '../output-columns.ts'
import { unknownOrganization } from '../questions.ts'
import { firstDifference, type Experiment, type Trial } from './experiment.ts'

export const organizationId: Experiment = {
  id: 'organization-id',
  periods: ['this year'],
  unless: ['literal-id', 'row-order', 'unordered-pick'],
  find: async trial => {
    const { draft, idType, organizations, question } = trial
    const { id } = question.organization
    const all = [...organizations, ...unknownOrganization(idType)]
    const other = all.find(one => one.id !== id)
    if (other === undefined) return undefined
    const ways = [id, other.id].map(organizationId => ({
      sources: rowsAsOf(organizationId, trial),
      bindings: { organizationId },
    }))
    const differs = await firstDifference(ways, trial)
    if (differs === undefined) return undefined
    const message = `the result depends on the organization's id (${question.label}, with the id of organization ${other.nickname ?? other.id}: ${differs.text}), expected no condition on it but that of tenancy.yaml, and functions that read no rows`
    return { line: lineOfColumn(draft, differs.column), message }
  },
}

/** The question's rows with another id in the column of their organization. */
function rowsAsOf(id: string, { question, product, tables }: Trial): RowsOf {
  return declared => {
    const table = tables.find(one => one.declared.name === declared.name)
    if (table === undefined) return product.rowsOf(declared)
    const { tenancy } = declared
    const columns = table.columns.map(({ name, type }) => {
      const own = escapeIdentifier(name)
      const isId = tenancy.kind === 'tenant' && tenancy.column === name
      return isId ? `${escapeLiteral(id)}::${type} as ${own}` : own
    })
    return [`select ${columns.join(', ')} from (${table.ownRows(question.organization)}) as own`]
  }
}
