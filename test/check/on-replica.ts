/** Checks the bad definitions and the shipped ones on the standby, too. */
import { parseSql } from '../harness/parse-sql.ts'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import { askStandby } from './standby-check.ts'
import { checked, expectFindings, folderOf, type BadDefinition } from './bad-definitions.ts'
import { ACCOUNTS } from './tables/accounts.ts'
import { NEW_DEALS } from './tables/new-deals.ts'
import { PAYMENTS } from './tables/payments.ts'

/** Bad definitions that load; only these are checked on a replica. */
export const LOADABLE = [...PAYMENTS, ...NEW_DEALS, ...ACCOUNTS].filter(({ expected }) =>
  expected.every(({ by }) => by !== 'load'),
)

/** Seconds each; the proof has them. For most there is a faster definition with the same fault. */
const SLOW = new Set([
  '(select count(*) from tasks where tasks.assignee_id = deals.manager_id)::text as manager',
  'a sort that spills where the budget forbids it',
  'a table with its schema and without the organization',
  '(100 * paid.income / nullif(paid.income + paid.expenses, 0))::bigint',
  'a column is not selected',
])

/** The faster definitions for faults that only a replica shows, and for correct variants. */
export const ONLY_ON_REPLICA = LOADABLE.filter(
  ({ title, expected }) =>
    !SLOW.has(title) && (expected.length === 0 || expected.some(({ by }) => by === 'replica')),
)

export function findOnReplica(definitions: readonly BadDefinition[], nicknames?: string[]): void {
  describe('bad definitions on a replica', () => {
    const standby = useStandbyCheck(nicknames)

    for (const { title, file, text, expected } of definitions) {
      it(`${file}: ${title}`, async () => {
        const wanted = expected.filter(({ by }) => by !== 'text')
        expectFindings(await checked(folderOf({ [file]: text }), standby.ask), wanted)
      })
    }
  })
}

// why: mocha needs the files before it runs tests
const shipped = await readToCheck('sql', parseSql)

export function findNothingInOurs(nicknames?: string[]): void {
  describe('our definitions on a replica', () => {
    const standby = useStandbyCheck(nicknames)
    const { files, findings } = shipped

    it('are all read without findings', () => expect(findings).to.deep.equal([]))

    for (const file of files) {
      it(`have no finding: ${file.name}`, async () => {
        expect(await checkFile(file, shipped, standby.ask)).to.deep.equal([])
      })
    }
  })
}

function useStandbyCheck(nicknames?: string[]): { ask: AskReplica } {
  let standby: Awaited<ReturnType<typeof askStandby>> | undefined
  before(async function () {
    this.timeout(30_000)
    standby = await askStandby(nicknames)
  })
  after(() => standby?.close())
  return { ask: (...args) => standby!.ask(...args) }
}
