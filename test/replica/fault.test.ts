import { expect } from 'chai'
import { describeFinding } from '../../src/definitions/findings.ts'
import { internalError } from '../../src/errors.ts'
import { classifyError, replicaProblem } from '../../src/replica/classify-error.ts'
import { ResultShapeError } from '../../src/replica/column-types.ts'
import { faultOf, isFaultOfDefinition } from '../../src/replica/fault.ts'
import { load, REPORT } from '../definitions/sql-folder.ts'

const definition = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
const said = (error: unknown): string => describeFinding(faultOf(error, definition, 'uuid'))
const postgres = (message: string, fields: object): Error =>
  Object.assign(new Error(message), fields)

describe('the fault of a definition', () => {
  it("is PostgreSQL's own message, on the line that it is about", () => {
    const position = String(definition.statement.text('uuid').indexOf('from sales') + 6)
    const error = postgres('relation "sales" does not exist', { code: '42P01', position })
    expect(said(internalError(error))).to.equal(
      'sql/reports/shop/sales.sql:10: relation "sales" does not exist, expected what the database can plan',
    )
  })

  it("keeps PostgreSQL's hint", () => {
    const error = postgres('column "z" does not exist', {
      code: '42703',
      hint: 'Perhaps you meant "x".',
    })
    expect(said(internalError(error))).to.contain(
      '"z" does not exist, expected what the database can plan. Perhaps you meant "x".',
    )
  })

  it('names the file alone where nothing tells the line', () => {
    const error = postgres('division by zero', { code: '22012' })
    expect(said(internalError(error))).to.equal(
      'sql/reports/shop/sales.sql: division by zero, expected an answer for everybody',
    )
  })

  it('is on the line of the column that it names', () => {
    const error = new ResultShapeError('column "amount" is not selected, expected it in the select')
    expect(said(internalError(error))).to.equal(
      'sql/reports/shop/sales.sql:5: column "amount" is not selected, expected it in the select',
    )
    expect(said(internalError(new Error('amount: "1.5" is no money')))).to.contain(':5: amount')
  })

  it('is a run that took longer than its timeout', () => {
    expect(said(replicaProblem('report_timeout', undefined))).to.match(
      /^sql\/reports\/shop\/sales.sql:1: .*ran out of its time, expected an answer within 5s$/,
    )
  })

  it('is not that the database cannot be asked', () => {
    expect(isFaultOfDefinition(classifyError(postgres('', { code: 'ECONNREFUSED' })))).to.equal(
      false,
    )
    expect(isFaultOfDefinition(internalError(new Error('x')))).to.equal(true)
  })
})
