import { expect } from 'chai'
import { describeFinding } from '../../src/definitions/findings.ts'
import { internalError } from '../../src/errors.ts'
import { classifyError, replicaProblem } from '../../src/replica/classify-error.ts'
import { ResultShapeError } from '../../src/replica/column-types.ts'
import { faultOf, isFaultOfDefinition } from '../../src/replica/fault.ts'
import { load, REPORT } from '../definitions/sql-folder.ts'

const definition = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
const FILE = 'sql/reports/shop/sales.sql'
const position = String(definition.statement.text('uuid').indexOf('from sales') + 6)
const postgres = (message: string, fields: object): Error =>
  Object.assign(new Error(message), fields)

describe('the fault of a definition', () => {
  for (const [title, error, expected] of [
    [
      "is PostgreSQL's own message, on the line that it is about",
      postgres('relation "sales" does not exist', { code: '42P01', position }),
      `${FILE}:10: relation "sales" does not exist, expected what the database can plan`,
    ],
    [
      "keeps PostgreSQL's hint",
      postgres('"z" does not exist', { code: '42703', hint: 'Perhaps you meant "x".' }),
      `${FILE}: "z" does not exist, expected what the database can plan. Perhaps you meant "x".`,
    ],
    [
      'names the file alone if nothing tells the line',
      postgres('division by zero', { code: '22012' }),
      `${FILE}: division by zero, expected an answer for everybody`,
    ],
    [
      'is on the line of the column that it names',
      new ResultShapeError('column "amount" is not selected, expected it in the select'),
      `${FILE}:5: column "amount" is not selected, expected it in the select`,
    ],
    [
      'is on the line of the column whose value is wrong',
      new Error('amount: "1.5" is no money'),
      `${FILE}:5: amount: "1.5" is no money, expected an answer for everybody`,
    ],
    [
      'is a time-out',
      replicaProblem('report_timeout', undefined),
      `${FILE}:1: ran out of its time, expected an answer within 5s`,
    ],
  ] as const) {
    it(title, () => {
      const problem = title === 'is a time-out' ? error : internalError(error)
      expect(describeFinding(faultOf(problem, definition, 'uuid'))).to.equal(expected)
    })
  }

  it('is not that the database cannot be asked', () => {
    const refused = classifyError(postgres('', { code: 'ECONNREFUSED' }))
    expect(isFaultOfDefinition(refused)).to.equal(false)
    expect(isFaultOfDefinition(internalError(new Error('x')))).to.equal(true)
  })
})
