// What a rival is asked, and how its answer is held against ours.
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import { loadCatalog } from '../../../src/definitions/load-catalog.ts'
import type { GatewayAnswer } from './answers.ts'
import { compareRows, queryOf, variablesOf } from './graphql.ts'

const sql = fileURLToPath(new URL('../../../../sql', import.meta.url))

function definitionOf(code: string): ReportDefinition {
  const definition = loadCatalog(sql).reports.get(code)
  if (definition === undefined) throw new Error(`no report has the code ${code}`)
  return definition
}

describe('a report as a GraphQL query', () => {
  const definition = definitionOf('income_by_category')
  const ours: GatewayAnswer = {
    columns: definition.columns,
    rows: [
      { parent: 'Продажи', category: 'Опт', operations: 2, amount: 300, share: 75 },
      { parent: 'Продажи', category: 'Розница', operations: 1, amount: 100, share: 25 },
    ],
    totals: { parent: 'Итого', category: null, operations: 3, amount: 400, share: 100 },
  }
  const theirs = (amount: string, total: string) => ({
    data: {
      incomeByCategoryList: [
        {
          isTotal: true,
          rowCount: '2',
          parent: null,
          category: null,
          operations: '3',
          amount: total,
          share: '100.0',
        },
        {
          isTotal: false,
          rowCount: null,
          parent: 'Продажи',
          category: 'Опт',
          operations: '2',
          amount,
          share: '75.0',
        },
        {
          isTotal: false,
          rowCount: null,
          parent: 'Продажи',
          category: 'Розница',
          operations: '1',
          amount: '100',
          share: '25.0',
        },
      ],
    },
  })

  it('asks for all visible columns, with what the statement is bound to as variables', () => {
    expect(queryOf(definition)).to.equal(
      'query Report($organizationId: UUID!, $periodStart: Date!, $periodEnd: Date!) { ' +
        'incomeByCategoryList(organizationId: $organizationId, periodStart: $periodStart, periodEnd: $periodEnd) ' +
        '{ isTotal rowCount parent category operations amount share } }',
    )
  })

  it('binds the day after the last as the end of the period', () => {
    const variables = variablesOf(definition, {
      report: 'expenses_by_category',
      organization: { id: 'o', name: 'O', timeZone: 'UTC', postedThisYear: 1, keys: ['k'] },
      key: 'k',
      from: '2026-01-01',
      to: '2026-12-31',
      today: '2026-06-15',
    })
    expect(variables).to.deep.equal({
      organizationId: 'o',
      periodStart: '2026-01-01',
      periodEnd: '2027-01-01',
    })
  })

  it('agrees with an answer whose numbers are texts', () => {
    expect(() => compareRows(definition, theirs('300', '400'), ours)).not.to.throw()
  })

  it('does not agree with an amount, a total or an error that is not ours', () => {
    expect(() => compareRows(definition, theirs('301', '400'), ours)).to.throw('amount of row 1')
    expect(() => compareRows(definition, theirs('300', '401'), ours)).to.throw('total of amount')
    const error = { errors: [{ message: 'no such field' }] }
    expect(() => compareRows(definition, error, ours)).to.throw('no such field')
  })
})
