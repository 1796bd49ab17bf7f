import { expect } from 'chai'
import { findLacking, roleSettings } from '../../src/serve/database/session-settings.ts'
import { casesOf } from './table.ts'

const EXPECTED = roleSettings('reports')

const SETTINGS = `
  statement_timeout             | 5min          | is enough
  statement_timeout             | 0             | is lacking
  lock_timeout                  | 200ms         | is enough
  lock_timeout                  | 0             | is lacking
  TimeZone                      | Etc/UTC       | is enough
  TimeZone                      | Europe/London | changes responses
  DateStyle                     | German, DMY   | changes responses
  DateStyle                     | ISO, MDY      | is lacking
  IntervalStyle                 | postgres      | changes responses
  bytea_output                  | escape        | changes responses
  jit                           | on            | is lacking
  default_transaction_read_only | off           | is lacking
`

// Roles without settings that results depend on are tested in test/contract/pgbouncer.test.ts.
describe('required role settings behind a pooler', () => {
  for (const [name = '', found = '', outcome] of casesOf(SETTINGS)) {
    it(`${name} "${found}" ${outcome}`, () => {
      const lacking = findLacking(EXPECTED, { ...EXPECTED, [name]: found }, 'x')
      const [one] = lacking.map(({ affectsResults }) =>
        affectsResults ? 'changes responses' : 'is lacking',
      )
      expect(one ?? 'is enough').to.equal(outcome)
      if (one) expect(lacking[0]).to.include({ name, found, expected: EXPECTED[name] })
    })
  }

  it('are added by SQL with the name of the role, for any name', () => {
    const [lacking] = findLacking({ jit: 'off' }, { jit: 'on' }, 'Re"ports')
    expect(lacking?.remedySql).to.equal(`alter role "Re""ports" set jit = 'off';`)
  })

  it('are added for keys and the probe with the limits of reports, if they use the same role', () => {
    for (const pool of ['keys', 'probe'] as const) {
      const lacking = findLacking(roleSettings(pool), { statement_timeout: '0' }, 'x')
      const one = lacking.find(({ name }) => name === 'statement_timeout')
      expect(one?.remedySql).to.equal(`alter role x set statement_timeout = '60s';`)
    }
  })
})
