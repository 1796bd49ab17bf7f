// Findings of load-time rules in single statements: a file of `rules/` for each subject.
import { expect } from 'chai'
import { PLACEHOLDERS } from '../../src/definitions/definition.ts'
import { checkStatement, type SqlPolicy } from '../../src/definitions/rules/check-sql.ts'
import { findingsFile } from '../harness/findings-table.ts'
import { parseSql } from '../harness/parse-sql.ts'

/** `2: message` for each. */
async function faultsIn(text: string, policy: SqlPolicy = {}): Promise<string[]> {
  const sql = await parseSql({ text, placeholders: PLACEHOLDERS })
  return checkStatement(sql, policy).map(({ line, message }) => `${line}: ${message}`)
}

const SUBJECTS: Readonly<Record<string, SqlPolicy>> = {
  between: {},
  casts: {},
  'clock-of-look-up': { mayReadClock: true },
  placeholders: { required: 'organization_id' },
  'read-only': {},
  'rejected-calls': {},
  'single-select': { isOrdered: true },
  'syntax-errors': {},
  'system-columns': {},
}

for (const [subject, policy] of Object.entries(SUBJECTS))
  describe(`statements of ${subject}.sql`, () => {
    findingsFile(`test/definitions/rules/${subject}.sql`, sql => faultsIn(sql, policy))
  })

describe('a fault of a statement', () => {
  it('is at its line, with any characters and line ends before it', async () => {
    const before = "select 'ё', '😀👨‍👩‍👧', \"Имя\" -- €\r\n/* ё\r\n😀 */"
    for (const [sql, fault] of [
      [`${before}\r\n, now()`, '4: now() reads the clock'],
      [`${before}, :ёёёёёё\r\n, a frm b`, '4: syntax error at or near "b" (column 9)'],
      [`${before}, a\r\n, :tody`, '4: unknown placeholder :tody'],
      [`${before}\r\n, 'ё😀', a frm b`, '4: syntax error at or near "b" (column 15)'],
      [`${before}\r\n;\r\nselect 2`, '5: a second statement'],
    ] as const) {
      const [found, ...more] = await faultsIn(sql)
      expect(found).to.contain(fault)
      expect(more).to.deep.equal([])
    }
  })

  it('quotes at most one line of unclosed text', async () => {
    const [found = ''] = await faultsIn(`select 'a\n${'b\n'.repeat(1000)}`)
    expect(found).to.equal(
      '1: unterminated quoted string at or near "\'a ..." (column 8), expected every quote and comment to be closed',
    )
  })

  it('is one finding if SQL is too long or nested too deeply', async () => {
    const nested = [500, 5000, 100_000].map(times => `select ${'abs('.repeat(times)}`)
    const closed = `select ${'f('.repeat(2000)}1${')'.repeat(2000)}`
    const signs = `select 1${'+1'.repeat(20_000)}`
    for (const sql of [...nested, closed, signs, `select '${'ё'.repeat(140_000)}'`]) {
      expect(await faultsIn(sql)).to.have.lengthOf(1)
    }
    expect(await faultsIn(signs)).to.deep.equal([
      '1: SQL that is nested too deeply, expected fewer levels',
    ])
    expect(
      await faultsIn(`select 1${'+1'.repeat(500)} or ${'a or '.repeat(9000)} b`),
    ).to.deep.equal([])
  })
})
