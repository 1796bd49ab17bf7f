import { expect } from 'chai'
import { describeFinding } from '../../src/definitions/findings.ts'
import { internalError } from '../../src/model/errors.ts'
import { classifyError, transportError } from '../../src/serve/replica/classify-error.ts'
import { faultOf, isFaultOfDefinition } from '../../src/serve/replica/fault.ts'
import { load, REPORT } from '../definitions/sql-folder.ts'

const { reports } = await load({ 'reports/shop/sales.sql': REPORT })
const definition = reports.get('sales')!
const position = String(definition.statement.text('uuid').indexOf('from sales') + 6)
const postgres = (message: string, fields: object): Error =>
  internalError(Object.assign(new Error(message), fields))
const hint = 'Perhaps you meant "x".'

// Time-outs and columns of a wrong type are tested in test/commands.
describe('the fault of a definition', () => {
  for (const [error, expected] of [
    [
      postgres('relation "sales" does not exist', { code: '42P01', position }),
      ':10: relation "sales" does not exist, expected what the database can plan',
    ],
    [
      postgres('"z" does not exist', { code: '42703', hint }),
      ': "z" does not exist, expected what the database can plan. Perhaps you meant "x".',
    ],
    [
      postgres('division by zero', { code: '22012' }),
      ': division by zero, expected a result for every organization',
    ],
    [
      postgres('amount: "1.5" is no money', {}),
      ':5: amount: "1.5" is no money, expected a result for every organization',
    ],
  ] as const) {
    it(`is sales.sql${expected}`, () => {
      const found = describeFinding(faultOf(error, definition, 'uuid'))
      expect(found).to.equal(`sql/reports/shop/sales.sql${expected}`)
    })
  }

  it('is not an unavailable database', () => {
    const refused = classifyError(transportError(new Error('connect ECONNREFUSED')))
    expect(isFaultOfDefinition(refused)).to.equal(false)
    expect(isFaultOfDefinition(internalError(new Error('x')))).to.equal(true)
  })
})
